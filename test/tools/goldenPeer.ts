import type { WireObject } from '../../src/shared/wire.ts';
import { createFakePeer, type FakePeer } from '../fakes/acpPeer.ts';
import type { GoldenRun } from './goldenRun.ts';
import type { Row } from './goldenTranscript.ts';

type Said = Extract<Row, { dir: 'out' }>;

/** The recorded program in memory: a child whose output is the transcript's, byte for byte, cut in the middle of lines. */
export interface GoldenPeer {
  readonly child: FakePeer;
  /** Says a row, or another object in its place. */
  say(row: Said, instead?: WireObject): void;
  /** Answers something that the recording holds no answer to. */
  sayObject(object: WireObject): void;
  warn(text: string): void;
  exit(row: Extract<Row, { dir: 'exit' }>): void;
  /** What our side sent and nobody has taken yet. */
  take(): readonly WireObject[];
}

export function createGoldenPeer(run: GoldenRun): GoldenPeer {
  const child = createFakePeer();
  let stderr = '';
  let taken = 0;
  let gone = false;

  const push = (bytes: Buffer): void => {
    // Odd pieces: a line and a character may be cut anywhere on its way.
    const cut = Math.floor(bytes.length / 3);
    for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) if (piece.length > 0) child.sendRaw(piece);
  };

  return {
    child,
    say(row, instead) {
      if (instead !== undefined) run.madeUp(instead);
      const text = row.text ?? JSON.stringify(instead ?? row.line);
      push(Buffer.from(row.newline === false ? text : `${text}\n`));
    },
    sayObject(object) {
      run.madeUp(object);
      push(Buffer.from(`${JSON.stringify(object)}\n`));
    },
    warn(text) {
      stderr += text;
    },
    exit({ code, signal }) {
      if (gone) return;
      gone = true;
      child.exit({ code, signal }, stderr);
    },
    take() {
      const fresh = child.received.slice(taken);
      taken = child.received.length;
      for (const message of fresh) run.sent(message);
      return fresh;
    },
  };
}
