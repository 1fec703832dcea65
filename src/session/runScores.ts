import fs from 'node:fs';
import path from 'node:path';
import { LOG_NAME } from './logFormat.ts';
import { createLogReader } from './logReader.ts';

/** What lists of runs tell of the rounds of a run. */
export interface RunScores {
  /** The score of each round that was reviewed, in order; null: the review gave none. */
  readonly scores: readonly (number | null)[];
  /** Rounds that were begun. */
  readonly rounds: number;
}

const MARKS = [Buffer.from('"review.scored"'), Buffer.from('"round.started"')];

/**
 * The scores of a run's rounds. Looks through the whole log for the lines that tell them and reads no others, so that
 * a long run costs little more than the reading of its file. Rejects when there is no log.
 */
export async function scoresOf(directory: string): Promise<RunScores> {
  const byRound = new Map<number, number | null>();
  let rounds = 0;
  let header: Buffer | null = null;
  let rest = Buffer.alloc(0);
  for await (const chunk of fs.createReadStream(path.join(directory, LOG_NAME), { highWaterMark: 1024 * 1024 })) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    if (end === 0) continue;
    header ??= Buffer.from(bytes.subarray(0, bytes.indexOf(10) + 1));
    for (const line of tellingLines(bytes.subarray(0, end))) {
      // One reader a line: between two of them others are left out.
      for (const event of await createLogReader(directory, 'anywhere').push(Buffer.concat([header, line]))) {
        if (event.type === 'round.started') rounds = Math.max(rounds, event.round);
        else if (event.type === 'review.scored') byRound.set(event.round, event.verdict.score);
      }
    }
  }
  return { scores: [...byRound].sort(([a], [b]) => a - b).map(([, score]) => score), rounds };
}

function tellingLines(bytes: Buffer): readonly Buffer[] {
  const starts = new Set<number>();
  for (const mark of MARKS) {
    for (let at = bytes.indexOf(mark); at >= 0; ) {
      starts.add(bytes.lastIndexOf(10, at) + 1);
      at = bytes.indexOf(mark, bytes.indexOf(10, at));
    }
  }
  return [...starts].sort((a, b) => a - b).map((start) => bytes.subarray(start, bytes.indexOf(10, start) + 1));
}
