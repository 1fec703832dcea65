import { type ClaudeLine, type ClaudeResult, readClaudeLine, readToolAsk } from '../protocol/claudeStream.ts';
import { isWireObject } from '../protocol/parseWire.ts';
import type { AgentEvent } from '../shared/agentEvents.ts';
import type { WireObject } from '../shared/wire.ts';
import type { CancelReason, TurnResult } from './agent.ts';
import { createClaudeCalls } from './claudeCalls.ts';
import { createClaudeMessages } from './claudeMessages.ts';
import { carriedCost, denialsOf, exitOutcome, limitWords, outcomeOf, usageOf } from './claudeOutcome.ts';
import { type ClaudeReader, type ClaudeStep, diagnostic, refuse } from './claudeReader.ts';
import { interruptedOutcome } from './turnResults.ts';

const SIGN_IN =
  'Claude Code’s sign-in was refused. Run "claude" in a terminal and sign in with /login, or check ANTHROPIC_API_KEY.';

/** A reader for one process. `folder`: what relative paths are meant from. `earlier`: what its session had cost before. */
export function createClaudeReader(folder: string, earlier: () => number = () => 0): ClaudeReader {
  const messages = createClaudeMessages();
  const calls = createClaudeCalls(folder);
  const said = new Set<string>();
  let sessionId: string | null = null;
  let model: string | null = null;
  let mode: string | null = null;
  /** Of the process so far, or of its session; null before the version is known. */
  let cost: number | null = null;
  let open = false;

  let texts: string[] = [];
  let models = new Set<string>();
  let error: string | null = null;
  let signIn: string | null = null;
  let interruptedBy: CancelReason | null = null;
  let done: TurnResult | null = null;
  /** What our turn would be if a turn of the CLI's own took its prompt in. */
  let folded: { readonly result: TurnResult; readonly cost: number | null } | null = null;
  let idle = false;

  const show = (...events: readonly AgentEvent[]): ClaudeStep => ({ events, note: null });

  const endReason = () => (interruptedBy === null ? 'noResult' : 'stopped');

  const modeIs = (now: string | null | undefined, wire: WireObject): readonly AgentEvent[] => {
    if (now === null || now === undefined || now === mode) return [];
    mode = now;
    return [{ type: 'mode.updated', wire, derived: { mode: now } }];
  };

  /** The id may change within a process, and a resume wants the last one (93-slash-commands, case C44). */
  const sessionIs = (
    id: string | undefined,
    of: string | null,
    wire: WireObject,
    version?: string,
  ): readonly AgentEvent[] => {
    if (id === undefined || (id === sessionId && of === model)) return [];
    sessionId = id;
    model = of;
    return [
      { type: 'session.updated', wire, derived: { sessionId, model, ...(version === undefined ? {} : { version }) } },
    ];
  };

  function assistant(line: Extract<ClaudeLine, { type: 'assistant' }>, wire: WireObject): ClaudeStep {
    const { message } = line;
    const parentId = line.parent_tool_use_id ?? null;
    const main = parentId === null;
    const events: AgentEvent[] = main ? [...messages.seen(message.id, wire)] : [];
    if (typeof line.error === 'string') {
      // Written by the CLI, not by the model: no work, and nothing to review (C38).
      error = line.error;
      const text = message.content.flatMap((block) => block.text ?? []).join('\n');
      return show(...events, diagnostic(wire, 'error', 'agentError', text === '' ? line.error : text));
    }
    if (main && message.model !== undefined && message.model !== '<synthetic>') models.add(message.model);
    for (const block of message.content) {
      if (block.type === 'tool_use' && block.id !== undefined && block.name !== undefined) {
        events.push(calls.start(block.id, block.name, block.input ?? {}, parentId, wire));
      } else if (main && block.type === 'text' && block.text !== undefined && block.text !== '') {
        texts.push(block.text);
        events.push(...messages.complete(message.id, 'message', block.text, wire));
      } else if (main && block.type === 'thinking' && block.thinking !== undefined && block.thinking !== '') {
        events.push(...messages.complete(message.id, 'thought', block.thinking, wire));
      }
    }
    return show(...events);
  }

  function streamed(line: Extract<ClaudeLine, { type: 'stream_event' }>, wire: WireObject): ClaudeStep {
    const { event } = line;
    if ((line.parent_tool_use_id ?? null) !== null) return show();
    if (event.type === 'message_start') return show(...messages.start(event.message?.id ?? null, wire));
    if (event.type !== 'content_block_delta' || event.index === undefined) return show();
    const { text, thinking } = event.delta ?? {};
    if (text !== undefined && text !== '') return show(...messages.delta(event.index, 'message', text, wire));
    if (thinking !== undefined && thinking !== '')
      return show(...messages.delta(event.index, 'thought', thinking, wire));
    return show();
  }

  function request(line: Extract<ClaudeLine, { type: 'control_request' }>, wire: WireObject): ClaudeStep {
    const requestId = line.request_id;
    const { subtype } = line.request;
    if (subtype !== 'can_use_tool') {
      const text = `Claude Code asked for "${subtype}", which is not served.`;
      return { events: [diagnostic(wire, 'warning', 'unknownRequest', text)], note: refuse(requestId, 'unsupported') };
    }
    const parsed = readToolAsk(line.request);
    if (parsed.type !== 'known') return unreadable(wire, parsed.type === 'invalid' ? parsed.problem : parsed.variant);
    const ask = parsed.value;
    return {
      events: [calls.ask(ask, wire)],
      note: { type: 'ask', requestId, ask, wire: params(wire) },
    };
  }

  function result(line: ClaudeResult, wire: WireObject): ClaudeStep {
    if (!open && line.num_turns === 0) return show();
    const events = [
      ...sessionIs(line.session_id, model, wire),
      ...messages.end(wire),
      ...calls.close(endReason(), wire),
    ];
    if (!open || done !== null || (line.origin ?? { kind: 'human' }).kind !== 'human') {
      // A background command or a timer began this turn; nobody prompted it, so it ends none (43-bash-background), unless
      // our prompt was taken into it. What it cost is counted with the next turn.
      folded = open && done === null ? { result: judged(line, wire), cost: line.total_cost_usd ?? cost } : null;
      texts = [];
      models = new Set();
      error = null;
      const text = 'Claude Code ended a turn that it had begun by itself.';
      return show(...events, diagnostic(wire, 'info', 'agentWarning', text));
    }
    done = judged(line, wire);
    cost = line.total_cost_usd ?? cost;
    return { events, note: { type: 'result' } };
  }

  const judged = (line: ClaudeResult, wire: WireObject): TurnResult => ({
    wire,
    outcome: outcomeOf(line, { interrupted: interruptedBy, signIn, error }),
    texts: [...texts],
    usage: usageOf(line, cost ?? 0),
    models: [...models],
    denials: denialsOf(line, folder),
    ...(line.structured_output === undefined ? {} : { structured: line.structured_output }),
  });

  function known(line: ClaudeLine, wire: WireObject): ClaudeStep {
    switch (line.type) {
      case 'assistant':
        return assistant(line, wire);
      case 'user':
        return show(...calls.results(line, wire));
      case 'stream_event':
        return streamed(line, wire);
      case 'result':
        return result(line, wire);
      case 'control_request':
        return request(line, wire);
      case 'rate_limit_event': {
        const text = limitWords(line.rate_limit_info?.status);
        if (text === null || said.has(text)) return show();
        said.add(text);
        return show(diagnostic(wire, 'warning', 'agentWarning', text));
      }
      case 'control_cancel_request':
        return { events: [], note: { type: 'withdrawn', requestId: line.request_id } };
      case 'control_response': {
        const { subtype, request_id: requestId, response, error: problem } = line.response;
        const failed = subtype === 'success' ? null : (problem ?? subtype);
        return { events: [], note: { type: 'response', requestId, error: failed, body: response ?? null } };
      }
      case 'system':
        return system(line, wire);
      default:
        return line satisfies never;
    }
  }

  function system(line: Extract<ClaudeLine, { type: 'system' }>, wire: WireObject): ClaudeStep {
    switch (line.subtype) {
      case 'init':
        folded = null;
        cost ??= carriedCost(earlier(), line.claude_code_version);
        return show(
          ...sessionIs(line.session_id, line.model ?? null, wire, line.claude_code_version),
          ...modeIs(line.permissionMode, wire),
        );
      case 'status':
        return show(...modeIs(line.permissionMode, wire));
      case 'session_state_changed':
        idle = line.state === 'idle';
        if (line.state === 'running') folded = null;
        return { events: [], note: { type: 'state', idle } };
      case 'api_retry': {
        const why = `${line.error ?? 'no answer'}${typeof line.error_status === 'number' ? ` ${line.error_status}` : ''}`;
        const seconds = Math.max(1, Math.round(line.retry_delay_ms / 1000));
        const text = `Waiting ${seconds} s (attempt ${line.attempt} of ${line.max_retries}): ${why}`;
        const events = [diagnostic(wire, 'warning', 'retrying', text)];
        if (line.error_status !== 401) return show(...events);
        signIn = SIGN_IN;
        return { events, note: { type: 'signInFailed' } };
      }
      case 'permission_denied': {
        calls.denied(line.tool_use_id);
        return show();
      }
      case 'model_fallback':
      case 'model_refusal_no_fallback': {
        const text = line.content ?? '';
        const fallback = 'The model refused to answer.';
        return show(diagnostic(wire, 'warning', 'agentWarning', text === '' ? fallback : text));
      }
      case 'thinking_tokens':
      case 'task_started':
      case 'task_progress':
      case 'task_updated':
      case 'task_notification':
      case 'compact_boundary':
      case 'hook_started':
      case 'hook_response':
        return show();
      default:
        return line satisfies never;
    }
  }

  /** A line that we cannot read must not leave the other side waiting, or us. */
  function unreadable(wire: WireObject, problem: string): ClaudeStep {
    const text = `A line of Claude Code could not be read: ${problem}`;
    const events = [diagnostic(wire, 'warning', 'invalid', text)];
    if (wire.type === 'control_request' && typeof wire.request_id === 'string') {
      return { events, note: refuse(wire.request_id, `invalid request: ${problem}`) };
    }
    if (wire.type !== 'result' || !open) return { events, note: null };
    done = { ...nothing(texts, models), wire, outcome: { type: 'failed', cause: 'protocol', message: text } };
    return { events: [...events, ...messages.end(wire), ...calls.close(endReason(), wire)], note: { type: 'result' } };
  }

  return {
    sessionId: () => sessionId,
    beginTurn() {
      open = true;
      texts = [];
      models = new Set();
      error = null;
      signIn = null;
      interruptedBy = null;
      done = null;
      folded = null;
    },
    folded: () => folded !== null && idle,
    push(raw) {
      const parsed = readClaudeLine(raw);
      switch (parsed.type) {
        case 'known':
          return known(parsed.value, raw);
        case 'unknownVariant': {
          const variant = raw.type === 'system' ? `system/${parsed.variant}` : parsed.variant;
          if (said.has(variant)) return show();
          said.add(variant);
          return show(diagnostic(raw, 'info', 'unknownVariant', `Claude Code sent an unknown line "${variant}".`));
        }
        case 'invalid':
          return unreadable(raw, parsed.problem);
        default:
          return parsed satisfies never;
      }
    },
    interrupted(reason) {
      interruptedBy ??= reason;
    },
    answered(toolCallId, allowed, wire) {
      if (allowed) return calls.allowed(toolCallId, wire);
      calls.denied(toolCallId);
      return [];
    },
    end(exit) {
      open = false;
      if (done === null && folded !== null && exit === null) ({ result: done, cost } = folded);
      if (done !== null) return { events: [], result: done };
      const events = calls.close(endReason(), null);
      const outcome =
        interruptedBy !== null
          ? interruptedOutcome(interruptedBy)
          : signIn !== null
            ? ({ type: 'failed', cause: 'signIn', message: signIn } as const)
            : exitOutcome(exit);
      return { events, result: { ...nothing(texts, models), outcome } };
    },
  };
}

function nothing(texts: readonly string[], models: ReadonlySet<string>): Omit<TurnResult, 'outcome'> {
  return { wire: null, texts: [...texts], usage: null, models: [...models], denials: [] };
}

function params(wire: WireObject): WireObject {
  const { request } = wire;
  return isWireObject(request) ? request : {};
}
