import { createGeminiTurn } from '../../src/agent/geminiTurn.ts';
import { createObjectParser } from '../../src/transport/ndjson.ts';
import { createGoldenPeer } from './goldenPeer.ts';
import { createGoldenRun } from './goldenRun.ts';
import type { Transcript } from './goldenTranscript.ts';

/** Replays a recording of one headless turn against the reader of its stream, which is ended by the process's end. */
export async function replayGemini({ rows }: Transcript): Promise<string> {
  const run = createGoldenRun();
  const peer = createGoldenPeer(run);
  const turn = createGeminiTurn();
  const of = { turn: 1, role: 'review' } as const;
  let stderr = '';

  const parser = createObjectParser({
    onObject: (raw) => {
      for (const event of turn.push(raw)) run.append({ ...event, ...of });
      if (turn.ended()) run.remark('the turn is over');
    },
    onDiagnostic: ({ code, text }) => {
      const derived = { source: 'transport', level: 'info', code, text } as const;
      run.append({ type: 'diagnostic', ...of, wire: null, derived });
    },
  });
  peer.child.stdout.on('data', (bytes: Buffer) => parser.push(bytes));
  run.append({ type: 'turn.started', ...of, prompt: '', wire: { sessionId: null, model: null } });
  let exit: { readonly code: number | null; readonly signal: string | null } | null = null;
  for (const row of rows) {
    run.at(row);
    if (row.dir === 'out') peer.say(row);
    else if (row.dir === 'err') stderr += row.text;
    else if (row.dir === 'exit') exit = row;
    await run.settle();
  }
  parser.end();
  const { events, wire, outcome, usage, models, texts } = turn.end(exit === null ? null : { ...exit, stderr });
  for (const event of events) run.append({ ...event, ...of });
  run.append({ type: 'turn.ended', ...of, wire, derived: { outcome, usage, models } });
  run.ended({ turn: 1, result: { wire, outcome, usage, models, texts, denials: [] } });
  return run.finish();
}
