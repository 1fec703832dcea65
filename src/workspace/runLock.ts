import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../shared/errors.ts';
import { claimFile, type Face, holderOf, type Owner, releaseFile } from './claim.ts';
import { isInside } from './isInside.ts';
import { ownIdentity } from './processIdentity.ts';

export type RunLock =
  | { readonly type: 'acquired'; readonly release: () => Promise<void> }
  /** `by.folder` is the folder, one above it, or one inside it. */
  | { readonly type: 'held'; readonly by: Owner };

/**
 * One writing run a tree: locks `folder`, unless a living process holds it, a folder above it or one inside it.
 * Shared by every face that uses the same state folder. Two runs that reach for a folder and one inside it in the same
 * instant may both be refused, never both served. Rejects only when the disk does (no such folder, no room, no right).
 */
export async function acquireRunLock(options: {
  readonly folder: string;
  readonly stateFolder: string;
  readonly runId: string;
  readonly face?: Face;
}): Promise<RunLock> {
  const { folder, locks, file } = await placeOf(options);
  await fs.mkdir(locks, { recursive: true, mode: 0o700 });
  const face = options.face === undefined ? {} : { face: options.face };
  const owner: Owner = { ...(await ownIdentity()), runId: options.runId, folder, ...face };
  const by = (await claimFile(file, owner)) ?? (await overlapping(locks, file, folder));
  if (by === null) return { type: 'acquired', release: () => releaseFile(file, owner) };
  await releaseFile(file, owner);
  return { type: 'held', by };
}

/** Who works now in `folder`, above it or inside it; null for nobody, also where there is no such folder. Takes nothing. */
export async function runIn(options: { readonly folder: string; readonly stateFolder: string }): Promise<Owner | null> {
  try {
    const { folder, locks, file } = await placeOf(options);
    return (await holderOf(file)) ?? (await overlapping(locks, file, folder));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function placeOf(options: { readonly folder: string; readonly stateFolder: string }) {
  const folder = await fs.realpath(options.folder);
  const locks = path.join(options.stateFolder, 'locks');
  const file = path.join(locks, `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.json`);
  return { folder, locks, file };
}

async function overlapping(locks: string, own: string, folder: string): Promise<Owner | null> {
  for (const name of await fs.readdir(locks)) {
    const file = path.join(locks, name);
    if (!name.endsWith('.json') || file === own) continue;
    const other = await holderOf(file);
    if (other !== null && (isInside(folder, other.folder) || isInside(other.folder, folder))) return other;
  }
  return null;
}
