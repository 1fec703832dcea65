import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { isWireObject } from '../protocol/parseWire.ts';

/** A string longer than this many UTF-16 units leaves its line for a file of its own. */
export const BODY_LIMIT = 16 * 1024;

/** Where in an event a string was taken out (it is `""` there), and which file of `bodies/` holds it as UTF-8. */
export const bodyRefSchema = z.object({
  at: z.array(z.union([z.string(), z.number()])),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type BodyRef = z.output<typeof bodyRefSchema>;

/**
 * The value with every long string emptied, and where they went. `store` keeps a text and gives its hash; null leaves
 * the string in its place. Anything without a long string keeps its identity.
 */
export function takeOut(value: unknown, store: (text: string) => string | null): { value: unknown; bodies: BodyRef[] } {
  const bodies: BodyRef[] = [];
  const walk = (part: unknown, at: readonly (string | number)[]): unknown => {
    if (typeof part === 'string') {
      const sha256 = part.length > BODY_LIMIT ? store(part) : null;
      if (sha256 === null) return part;
      bodies.push({ at: [...at], sha256 });
      return '';
    }
    if (Array.isArray(part)) {
      const items = part.map((item, index) => walk(item, [...at, index]));
      return items.every((item, index) => item === part[index]) ? part : items;
    }
    if (!isWireObject(part)) return part;
    const entries = Object.entries(part);
    const walked = entries.map(([key, item]): [string, unknown] => [key, walk(item, [...at, key])]);
    return walked.every(([, item], index) => item === entries[index]?.[1]) ? part : Object.fromEntries(walked);
  };
  return { value: walk(value, []), bodies };
}

/** Puts one text back, in place. False: there is no such place. */
export function putBack(value: unknown, at: BodyRef['at'], text: string): boolean {
  let parent = value;
  for (const key of at.slice(0, -1)) parent = member(parent, key);
  const last = at.at(-1);
  if (typeof parent !== 'object' || parent === null || last === undefined || member(parent, last) !== '') return false;
  Object.defineProperty(parent, last, { value: text, enumerable: true, writable: true, configurable: true });
  return true;
}

function member(parent: unknown, key: string | number): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined;
  return Object.getOwnPropertyDescriptor(parent, key)?.value;
}

/**
 * Writes a text under its hash, once however often it is asked. Null: UTF-8 cannot hold it (half a surrogate pair), so
 * it must stay in the line, where JSON escapes it. Throws when the disk does.
 */
export function storeBody(directory: string, text: string): string | null {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.toString('utf8') !== text) return null;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = bodyFile(directory, sha256);
  if (fs.existsSync(file)) return sha256;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // Renamed into place, so that a file with a hash for a name is always whole.
  const draft = `${file}.${process.pid}.draft`;
  fs.writeFileSync(draft, bytes, { mode: 0o600 });
  fs.renameSync(draft, file);
  return sha256;
}

/** The text of a hash; null when its file is missing or holds something else. */
export async function readBody(directory: string, sha256: string): Promise<string | null> {
  let bytes: Buffer;
  try {
    bytes = await fs.promises.readFile(bodyFile(directory, sha256));
  } catch {
    return null;
  }
  return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes.toString('utf8') : null;
}

function bodyFile(directory: string, sha256: string): string {
  return path.join(directory, 'bodies', sha256);
}
