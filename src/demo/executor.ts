import fs from 'node:fs';
import path from 'node:path';
import { createClaudeWire } from './claudeWire.ts';
import { createPace, type Pace } from './pace.ts';
import { isObject, type JsonObject, readObjects, type Surroundings, text } from './peer.ts';
import { type Files, type Places, placesIn, type Step, workOf } from './story.ts';

type Input = { readonly [key: string]: string };

/** What became of one tool call; `why` is the person's word for a refusal. */
type Answer = { readonly type: 'allow'; readonly input: Input } | { readonly type: 'deny'; readonly why: string };

interface Question {
  readonly requestId: string;
  readonly settle: (answer: Answer) => void;
}

interface Turn {
  readonly stop: AbortController;
  question: Question | null;
}

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";

/**
 * The demo executor: a peer that speaks Claude Code's stream-json on both sides, with permission prompts over stdio, and
 * really reads and writes the two files of the story in its folder. Ends with its input.
 */
export function runExecutor(surroundings: Surroundings): void {
  const { folder, args, env } = surroundings;
  const pace = createPace(env.CGLOOP_DEMO_SPEED);
  const wire = createClaudeWire(surroundings);
  let mode = argument(args, '--permission-mode') ?? 'default';
  let turns = 0;
  let asked = 0;
  let turn: Turn | null = null;

  readObjects(surroundings.input, onLine, () => {
    turn?.stop.abort();
    surroundings.exit(0);
  });

  function onLine(line: JsonObject): void {
    if (line.type === 'user') void work();
    else if (line.type === 'control_request' && isObject(line.request)) onControl(text(line.request_id), line.request);
    else if (line.type === 'control_response' && isObject(line.response)) onAnswer(line.response);
  }

  function onControl(requestId: string, request: JsonObject): void {
    switch (request.subtype) {
      case 'initialize':
        wire.respond(requestId, {
          commands: [],
          agents: [],
          output_style: 'default',
          available_output_styles: ['default'],
          models: [{ value: 'default', resolvedModel: wire.model, displayName: 'Demo', description: 'A script' }],
          account: { tokenSource: 'none', apiProvider: 'demo' },
          pid: process.pid,
        });
        return;
      case 'interrupt':
        if (turn?.question) wire.send({ type: 'control_cancel_request', request_id: turn.question.requestId });
        wire.respond(requestId);
        turn?.stop.abort();
        return;
      case 'set_permission_mode':
        mode = text(request.mode);
        wire.respond(requestId, { mode });
        return;
      case 'set_model':
        wire.respond(requestId);
        return;
      default:
        wire.refuse(requestId, `unsupported: ${text(request.subtype)}`);
    }
  }

  function onAnswer(response: JsonObject): void {
    const question = turn?.question;
    if (!question || response.request_id !== question.requestId) return;
    const answer = isObject(response.response) ? response.response : {};
    // As in the real program, an allow without its input is a refusal (14-permission-allow-without-updatedInput).
    if (answer.behavior === 'allow' && isObject(answer.updatedInput)) {
      question.settle({ type: 'allow', input: strings(answer.updatedInput) });
    } else {
      question.settle({ type: 'deny', why: text(answer.message) || REFUSED });
    }
  }

  async function work(): Promise<void> {
    if (turn !== null) return;
    const stop = new AbortController();
    const now: Turn = { stop, question: null };
    turn = now;
    wire.startTurn(mode);
    let inTool = false;
    try {
      const places = placesIn((relative) => fs.existsSync(path.join(folder, relative)));
      const plan = workOf(++turns, filesOf(folder, places), places);
      await pace(300, stop.signal);
      await wire.stream([{ type: 'thinking', thinking: plan.thought }], pace, stop.signal);
      await wire.stream([{ type: 'text', text: plan.opening }], pace, stop.signal);
      let closing = plan.closing;
      for (const step of plan.steps) {
        const target = path.join(folder, step.path);
        if (fs.existsSync(target)) {
          inTool = true;
          await readFile(target, pace, stop.signal);
        }
        inTool = true;
        const why = await change(now, step, target);
        inTool = false;
        if (why !== null) closing = `I was not allowed to change \`${step.path}\`: ${why}\n`;
      }
      await wire.stream([{ type: 'text', text: closing }], pace, stop.signal);
      wire.endTurn(closing);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      wire.interruptTurn(inTool);
    } finally {
      turn = null;
    }
  }

  async function readFile(target: string, paceOf: Pace, stopped: AbortSignal): Promise<void> {
    const id = await wire.toolUse('Read', { file_path: target }, paceOf, stopped);
    const content = fs.readFileSync(target, 'utf8');
    const numbered = content.split('\n').map((one, index) => `${index + 1}\t${one}`);
    const file = { filePath: target, content, numLines: numbered.length, startLine: 1, totalLines: numbered.length };
    wire.toolResult(id, numbered.join('\n'), false, { type: 'text', file });
  }

  /** One Write or Edit, asked for where the mode wants it. Gives the reason of a refusal. */
  async function change(now: Turn, step: Step, target: string): Promise<string | null> {
    const input: Input =
      step.tool === 'Write'
        ? { file_path: target, content: step.content }
        : { file_path: target, old_string: step.old, new_string: step.new };
    const id = await wire.toolUse(step.tool, input, pace, now.stop.signal);
    const free = mode === 'acceptEdits' || mode === 'bypassPermissions';
    const answer: Answer = free ? { type: 'allow', input } : await ask(now, step, input, id);
    now.stop.signal.throwIfAborted();
    if (answer.type === 'deny') {
      wire.toolResult(id, answer.why, true, `Error: ${answer.why}`);
      wire.denied({ tool_name: step.tool, tool_use_id: id, tool_input: input });
      return answer.why;
    }
    await pace(200, now.stop.signal);
    apply(step.tool, answer.input, id);
    return null;
  }

  function ask(now: Turn, step: Step, input: Input, toolUseId: string): Promise<Answer> {
    const requestId = `demo-ask-${++asked}`;
    return new Promise((resolve) => {
      // Every way out of a question goes through here, so that none is left open.
      const settle = (answer: Answer) => {
        now.question = null;
        now.stop.signal.removeEventListener('abort', onStop);
        wire.state('running');
        resolve(answer);
      };
      const onStop = () => {
        wire.toolResult(toolUseId, REFUSED, true, 'User rejected tool use');
        settle({ type: 'deny', why: REFUSED });
      };
      now.stop.signal.addEventListener('abort', onStop);
      now.question = { requestId, settle };
      wire.send({
        type: 'control_request',
        request_id: requestId,
        request: {
          subtype: 'can_use_tool',
          tool_name: step.tool,
          display_name: step.tool,
          input,
          description: step.path,
          permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
          tool_use_id: toolUseId,
        },
      });
      wire.state('requires_action');
    });
  }

  function apply(tool: Step['tool'], input: Input, id: string): void {
    const target = input.file_path ?? '';
    const originalFile = fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : null;
    const { old_string: oldString = '', new_string: newString = '', content = '' } = input;
    const common = { filePath: target, originalFile, structuredPatch: [], userModified: false };
    if (tool === 'Edit') {
      if (originalFile === null || !originalFile.includes(oldString)) {
        const problem = `String to replace not found in file.\nString: ${oldString}`;
        wire.toolResult(id, `<tool_use_error>${problem}</tool_use_error>`, true, `Error: ${problem}`);
        return;
      }
      fs.writeFileSync(
        target,
        originalFile.replace(oldString, () => newString),
      );
      const said = `The file ${target} has been updated successfully.`;
      wire.toolResult(id, said, false, { ...common, oldString, newString, replaceAll: false });
      return;
    }
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, content);
    const created = originalFile === null;
    const said = created
      ? `File created successfully at: ${target}`
      : `The file ${target} has been updated successfully.`;
    wire.toolResult(id, said, false, { ...common, type: created ? 'create' : 'update', content });
  }
}

function filesOf(folder: string, places: Places): Files {
  return { code: readIn(folder, places.code), test: readIn(folder, places.test) };
}

function readIn(folder: string, relative: string): string | null {
  const file = path.join(folder, relative);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
}

function argument(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
}

function strings(object: JsonObject): Input {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}
