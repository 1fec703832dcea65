import type { FileHandle } from 'node:fs/promises';
import { FileRefused, type LineWindow } from '../scheduler/fileService.ts';
import { type RootedFile, withRootedFile } from './rootedFile.ts';
import type { Place } from './roots.ts';
import { decodeText, encodeText, keepLineEnds, lineWindow, type TextForm } from './textFile.ts';

/** Texts in encodings other than UTF-8 and UTF-16, where the face knows them. Null: it does not. */
export interface ForeignText {
  decode(file: string, bytes: Uint8Array): Promise<string | null>;
  encode(file: string, text: string): Promise<Uint8Array | null>;
}

export interface DiskOptions {
  /** Bytes up to which a text is served whole, and up to which one is written. */
  readonly maxBytes: number;
  readonly foreign: ForeignText | null;
}

/** 10 MiB: more than any source file, less than what a model could take. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

const CHUNK = 256 * 1024;

/** The part of a text that a window names. Throws `FileRefused` for a window that is none. */
export function windowOf(text: string, window: LineWindow): string {
  const { line, limit } = wanted(window);
  return lineWindow(text, line, limit);
}

/** The window of the file's text on disk. Rejects with `FileRefused`; `missing` where there is no file. */
export async function readDisk(place: Place, window: LineWindow, options: DiskOptions): Promise<string> {
  wanted(window);
  return withRootedFile(place, 'read', async ({ handle, stat }) => {
    if (stat.size <= options.maxBytes) {
      const { text } = await decoded(await handle.readFile(), place.path, options);
      return windowOf(text, window);
    }
    const { line, limit } = wanted(window);
    if (limit === null) throw tooLarge(place.path, stat.size, options.maxBytes);
    return linesOf(handle, line, limit, place.path, options.maxBytes);
  });
}

/**
 * Writes the text in the form of the file that is there, else makes the file byte for byte. `lastLook` is called in the
 * last moment before the first byte, and may throw. Rejects with `FileRefused`; then the file is as it was.
 */
export async function writeDisk(
  place: Place,
  content: string,
  options: DiskOptions,
  lastLook: () => void = () => undefined,
): Promise<void> {
  if (!content.isWellFormed()) {
    throw new FileRefused('invalid', `${place.path}: the content holds half a character (a lone surrogate).`);
  }
  const size = Buffer.byteLength(content);
  if (size > options.maxBytes) throw tooLarge(place.path, size, options.maxBytes, false);
  try {
    await withRootedFile(place, 'write', (file) => overwrite(file, place.path, content, options, lastLook));
  } catch (error) {
    if (!(error instanceof FileRefused) || error.problem !== 'missing') throw error;
    // Before folders are made for it.
    lastLook();
    await withRootedFile(place, 'create', async ({ handle }) => {
      lastLook();
      await handle.writeFile(content);
      await handle.datasync();
    });
  }
}

async function overwrite(
  { handle, stat, replace }: RootedFile,
  file: string,
  content: string,
  options: DiskOptions,
  lastLook: () => void,
): Promise<void> {
  // The superuser may write what is marked as read-only; it is marked so for a reason.
  if ((stat.mode & 0o222n) === 0n) throw new FileRefused('readOnly', `${file} is read-only. Nothing was changed.`);
  if (stat.size > options.maxBytes) throw tooLarge(file, stat.size, options.maxBytes, false);
  const before = await handle.readFile();
  const { text, encode } = await decoded(before, file, options);
  const after = await encode(keepLineEnds(content, text));
  lastLook();
  if (before.equals(after)) return;
  // Another name of the same file may lie anywhere: only this one is to change.
  if (stat.nlink > 1n) return replace(after);
  await overwriteWhole(handle, after, before);
}

/** Puts the bytes in the place of the file's own; puts those back when that fails in the middle, as on a full disk. */
export async function overwriteWhole(handle: FileHandle, after: Uint8Array, before: Uint8Array): Promise<void> {
  try {
    await fill(handle, after);
  } catch (error) {
    await fill(handle, before).catch(() => undefined);
    throw error;
  }
}

async function fill(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, at);
    at += bytesWritten;
  }
  await handle.truncate(bytes.length);
  await handle.datasync();
}

/** The text, and how another text is written in its form. */
async function decoded(
  bytes: Buffer,
  file: string,
  { foreign }: DiskOptions,
): Promise<{ readonly text: string; readonly encode: (text: string) => Promise<Uint8Array> }> {
  const known = decodeText(bytes);
  if (known !== null) {
    const form: TextForm = known.form;
    return { text: known.text, encode: async (text) => encodeText(text, form) };
  }
  const text = bytes.includes(0) ? null : ((await foreign?.decode(file, bytes)) ?? null);
  // Only what comes back byte for byte was understood.
  const again = text === null ? null : ((await foreign?.encode(file, text)) ?? null);
  if (text === null || again === null || !bytes.equals(again)) {
    throw new FileRefused(
      'noText',
      `${file} is binary, or in an encoding that is not known here: it is not served as text.`,
    );
  }
  return {
    text,
    async encode(next) {
      const encoded = (await foreign?.encode(file, next)) ?? null;
      const back = encoded === null ? null : ((await foreign?.decode(file, encoded)) ?? null);
      if (encoded === null || back !== next) {
        throw new FileRefused('noText', `${file} is in an encoding that lacks characters of the new text.`);
      }
      return encoded;
    },
  };
}

/** A window of a file that is too large to be held, read as far as its last line. */
async function linesOf(handle: FileHandle, line: number, limit: number, file: string, max: number): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  let toSkip = line - 1;
  let toTake = limit;
  let first = true;
  for (let position = 0; toTake > 0; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK, position);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (first && (chunk[0] === 0xff || chunk[0] === 0xfe)) throw tooLarge(file, (await handle.stat()).size, max, false);
    first = false;
    position += bytesRead;
    let start = 0;
    while (toSkip > 0) {
      const end = chunk.indexOf(0x0a, start);
      start = end < 0 ? chunk.length : end + 1;
      if (end < 0) break;
      toSkip--;
    }
    if (toSkip > 0) continue;
    let stop = start;
    while (toTake > 0 && stop < chunk.length) {
      const end = chunk.indexOf(0x0a, stop);
      stop = end < 0 ? chunk.length : end + 1;
      if (end < 0) break;
      toTake--;
    }
    kept.push(chunk.subarray(start, stop));
    size += stop - start;
    if (size > max) throw tooLarge(file, size, max);
  }
  const text = decodeText(Buffer.concat(kept));
  if (text === null) throw new FileRefused('noText', `${file} is binary, or not in UTF-8: it is not served as text.`);
  // A mark in the middle of a file is a character of it.
  return text.form.bom && line > 1 ? `\uFEFF${text.text}` : text.text;
}

/** `line` 0 is the first; whole numbers that are not negative, as ACP's schema has them. */
function wanted({ line, limit }: LineWindow): { readonly line: number; readonly limit: number | null } {
  for (const [name, value] of Object.entries({ line, limit })) {
    if (value === null || (Number.isSafeInteger(value) && value >= 0)) continue;
    throw new FileRefused('invalid', `${name} is ${value}: a whole number from 0 on is needed.`);
  }
  return { line: Math.max(1, line ?? 1), limit };
}

function tooLarge(file: string, size: bigint | number, max: number, windows = true): FileRefused {
  const inMegabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  const way = windows ? ' Ask for a part of it with line and limit.' : '';
  const what = `${file} is too large to be served: ${inMegabytes(Number(size))}, and the limit is ${inMegabytes(max)}.`;
  return new FileRefused('tooLarge', `${what}${way}`);
}
