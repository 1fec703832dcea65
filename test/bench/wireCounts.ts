// `node wireCounts.cjs RECORDED`: counts what an agent's messages go through and what becomes of them, and prints it as
// one JSON object. RECORDED holds `Recorded` as JSON.
import { channel } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { createAcpAgent } from '../../src/agent/acpAgent.ts';
import { ACP_DEPS } from '../../src/agent/acpDeps.ts';
import { createClaudeReader } from '../../src/agent/deriveClaude.ts';
import { createGeminiTurn } from '../../src/agent/geminiTurn.ts';
import { prompt } from '../../src/protocol/acpRequests.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import type { WireObject } from '../../src/shared/wire.ts';
import { spawnChild } from '../../src/transport/childProcess.ts';
import { createConnection } from '../../src/transport/connection.ts';

/** Recorded messages of each wire, a list a process. */
export interface Recorded {
  readonly claude: readonly (readonly WireObject[])[];
  readonly gemini: readonly (readonly WireObject[])[];
}

export interface WireCounts {
  /** Messages and validations of them, by wire. */
  readonly validations: Readonly<
    Record<'acp' | 'claude' | 'gemini', { readonly messages: number; readonly done: number }>
  >;
  /** Updates of bursts that no event came of, and turns without their end. */
  readonly lost: number;
  readonly bursts: number;
  /** Requests that were pending when their child was killed, and those of them that were settled in time. */
  readonly pending: number;
  readonly settledInTime: number;
}

const UPDATES = 2_000;
const BURSTS = 5;
const KILLS = 10;
const REQUESTS = 20;
const IN_TIME_MS = 100;
const env = { PATH: process.env.PATH ?? '' };

let validations = 0;
channel('cgloop.validated').subscribe(() => {
  validations++;
});

/** An agent that answers its prompt with many updates, the response and its end, all at once. */
const BURSTING = `
  const answers = {
    initialize: { protocolVersion: 1 },
    'session/new': { sessionId: 's' },
    'session/prompt': { stopReason: 'end_turn' },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const text = (n) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: n + ' ' } });
    const update = (n) => ({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update: text(n) } });
    const updates = method === 'session/prompt' ? Array.from({ length: ${UPDATES} }, (_, n) => update(n)) : [];
    const lines = [...updates, { jsonrpc: '2.0', id, result: answers[method] }];
    const isLast = method === 'session/prompt';
    process.stdout.write(lines.map((one) => JSON.stringify(one) + '\\n').join(''), () => isLast && process.exit(0));
  });
`;

/** Gives how many of the updates and ends were lost. */
async function burst(): Promise<number> {
  const events: AgentEvent[] = [];
  const ref = { id: 'bursting', name: 'Bursting', protocol: 'acp', version: null } as const;
  const agent = createAcpAgent(
    {
      launch: { ref, command: process.execPath, args: ['-e', BURSTING], env: {} },
      role: 'review',
      folder: process.cwd(),
      mode: 'read-only',
      trusted: true,
      model: null,
      permissions: { request: async () => ({ outcome: 'cancelled' }) },
      emit: (event) => events.push(event),
    },
    { ...ACP_DEPS, env },
  );
  const { outcome } = await agent.prompt('go', new AbortController().signal);
  await agent.dispose();
  const told = events.flatMap((event) => (event.type === 'message.chunk' ? [event.derived.text] : [])).join('');
  const numbers = new Set(told.split(' ').filter(Boolean));
  return UPDATES - numbers.size + (outcome.type === 'completed' ? 0 : 1);
}

/** Gives how many of the pending requests were settled in time once their child was killed. */
async function kill(): Promise<number> {
  const child = spawnChild({ command: 'sleep', args: ['600'], cwd: '/', env });
  const connection = createConnection(child, { notifications: new Map(), requests: new Map(), onRemark: () => {} });
  let killedAt = Number.POSITIVE_INFINITY;
  const asked = Array.from({ length: REQUESTS }, async () => {
    await connection.request(prompt, { sessionId: 's', prompt: [] }).catch(() => undefined);
    return performance.now() - killedAt <= IN_TIME_MS;
  });
  await new Promise((resolve) => setImmediate(resolve));
  killedAt = performance.now();
  if (child.pid !== null) process.kill(child.pid, 'SIGKILL');
  return (await Promise.all(asked)).filter((inTime) => inTime).length;
}

/** Counts the messages and validations of one part of the program. */
async function counted(work: () => Promise<number> | number) {
  const before = validations;
  const messages = await work();
  return { messages, done: validations - before };
}

async function main(): Promise<WireCounts> {
  const recorded: Recorded = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
  let lost = 0;
  const acp = await counted(async () => {
    for (let n = 0; n < BURSTS; n++) lost += await burst();
    // With the answers of `initialize`, `session/new` and `session/prompt`.
    return BURSTS * (UPDATES + 3);
  });
  const claude = await counted(() => {
    for (const lines of recorded.claude) {
      const reader = createClaudeReader('/project');
      reader.beginTurn();
      for (const line of lines) reader.push(line);
    }
    return recorded.claude.flat().length;
  });
  const gemini = await counted(() => {
    for (const lines of recorded.gemini) {
      const turn = createGeminiTurn();
      for (const line of lines) turn.push(line);
    }
    return recorded.gemini.flat().length;
  });
  let settledInTime = 0;
  for (let n = 0; n < KILLS; n++) settledInTime += await kill();
  return {
    validations: { acp, claude, gemini },
    lost,
    bursts: BURSTS,
    pending: KILLS * REQUESTS,
    settledInTime,
  };
}

void main().then((counts) => process.stdout.write(`${JSON.stringify(counts)}\n`));
