import type { TurnResult } from '../../src/agent/agent.ts';
import { readClaudeTurn } from '../agent/claudeTranscript.ts';
import { createGeminiTurn } from '../../src/agent/geminiTurn.ts';
import { parseReview } from '../../src/loop/review.ts';
import type { AgentEvent } from '../../src/shared/agentEvents.ts';
import type { WireObject } from '../../src/shared/wire.ts';
import { childEnv } from '../../src/transport/childEnv.ts';
import { spawnChild } from '../../src/transport/childProcess.ts';
import { createObjectParser } from '../../src/transport/ndjson.ts';
import { caseWord, type NdjsonInput, type Outcome } from './ndjson.ts';
import { cardsIn } from './ndjsonRpc.ts';

/** What a reader of one of the two stream-json wires made of a turn. */
interface Turn {
  readonly outcome: TurnResult['outcome'];
  readonly wire: WireObject | null;
  readonly texts: readonly string[];
  readonly sessionId: string | null;
  readonly events: readonly AgentEvent[];
}

/** Plays the lines to the reader of the wire; one that goes on living is written by a real process, which we then end. */
export async function playEvents(input: NdjsonInput, chunks: readonly Buffer[]): Promise<Outcome> {
  const living = input.eof ? null : await fromLivingProcess(chunks);
  const { lines, noise } = living ?? linesOf(chunks);
  const { code = 0, signal = null, stderr = '' } = input.exit ?? {};
  const exit = input.eof ? { code, signal, stderr } : null;
  const turn = input.protocol === 'claude-stream-json' ? readClaude(lines, exit) : readGemini(lines, exit);
  const { outcome, wire } = turn;
  const remarks = turn.events.flatMap((event) => (event.type === 'diagnostic' ? [event.derived.code] : []));
  const message = 'message' in outcome ? outcome.message : '';
  const told = /exit code (\d+)/.exec(message)?.[1];
  const text = turn.texts.join('');
  const review = parseReview(text, { threshold: 9 });
  return {
    run: outcome.type === 'completed' ? 'success' : outcome.type === 'cancelled' ? 'cancelled' : 'failed',
    session: turn.sessionId,
    text,
    reason: outcome.type === 'completed' ? null : wire === null ? 'no_result' : 'result_error',
    // Part of what a person reads, as is stderr.
    exit: told === undefined || !message.includes(exit?.stderr ?? '') ? null : Number(told),
    warnings: remarks.filter((remark) => remark === 'agentWarning').length,
    diagnostics: [...noise, ...remarks].filter((remark) => remark !== 'agentWarning').map(caseWord),
    cards: cardsIn(turn.events),
    review: `${review.status}/${review.reason}`,
    user_message: message,
    child_stopped: living?.stopped,
    max_seconds_after_result: living?.seconds,
  };
}

function readClaude(lines: readonly WireObject[], exit: Parameters<typeof readClaudeTurn>[1]): Turn {
  const { events, result, sessionId } = readClaudeTurn(lines, exit, '/w');
  return { outcome: result.outcome, wire: result.wire, texts: result.texts, sessionId, events };
}

function readGemini(lines: readonly WireObject[], exit: Parameters<typeof readClaudeTurn>[1]): Turn {
  const reader = createGeminiTurn();
  const events = lines.flatMap((line) => reader.push(line));
  const { outcome, wire, texts, sessionId } = reader.end(exit);
  return { outcome, wire, texts, sessionId, events };
}

interface Lines {
  readonly lines: WireObject[];
  readonly noise: string[];
}

function linesOf(chunks: readonly Buffer[]): Lines {
  const read: Lines = { lines: [], noise: [] };
  const parser = createObjectParser({
    onObject: (line) => read.lines.push(line),
    onDiagnostic: ({ code }) => read.noise.push(code),
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return read;
}

/** Writes the bytes it is given as base64, and then stays. */
const STAYS = `
  for (const chunk of process.argv.slice(1)) process.stdout.write(Buffer.from(chunk, 'base64'));
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
`;

async function fromLivingProcess(
  chunks: readonly Buffer[],
): Promise<Lines & { readonly stopped: boolean; readonly seconds: number }> {
  const child = spawnChild({
    command: process.execPath,
    args: ['-e', STAYS, ...chunks.map((chunk) => chunk.toString('base64'))],
    cwd: process.cwd(),
    env: childEnv(process.env),
  });
  const read: Lines = { lines: [], noise: [] };
  let markResult: () => void = () => undefined;
  const result = new Promise<void>((resolve) => {
    markResult = resolve;
  });
  const parser = createObjectParser({
    onDiagnostic: ({ code }) => read.noise.push(code),
    onObject: (line) => {
      read.lines.push(line);
      if (line.type === 'result') markResult();
    },
  });
  child.stdout.on('data', (chunk: Buffer) => parser.push(chunk));
  await Promise.race([result, child.exited]);
  const started = performance.now();
  const exit = await child.stop();
  return { ...read, stopped: exit.signal !== null || exit.code !== null, seconds: (performance.now() - started) / 1000 };
}
