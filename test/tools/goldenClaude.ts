import { CLAUDE_DEPS, createClaudeAgent } from '../../src/agent/claudeCli.ts';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { PermissionAnswer, PermissionMode, PermissionOption } from '../../src/shared/permission.ts';
import type { FormValues, QuestionForm } from '../../src/shared/question.ts';
import type { Json, WireObject } from '../../src/shared/wire.ts';
import { createGoldenPeer } from './goldenPeer.ts';
import { createGoldenRun, type OpenQuestion } from './goldenRun.ts';
import type { Row, Transcript } from './goldenTranscript.ts';

/**
 * Replays a recording against our Claude Code agent: what the CLI said in its recorded order, and on our side the
 * prompts, answers and interrupts of then. A prompt that was sent into a running turn waits for its end, as in a run.
 */
export async function replayClaude({ args, rows }: Transcript): Promise<string> {
  const run = createGoldenRun();
  const peer = createGoldenPeer(run);
  /** Recorded request id → the id of ours. */
  const ids = new Map<Json, Json>();
  /** The CLI's request id → our question. */
  const asked = new Map<Json, OpenQuestion>();
  const queued: string[] = [];
  let started: Promise<boolean> | null = null;
  let up = false;

  const agent = createClaudeAgent(
    {
      launch: {
        ref: { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null },
        command: '/bin/claude',
        args: [],
        env: {},
      },
      role: 'execute',
      folder: '/project',
      mode: modeOf(args),
      trusted: true,
      model: null,
      permissions: run.permissions,
      emit: run.emit,
    },
    {
      ...CLAUDE_DEPS,
      spawn: () => peer.child,
      env: {},
      readFile: async () => ({ type: 'missing' }),
      idleMs: 60_000,
    },
  );

  const start = (): void => {
    started ??= run.start(agent).then((ready) => {
      up = ready;
      return ready;
    });
  };
  /** Starts the agent; the CLI's recorded answer comes later, or there is none and it is an empty one. */
  const startWithoutAnswer = async (): Promise<void> => {
    if (started !== null) return;
    start();
    await run.settle();
    for (const { request_id: id = null } of peer.take()) peer.sayObject(responseTo(id));
    await run.settle();
  };
  const prompt = (text: string): void => {
    if (up && !run.isPrompting()) run.prompt(agent, text);
    else queued.push(text);
  };
  /** Sends what waited, if the CLI has a turn for it: one that was merged into another has none (91-steer-during-tool). */
  const promptQueued = async (rest: readonly Row[]): Promise<void> => {
    const hasTurn = rest.some((row) => row.dir === 'out' && row.line?.subtype === 'init');
    if (!up || run.isPrompting() || !hasTurn) return;
    const next = queued.shift();
    if (next === undefined) return;
    run.prompt(agent, next);
    await run.settle();
    peer.take();
  };

  async function wrote(line: WireObject): Promise<void> {
    const { type, message, request, request_id: id = null, response } = line;
    if (type === 'user') {
      await startWithoutAnswer();
      prompt(textOf(message));
      return;
    }
    if (isWireObject(response)) {
      const question = asked.get(response.request_id ?? null);
      if (question !== undefined) run.answer(question.permissionId, answerOf(response.response, question));
      return;
    }
    if (!isWireObject(request)) return;
    if (request.subtype === 'initialize' && started === null) start();
    else if (request.subtype === 'interrupt') run.cancel();
    await run.settle();
    const ours = peer.take().find((sent) => isWireObject(sent.request) && sent.request.subtype === request.subtype);
    if (ours !== undefined) ids.set(id, ours.request_id ?? null);
  }

  const promptArgument = args[args.indexOf('-p') + 1] ?? 'go';
  if (!rows.some((row) => row.dir === 'in')) {
    await startWithoutAnswer();
    prompt(promptArgument);
  }
  for (const [index, row] of rows.entries()) {
    run.at(row);
    if (row.dir === 'in') {
      if (row.line !== undefined) await wrote(row.line);
    } else if (row.dir === 'out') {
      await startWithoutAnswer();
      const known = run.questions();
      const { type, response, request_id: id } = row.line ?? {};
      if (type === 'control_response' && isWireObject(response)) {
        const ours = ids.get(response.request_id ?? null);
        if (ours === undefined) run.remark('an answer to what our client does not send');
        else peer.say(row, { ...row.line, response: { ...response, request_id: ours } });
      } else peer.say(row);
      await run.settle();
      const [question] = run.questions().filter((one) => !known.includes(one));
      if (id !== undefined && question !== undefined) asked.set(id, question);
    } else if (row.dir === 'err') peer.warn(row.text);
    else if (row.dir === 'exit') peer.exit(row);
    else if (row.dir === 'eof' && !run.isPrompting()) await agent.dispose();
    await run.settle();
    peer.take();
    await promptQueued(rows.slice(index + 1));
  }
  await agent.dispose();
  await run.settle();
  peer.take();
  return run.finish();
}

function responseTo(id: Json): WireObject {
  return { type: 'control_response', response: { subtype: 'success', request_id: id, response: {} } };
}

function modeOf(args: readonly string[]): PermissionMode {
  switch (args[args.indexOf('--permission-mode') + 1]) {
    case 'acceptEdits':
      return 'edits';
    case 'plan':
      return 'read-only';
    default:
      return 'ask';
  }
}

/** A prompt's text; of several blocks the first that has one. */
function textOf(message: Json | undefined): string {
  const content = isWireObject(message) ? message.content : '';
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content : [];
  return (
    blocks.flatMap((block) => (isWireObject(block) && typeof block.text === 'string' ? [block.text] : []))[0] ?? ''
  );
}

/** The option of ours that comes nearest to the recorded answer; one that is no answer refuses. */
function answerOf(response: Json | undefined, { derived }: OpenQuestion): PermissionAnswer {
  const { behavior, message, updatedInput, updatedPermissions } = isWireObject(response) ? response : {};
  const select = (wanted: (option: PermissionOption) => boolean, form?: FormValues): PermissionAnswer => {
    const option = derived.options.find(wanted);
    if (option === undefined) return { outcome: 'cancelled' };
    const words = typeof message === 'string' ? { message } : {};
    return { outcome: 'selected', optionId: option.optionId, ...words, ...(form === undefined ? {} : { form }) };
  };
  if (behavior !== 'allow') return select(({ kind }) => kind === 'reject_once');
  const answers = isWireObject(updatedInput) && isWireObject(updatedInput.answers) ? updatedInput.answers : null;
  if (answers !== null) return select(({ kind }) => kind === 'allow_once', valuesOf(derived.form, answers));
  const always = Array.isArray(updatedPermissions) && derived.options.some(({ kind }) => kind === 'allow_always');
  return select(({ kind }) => kind === (always ? 'allow_always' : 'allow_once'));
}

/** Recorded labels by question, as values of our form's fields. */
function valuesOf(form: QuestionForm | undefined, answers: WireObject): FormValues {
  return Object.fromEntries(
    (form?.fields ?? []).flatMap(({ id, label, type }): [string, string | readonly string[]][] => {
      const answer = answers[label];
      if (typeof answer !== 'string') return [];
      return [[id, type === 'choices' ? answer.split(', ') : answer]];
    }),
  );
}
