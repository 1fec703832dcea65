import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import * as z from 'zod';
import { parseWire } from '../protocol/parseWire.ts';
import { isMissing } from '../shared/errors.ts';
import { isAlive, type ProcessIdentity } from './processIdentity.ts';

/** Which kind of program a run was started from. */
export type Face = 'editor' | 'terminal';

/** Who holds a claim: a process, for a run, on a folder. */
export interface Owner extends ProcessIdentity {
  readonly runId: string;
  /** Absolute, links resolved. */
  readonly folder: string;
  /** Absent where nobody has said it. */
  readonly face?: Face;
}

const ownerSchema = z.object({
  pid: z.int().positive(),
  started: z.nullable(z.string()),
  runId: z.string(),
  folder: z.string(),
  face: z.exactOptional(z.enum(['editor', 'terminal'])),
});

/** A claim file as it stands. `owner` null: it cannot be read as one, so nobody can hold it. */
interface Claim {
  readonly text: string;
  readonly owner: Owner | null;
}

/**
 * Takes `file` for `owner`, or tells who holds it. Exactly one of any number of contenders gets it; the file of a dead
 * owner is taken over. The folder of `file` must exist on a file system with hard links.
 */
export async function claimFile(file: string, owner: Owner): Promise<Owner | null> {
  for (;;) {
    if (await create(file, owner)) return null;
    const found = await read(file);
    if (found === null) continue;
    if (found.owner !== null && (await isAlive(found.owner))) return found.owner;
    // Removing a dead owner's file is a claim of its own, on exactly that owner's grave: without it, two contenders
    // could both see the dead one, and the second would remove the first one's new claim.
    const grave = `${file}.${createHash('sha256').update(found.text).digest('hex').slice(0, 16)}`;
    const rival = await claimFile(grave, owner);
    if (rival !== null) return rival;
    try {
      if ((await read(file))?.text === found.text) await fs.rm(file, { force: true });
    } finally {
      await fs.rm(grave, { force: true });
    }
  }
}

/** Gives a claim back; a file that is no longer ours stays. */
export async function releaseFile(file: string, owner: Owner): Promise<void> {
  if ((await read(file))?.text === textOf(owner)) await fs.rm(file, { force: true });
}

/** Who holds `file` now; null when nobody alive does. */
export async function holderOf(file: string): Promise<Owner | null> {
  const owner = (await read(file))?.owner ?? null;
  return owner !== null && (await isAlive(owner)) ? owner : null;
}

/** A link to a finished file: unlike an exclusive open, nobody ever sees the claim without its owner. */
async function create(file: string, owner: Owner): Promise<boolean> {
  const draft = `${file}.${owner.pid}-${owner.runId}.draft`;
  await fs.writeFile(draft, textOf(owner), { mode: 0o600 });
  try {
    await fs.link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await fs.rm(draft, { force: true });
  }
}

async function read(file: string): Promise<Claim | null> {
  let text: string;
  try {
    text = await fs.readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { text, owner: null };
  }
  const parsed = parseWire(ownerSchema, null, value);
  return { text, owner: parsed.type === 'known' ? parsed.value : null };
}

function textOf({ pid, started, runId, folder, face }: Owner): string {
  return `${JSON.stringify({ pid, started, runId, folder, face })}\n`;
}
