import { type BigIntStats, constants as C } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { FileRefused } from '../scheduler/fileService.ts';
import { foldsCase, type Place } from './roots.ts';

/** A regular file of a root, held open: no link that appears meanwhile leads elsewhere. */
export interface RootedFile {
  readonly handle: FileHandle;
  readonly stat: BigIntStats;
  /** Puts a new file with these bytes in the place of this one, under its name and with its mode. */
  replace(bytes: Uint8Array): Promise<void>;
}

/** `create`: makes an empty file, and the folders above it; there must be none. */
export type Opening = 'read' | 'write' | 'create';

/** Linux's flag for a handle that only names a folder; Node has no name for it. */
const O_PATH = 0o10000000;
const NO_LINK = C.O_NOFOLLOW ?? 0;
/** A pipe without a writer must not hold us. */
const NO_WAIT = C.O_NONBLOCK ?? 0;
const FLAGS = {
  read: C.O_RDONLY | NO_LINK | NO_WAIT,
  write: C.O_RDWR | NO_LINK | NO_WAIT,
  create: C.O_RDWR | C.O_CREAT | C.O_EXCL | NO_LINK,
} as const satisfies Record<Opening, number>;

/**
 * Opens the file at a place, hands it to `use` and closes it. The folders are walked from the root down and each is
 * opened without following a link: on Linux relative to the one above, so that nothing can be swapped on the way;
 * elsewhere by path, with a second look after the opening. Rejects with `FileRefused`, or with what `use` rejects with.
 */
export async function withRootedFile<T>(
  place: Place,
  opening: Opening,
  use: (file: RootedFile) => Promise<T>,
): Promise<T> {
  const name = place.parts.at(-1);
  if (name === undefined) throw new FileRefused('noFile', `${place.path} is a folder, not a file.`);
  const folder = await walk(place, opening === 'create').catch((error: unknown) => {
    throw refusal(error, place.path, opening);
  });
  let handle: FileHandle | null = null;
  try {
    handle = await open(folder.at(name), FLAGS[opening], 0o666);
    const stat = await handle.stat({ bigint: true });
    if (stat.isDirectory()) throw new FileRefused('noFile', `${place.path} is a folder, not a file.`);
    if (!stat.isFile()) throw new FileRefused('noFile', `${place.path} is no regular file.`);
    await folder.confirm(name, stat);
    const replace = (bytes: Uint8Array) => replaceFile(folder, name, stat, bytes);
    return await use({ handle, stat, replace });
  } catch (error) {
    // Nothing of ours stays behind, also not where a folder was swapped under it.
    if (opening === 'create' && handle !== null) await unlink(folder.at(name)).catch(() => undefined);
    throw refusal(error, place.path, opening);
  } finally {
    await handle?.close();
    await folder.close();
  }
}

interface Folder {
  at(name: string): string;
  /** Rejects when the name does not lead to the opened file (any more). */
  confirm(name: string, opened: BigIntStats): Promise<void>;
  close(): Promise<void>;
}

async function walk(place: Place, create: boolean): Promise<Folder> {
  const above = place.parts.slice(0, -1);
  return process.platform === 'linux' ? walkByHandle(place, above, create) : walkByPath(place, above, create);
}

async function walkByHandle({ root }: Place, above: readonly string[], create: boolean): Promise<Folder> {
  const flags = O_PATH | C.O_DIRECTORY | C.O_NOFOLLOW;
  const at = (folder: FileHandle, name: string) => `/proc/self/fd/${folder.fd}/${name}`;
  let folder = await open(root.path, flags);
  try {
    const { dev, ino } = await folder.stat({ bigint: true });
    if (dev !== root.dev || ino !== root.ino) throw swapped(root.path);
    for (const name of above) {
      const next = await open(at(folder, name), flags).catch(async (error: unknown) => {
        if (!create || codeOf(error) !== 'ENOENT') throw error;
        await makeFolder(at(folder, name));
        return open(at(folder, name), flags);
      });
      await folder.close();
      folder = next;
    }
  } catch (error) {
    await folder.close();
    throw error;
  }
  return { at: (name) => at(folder, name), confirm: async () => undefined, close: () => folder.close() };
}

async function walkByPath({ root }: Place, above: readonly string[], create: boolean): Promise<Folder> {
  const { dev, ino } = await lstat(root.path, { bigint: true });
  if (dev !== root.dev || ino !== root.ino) throw swapped(root.path);
  let folder = root.path;
  for (const name of above) {
    folder = path.join(folder, name);
    const stat = await lstat(folder).catch(async (error: unknown) => {
      if (!create || codeOf(error) !== 'ENOENT') throw error;
      await makeFolder(folder);
      return lstat(folder);
    });
    if (stat.isSymbolicLink()) throw swapped(folder);
    if (!stat.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
  }
  const fold = (text: string) => (foldsCase() ? text.toLowerCase() : text);
  return {
    at: (name) => path.join(folder, name),
    async confirm(name, opened) {
      const file = path.join(folder, name);
      const now = await lstat(file, { bigint: true });
      if (now.dev !== opened.dev || now.ino !== opened.ino) throw swapped(file);
      if (fold(await realpath(file)) !== fold(file)) throw swapped(file);
    },
    close: async () => undefined,
  };
}

/** Another one may make it at the same moment. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

async function replaceFile(folder: Folder, name: string, stat: BigIntStats, bytes: Uint8Array): Promise<void> {
  const part = folder.at(`.${name}.${process.pid}.cgloop`);
  const handle = await open(part, FLAGS.create, Number(stat.mode) & 0o777);
  try {
    await handle.writeFile(bytes);
    await handle.chmod(Number(stat.mode) & 0o777);
    await handle.datasync();
    await handle.close();
    await rename(part, folder.at(name));
  } catch (error) {
    await handle.close();
    await unlink(part).catch(() => undefined);
    throw error;
  }
}

function swapped(where: string): FileRefused {
  return new FileRefused('outside', `${where} was replaced by something else while it was opened. Nothing was done.`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** What the system said, in our words: its own hold words that agents take for "there is no such file yet". */
function refusal(error: unknown, file: string, opening: Opening): FileRefused {
  if (error instanceof FileRefused) return error;
  const code = codeOf(error);
  switch (code) {
    case 'ENOENT':
      if (opening === 'read' || opening === 'write') return new FileRefused('missing', `Resource not found: ${file}`);
      return new FileRefused('failed', `${file} cannot be made: its folder was removed meanwhile.`);
    case 'ENOTDIR':
      return new FileRefused('noFile', `${file} cannot be reached: a part of its path is no folder.`);
    case 'ELOOP':
      return swapped(file);
    case 'EISDIR':
      return new FileRefused('noFile', `${file} is a folder, not a file.`);
    case 'ENXIO':
    case 'ENODEV':
      return new FileRefused('noFile', `${file} is no regular file.`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return opening === 'read'
        ? new FileRefused('failed', `${file} may not be read by this user.`)
        : new FileRefused('readOnly', `${file} is read-only for this user. Nothing was changed.`);
    case 'EEXIST':
      return new FileRefused('failed', `${file} was made by somebody else meanwhile. Read it first.`);
    case 'ENOSPC':
    case 'EDQUOT':
      return new FileRefused('failed', `${file} was not written: the disk is full.`);
    default: {
      const what = opening === 'read' ? 'read' : 'written';
      return new FileRefused('failed', `${file} cannot be ${what} (${code === '' ? String(error) : code}).`);
    }
  }
}
