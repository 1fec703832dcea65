import type { AgentRef, Diagnostic, Role } from '../shared/agentEvents.ts';
import type { LoopEvent, RunHeader } from '../shared/events.ts';
import { isOpen } from '../shared/isOpen.ts';
import type { PermissionRequest } from '../shared/permission.ts';
import type { Finding } from '../shared/review.ts';
import { changes, count, duration, ROLE_NAMES, score, usage } from '../shared/runWords.ts';
import type { ToolCallPatch } from '../shared/toolCall.ts';
import { createMessageLines } from './messageLines.ts';
import { renderFindings, renderVerdict } from './renderReview.ts';
import { createChecks, fileLines, markLines } from './renderRound.ts';
import { createTerminals } from './renderTerminal.ts';
import { renderTool, toolTitle } from './renderTool.ts';
import { truthLines } from './renderTruth.ts';
import { headerLines, lacks, nameAndVersion, outcomeWords, promptLines, settledLine } from './renderTurn.ts';
import type { Style } from './style.ts';
import { safe, safeLine } from './terminalText.ts';

/** What a person is told without `--verbose` though it is no error. */
const TOLD: readonly Diagnostic['code'][] = ['retrying', 'silence', 'orphan', 'restarted', 'budget', 'nested'];

export interface RenderOptions {
  /** Whole prompts, thoughts, tool arguments and output, diagnostics. */
  readonly verbose: boolean;
  readonly style: Style;
  /** Of the terminal. */
  readonly columns: number;
}

/** Who is doing what, for the status line. `since`, the start of the turn, in milliseconds since the epoch. */
export interface Activity {
  readonly text: string;
  readonly since: number;
}

/** The log as text for a terminal: whole lines, in the order of the events. Pure. */
export interface RunRenderer {
  /** What the event adds; empty for nothing. */
  event(event: LoopEvent): string;
  /** Null when no agent is at work. */
  activity(): Activity | null;
  /** All texts of the last executor turn that was completed; empty before one. */
  result(): string;
  /** Scores of the rounds so far, in order. */
  scores(): readonly number[];
}

