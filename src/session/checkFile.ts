import path from 'node:path';
import * as z from 'zod';
import { addLine, readLines, writeLines } from './lineFile.ts';
import { folderFile } from './ruleFile.ts';

/** A check that the person lets run in a folder without being asked again. */
export interface ConfirmedCheck {
  /** The exact text. */
  readonly command: string;
  /** Digest of what it was defined to run when it was confirmed: another definition is another check. */
  readonly definition: string;
}

const FORMAT = {
  format: 'cgloop-checks',
  schema: z.object({ command: z.string().min(1).max(10_000), definition: z.string().regex(/^[0-9a-f]{64}$/) }),
};

/**
 * The checks that are confirmed for a folder (absolute, links resolved), the newest word on each. They lie in the state
 * folder, beside the rules, and never in the folder itself. Rejects with `LineFileError`.
 */
export async function readConfirmed(stateFolder: string, folder: string): Promise<readonly ConfirmedCheck[]> {
  const all = await readLines(checkFile(stateFolder, folder), FORMAT);
  return [...new Map(all.map((one) => [one.command, one])).values()];
}

/** Stores one more, or another definition of it. */
export async function addConfirmed(stateFolder: string, folder: string, check: ConfirmedCheck): Promise<void> {
  await addLine(checkFile(stateFolder, folder), FORMAT, check);
}

/** Replaces them as a whole. */
export async function writeConfirmed(
  stateFolder: string,
  folder: string,
  checks: readonly ConfirmedCheck[],
): Promise<void> {
  await writeLines(checkFile(stateFolder, folder), FORMAT, checks);
}

function checkFile(stateFolder: string, folder: string): string {
  return path.join(stateFolder, 'checks', folderFile(folder));
}
