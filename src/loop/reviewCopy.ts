import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isInside } from '../workspace/isInside.ts';

/** A folder of its own for a reviewer that has no mode in which it only reads. */
export interface ReviewCopy {
  /** Absolute, links resolved, outside of the run's folder; empty until it is filled. */
  readonly folder: string;
  /** Removes it with all that is in it. Safe more than once. Never rejects. */
  remove(): Promise<void>;
}

/** Makes the folder: among the system's temporary ones, or beside the runs where those lie in the run's folder. */
export function makeReviewCopy(runFolder: string, stateFolder: string): ReviewCopy {
  const temporary = fs.realpathSync(os.tmpdir());
  const isFree = temporary !== runFolder && !isInside(temporary, runFolder);
  const parent = isFree ? temporary : path.join(fs.realpathSync(stateFolder), 'reviews');
  fs.mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = fs.mkdtempSync(path.join(parent, 'cgloop-review-'));
  return {
    folder,
    async remove() {
      // An agent that was ended just now may still hold a file open (Windows).
      await fs.promises.rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
    },
  };
}
