import fs from 'node:fs';
import path from 'node:path';
import { createPace, pieces } from './pace.ts';
import { createSend, isObject, type JsonObject, readObjects, type Surroundings, text } from './peer.ts';
import { type DemoReview, type Files, placesIn, reviewOf, scenarioOf, TITLES } from './story.ts';

const MODES = [
  { id: 'default', name: 'Default', description: 'Prompts for approval' },
  { id: 'autoEdit', name: 'Auto Edit', description: 'Auto-approves edit tools' },
  { id: 'plan', name: 'Plan', description: 'Read-only mode' },
];

/**
 * The demo reviewer: an ACP agent (protocol version 1) that really reads the two files of the story in the session's
 * folder and reviews what stands there. It never asks to write. Ends with its input.
 */
export function runReviewer(surroundings: Surroundings): void {
  const { env } = surroundings;
  const pace = createPace(env.CGLOOP_DEMO_SPEED);
  const send = createSend(surroundings.output);
  const folders = new Map<string, string>();
  let calls = 0;
  let running: AbortController | null = null;

  readObjects(surroundings.input, onMessage, () => {
    running?.abort();
    surroundings.exit(0);
  });

  const respond = (id: unknown, result: object) => send({ jsonrpc: '2.0', id, result });
  const fail = (id: unknown, code: number, message: string) => send({ jsonrpc: '2.0', id, error: { code, message } });

  function onMessage({ id, method, params }: JsonObject): void {
    if (typeof method !== 'string') return;
    const given = isObject(params) ? params : {};
    const sessionId = text(given.sessionId);
    if (method === 'session/cancel') {
      running?.abort();
      return;
    }
    if (id === undefined) return;
    if (method.startsWith('session/') && method !== 'session/new' && !folders.has(sessionId)) {
      fail(id, -32602, `Session not found: ${sessionId}`);
      return;
    }
    switch (method) {
      case 'initialize':
        respond(id, {
          protocolVersion: 1,
          agentInfo: { name: 'cgloop-demo-reviewer', title: 'Demo Reviewer', version: '1.0.0' },
          agentCapabilities: {
            loadSession: false,
            promptCapabilities: { image: false, audio: false, embeddedContext: false },
            mcpCapabilities: { http: false, sse: false },
          },
          authMethods: [],
        });
        return;
      case 'session/new': {
        const session = `demo-session-${folders.size + 1}`;
        folders.set(session, text(given.cwd) || surroundings.folder);
        respond(id, { sessionId: session, modes: { availableModes: MODES, currentModeId: 'default' } });
        return;
      }
      case 'session/set_mode':
        if (MODES.some((mode) => mode.id === given.modeId)) respond(id, {});
        else fail(id, -32602, `Unknown mode: ${text(given.modeId)}`);
        return;
      case 'session/prompt':
        void prompt(id, sessionId, promptText(given.prompt));
        return;
      default:
        fail(id, -32601, `"Method not found": ${method}`);
    }
  }

  async function prompt(id: unknown, sessionId: string, asked: string): Promise<void> {
    running?.abort();
    const stop = new AbortController();
    running = stop;
    try {
      await review(sessionId, asked, stop.signal);
      const tokens = { input_tokens: Math.ceil(asked.length / 4), output_tokens: 300 };
      const usage = [{ model: 'demo-reviewer', token_count: tokens }];
      respond(id, { stopReason: 'end_turn', _meta: { quota: { token_count: tokens, model_usage: usage } } });
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      respond(id, { stopReason: 'cancelled' });
    } finally {
      if (running === stop) running = null;
    }
  }

  async function review(sessionId: string, asked: string, stopped: AbortSignal): Promise<void> {
    const folder = folders.get(sessionId) ?? surroundings.folder;
    const update = (fields: object) =>
      send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: fields } });
    const say = async (sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk', whole: string) => {
      for (const piece of pieces(whole)) {
        await pace(30, stopped);
        update({ sessionUpdate, content: { type: 'text', text: piece } });
      }
    };
    const readFile = async (relative: string): Promise<string | null> => {
      const file = path.join(folder, relative);
      const toolCallId = `read_file__demo_${++calls}`;
      const common = { toolCallId, title: relative, kind: 'read', content: [], locations: [{ path: file }] };
      update({ sessionUpdate: 'tool_call', status: 'in_progress', ...common });
      await pace(250, stopped);
      const there = fs.existsSync(file);
      const missing = [{ type: 'content', content: { type: 'text', text: `File not found: ${file}` } }];
      const result = there ? { status: 'completed' } : { status: 'failed', content: missing };
      update({ sessionUpdate: 'tool_call_update', ...common, ...result });
      return there ? fs.readFileSync(file, 'utf8') : null;
    };

    await pace(300, stopped);
    await say('agent_thought_chunk', '**Reading the work**\nI look at the function and its tests before I judge.');
    const places = placesIn((relative) => fs.existsSync(path.join(folder, relative)));
    const files: Files = { code: await readFile(places.code), test: await readFile(places.test) };
    const found = reviewOf(files, places, scenarioOf(env, asked));
    await say('agent_message_chunk', reviewText(found, openIn(asked)));
  }
}

/** The review as a reviewer writes it: prose, the verdict as JSON, and the word on the last line. */
function reviewText(review: DemoReview, open: ReadonlyMap<string, string>): string {
  const now = new Map(review.findings.map((finding) => [finding.title, finding]));
  const previous = [...open].map(([id, title]) => ({ id, status: now.has(title) ? 'open' : 'fixed' }));
  const known = new Set(open.values());
  const verdict = {
    score: review.score,
    approved: review.approved,
    summary: review.summary,
    findings: review.findings.filter((finding) => !known.has(finding.title)),
    previous,
    suggestions: review.approved ? [] : ['Go through the findings one by one.'],
  };
  const fixed = previous.filter((one) => one.status === 'fixed').length;
  const opening =
    fixed > 0 ? `${fixed} of ${previous.length} earlier findings are fixed. ${review.summary}` : review.summary;
  const json = `\`\`\`json\n${JSON.stringify(verdict, null, 2)}\n\`\`\`\n`;
  return `${opening}\n\n${json}${review.approved ? '\nAPPROVED' : ''}`;
}

/** The open findings that the prompt names, id → title: an id stands before its title on the same line. */
function openIn(prompt: string): ReadonlyMap<string, string> {
  const open = new Map<string, string>();
  for (const line of prompt.split('\n')) {
    for (const title of Object.values(TITLES)) {
      const id = line.includes(title) ? /\bF\d+\b/.exec(line.slice(0, line.indexOf(title)))?.[0] : undefined;
      if (id !== undefined) open.set(id, title);
    }
  }
  return open;
}

function promptText(blocks: unknown): string {
  if (!Array.isArray(blocks)) return '';
  return blocks.map((block: unknown) => (isObject(block) ? text(block.text) : '')).join('\n');
}