/** Renders one run from its first event on. */
export function createRunRenderer({ verbose, style, columns }: RenderOptions): RunRenderer {
  let run: RunHeader | null = null;
  const agents = new Map<Role, AgentRef>();
  const findings = new Map<string, Finding>();
  const scores: number[] = [];
  let round = { number: 0, startedAt: 0, changed: '', score: '', fixed: [] as string[] };
  let turn = { role: 'execute' as Role, startedAt: 0 };
  let acting: Activity | null = null;
  /** Whether the reviewer is in its JSON verdict, which is shown as a review instead. */
  let inVerdict = false;
  function show(key: string, text: string): string {
    if (key.startsWith('thought/')) return style.dim(safe(text));
    if (turn.role === 'execute' || verbose) return safe(text);
    return safe(text).replace(/.*\n/g, (line) => {
      const fence = line.trimStart().startsWith('```');
      const opens = !inVerdict && line.trim() === '```json';
      const hidden = inVerdict || opens;
      if (fence) inVerdict = opens;
      return hidden ? '' : line;
    });
  }
  let lines = createMessageLines(show);
  const questions = new Map<string, PermissionRequest>();
  const tools = new Map<string, ToolCallPatch>();
  const terminals = createTerminals(verbose, style);
  const checks = createChecks(verbose, style);
  let texts = new Map<string, string>();
  let result = '';

  const name = (role: Role) => safeLine(agents.get(role)?.name ?? ROLE_NAMES[role]);
  const says = (...what: readonly string[]) => lines.flush() + what.map((line) => `${line}\n`).join('');

  function act(doing: string): void {
    const who = `Round ${round.number}/${run?.rounds ?? '?'} · ${name(turn.role)}`;
    acting = { text: `${who} ${doing}`, since: turn.startedAt };
  }

  function tool(patch: ToolCallPatch): string {
    const call = { ...tools.get(patch.toolCallId), ...patch };
    tools.set(patch.toolCallId, call);
    const { state } = call;
    if (state !== 'success' && state !== 'error' && state !== 'cancelled') {
      act(`· ${toolTitle(call)}`);
      return lines.flush();
    }
    tools.delete(patch.toolCallId);
    act('works');
    const rows = renderTool(call, verbose, style, agents.get(turn.role) ?? null);
    // What a sub-agent did stands under it.
    return says(...(call.parentId === undefined ? rows : rows.map((row) => `  ${row}`)));
  }

  function roundEnd(at: number): string {
    const open = [...findings.values()].filter((finding) => isOpen(finding));
    const table = renderFindings([...findings.values()], columns, style);
    const fixed = round.fixed.length === 0 ? [] : [style.green(`fixed: ${round.fixed.map(safeLine).join(', ')}`)];
    const took = duration(at - round.startedAt);
    const parts = [round.score, count(open.length, 'open finding'), round.changed, took].filter((part) => part !== '');
    const summary = style.dim(`Round ${round.number}: ${parts.join(' · ')}`);
    return says(...(table === '' ? [] : [table]), ...fixed, summary, '');
  }

  function event(told: LoopEvent): string {
    switch (told.type) {
      case 'run.started':
        run = told.run;
        agents.set('execute', told.run.executor).set('review', told.run.reviewer);
        return `${headerLines(told.run, style)}\n\n`;
      case 'run.continued':
        run = told.run;
        acting = null;
        agents.set('execute', told.run.executor).set('review', told.run.reviewer);
        return says(style.bold('The run goes on.'), headerLines(told.run, style), '');
      case 'agent.ready':
        agents.set(told.role, told.agent);
        return verbose ? says(style.dim(`${nameAndVersion(told.agent)} is ready`)) : '';
      case 'round.started': {
        round = { number: told.round, startedAt: told.at, changed: '', score: '', fixed: [] };
        const title = `── Round ${told.round} `;
        return says(style.bold(title.padEnd(Math.min(columns, 60), '─')), '');
      }
      case 'turn.started': {
        turn = { role: told.role, startedAt: told.at };
        lines = createMessageLines(show);
        tools.clear();
        inVerdict = false;
        if (told.role === 'execute') texts = new Map();
        act(told.role === 'execute' ? 'works' : 'reviews');
        const does = told.role === 'execute' ? 'executes' : 'reviews';
        const input = promptLines(told.prompt, verbose, columns).map((line) => style.dim(`  │ ${line}`));
        return says(style.cyan(style.bold(`▶ ${name(told.role)} ${does}`)), ...input, ...lacks(told).map(style.yellow));
      }
      case 'message.chunk': {
        const { channel, messageId, text } = told.derived;
        if (channel === 'message' && told.role === 'execute') texts.set(messageId, (texts.get(messageId) ?? '') + text);
        act(channel === 'message' ? 'writes' : 'thinks');
        return channel === 'thought' && !verbose ? '' : lines.append(`${channel}/${messageId}`, text);
      }
      case 'message.replaced': {
        const { channel, messageId, text, reason } = told.derived;
        if (channel === 'message' && told.role === 'execute') texts.set(messageId, text);
        if (channel === 'thought' && !verbose) return '';
        const more = lines.replace(`${channel}/${messageId}`, text);
        if (more !== null) return more;
        if (reason === 'withdrawn') return says(style.yellow('(the agent took this message back)'));
        return says(style.yellow('(the agent changed this message)'), safe(text));
      }
      case 'toolCall.started':
      case 'toolCall.updated':
        return tool(told.derived);
      case 'plan.updated': {
        const marks = { pending: '☐', in_progress: '▸', completed: '☑' } as const;
        return says(
          ...told.derived.entries.map((entry) => style.dim(`${marks[entry.status]} ${safeLine(entry.content)}`)),
        );
      }
      case 'turn.ended': {
        const { outcome, usage: used } = told.derived;
        acting = null;
        if (outcome.type === 'completed' && told.role === 'execute') {
          result = [...texts.values()].filter((text) => text.trim() !== '').join('\n\n');
        }
        const open = [...tools.values()].map((call) =>
          renderTool({ ...call, state: 'cancelled', reason: 'noResult' }, verbose, style),
        );
        const facts = [duration(told.at - turn.startedAt), usage(used), told.derived.models.map(safeLine).join(', ')];
        const how = outcomeWords(outcome);
        const left = terminals.running().map((line) => style.dim(line));
        const problem = how === '' ? [] : [style.red(how)];
        return says(
          ...open.flat(),
          ...left,
          ...problem,
          style.dim(facts.filter((fact) => fact !== '').join(' · ')),
          '',
        );
      }
      case 'permission.requested':
        questions.set(told.permissionId, told.derived);
        return lines.flush();
      case 'permission.resolved': {
        const request = questions.get(told.permissionId);
        questions.delete(told.permissionId);
        const line = settledLine(told, request, verbose);
        return line === '' ? '' : says(style.dim(line));
      }
      case 'request.moved': {
        const { method, subject, state, reason, why = '' } = told;
        if (state !== 'error' && state !== 'cancelled') return '';
        if (reason === 'stopped' && !verbose) return '';
        const word = reason === 'denied' ? 'refused' : (reason ?? 'failed');
        return says(style.yellow(`– ${word}: ${safeLine(method)} ${safeLine(subject)} (${safeLine(why)})`));
      }
      case 'terminal.started':
        act(`· $ ${safeLine(told.command)}`);
        return says(...terminals.started(told));
      case 'terminal.output':
        return says(...terminals.output(told));
      case 'terminal.ended':
        return says(...terminals.ended(told));
      case 'round.changes': {
        round.changed = changes(told.files);
        return says(`Changed: ${round.changed}`, ...fileLines(told.files), ...truthLines(told.truth, style), '');
      }
      case 'user.edited':
        return says(style.dim(`You changed ${safeLine(told.path)}`));
      case 'review.scored': {
        const { verdict, approved, blockedBy } = told;
        round.score = score(verdict.score);
        if (verdict.score !== null) scores.push(verdict.score);
        return says(renderVerdict(verdict, approved, blockedBy, run?.threshold ?? 0, style));
      }
      case 'finding.opened':
        findings.set(told.finding.id, told.finding);
        return '';
      case 'finding.updated': {
        const known = findings.get(told.id);
        if (known !== undefined) findings.set(told.id, told.finding ?? { ...known, status: told.status });
        const isClosed = !isOpen({ status: told.status });
        if (isClosed) round.fixed.push(told.status === 'fixed' ? told.id : `${told.id} (${told.status})`);
        return '';
      }
      case 'round.ended':
        return roundEnd(told.at);
      case 'diagnostic': {
        const { level, code, text } = told.derived;
        if (!verbose && level !== 'error' && !TOLD.includes(code)) return '';
        const line = `! ${name(told.role)}: ${safe(text).trimEnd()}`;
        return says(level === 'error' ? style.red(line) : style.yellow(line));
      }
      case 'checkpoint.created':
        return verbose ? says(style.dim(`checkpoint ${told.checkpoint.id.slice(0, 10)} ${told.checkpoint.label}`)) : '';
      case 'mode.updated':
        return verbose ? says(style.dim(`mode ${safeLine(told.derived.mode)}`)) : '';
      case 'options.updated': {
        const chosen = told.derived.options.map((one) => `${one.name}: ${one.value}`).join(', ');
        return verbose && chosen !== '' ? says(style.dim(safeLine(chosen))) : '';
      }
      case 'file.served': {
        const { operation, path, bytes, result } = told;
        if (!verbose) return '';
        const done = result === 'editor' || result === 'disk' ? `${count(bytes, 'byte')}, ${result}` : result;
        return says(style.dim(`${operation} ${safeLine(path)} (${done})`));
      }
      case 'unsaved.settled': {
        const list = (what: string, files: readonly string[]) =>
          files.length === 0 ? [] : [style.dim(`${what}: ${files.map(safeLine).join(', ')}`)];
        return says(...list('Saved before the agents go on', told.saved), ...list('Left unsaved', told.left));
      }
      case 'run.ended':
        acting = null;
        return lines.flush();
      case 'session.updated': {
        const agent = agents.get(told.role);
        const { version } = told.derived;
        if (agent === undefined || version === undefined || version === agent.version) return '';
        agents.set(told.role, { ...agent, version });
        return verbose ? says(style.dim(nameAndVersion({ ...agent, version }))) : '';
      }
      case 'usage.updated':
      case 'commands.updated':
        return '';
      case 'handover.started':
        return says(style.dim(`You go on with ${name(told.role)} in its own interface.`));
      case 'handover.ended':
        return says(style.dim(`You came back from ${name(told.role)}; what changed since is yours.`));
      case 'check.started':
        acting = {
          text: `Round ${round.number}/${run?.rounds ?? '?'} · check $ ${safeLine(told.command)}`,
          since: told.at,
        };
        return says(...checks.started(told));
      case 'check.output':
        return says(...checks.output(told));
      case 'check.ended':
        acting = null;
        return says(...checks.ended(told));
      case 'check.skipped':
      case 'checks.changed':
      case 'checks.wrote':
      case 'run.paused':
      case 'run.resumed':
      case 'user.note':
      case 'head.moved':
      case 'run.undone':
      case 'changes.reviewed':
      case 'worktree.settled':
        return says(...markLines(told, style));
      default:
        return told satisfies never;
    }
  }

  return { event, activity: () => acting, result: () => result, scores: () => scores };
}
