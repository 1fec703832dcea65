import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseWire } from '../protocol/parseWire.ts';
import type { CheckpointStore } from './checkpointStore.ts';
import { shown, splitZ } from './git.ts';

/** An ignored file as a checkpoint keeps it, in a folder of its own and never in git. */
export interface IgnoredFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
  /** Of the content. */
  readonly sha256: string;
}

/** The small ignored files of one run's checkpoints. */
export interface IgnoredFiles {
  /** Keeps those that are there now beside the checkpoint; of `also` too, where they are small files. */
  keep(checkpoint: string, also?: readonly string[]): Promise<void>;
  /** What `keep` kept; nothing where it did not. */
  of(checkpoint: string): Promise<readonly IgnoredFile[]>;
  /** The file as it is now. `other`: something stands there that is not kept, such as a link or what has become too large. */
  now(path: string): Promise<IgnoredFile | 'none' | 'other'>;
  /** Writes a kept file, into `root` (absolute) where it is given. False: a link or something else stands in the way. */
  write(file: IgnoredFile, root?: string): Promise<boolean>;
}

/** Files such as `.env` and local settings are smaller; what is larger is data, which nobody wants kept with each round. */
const MOST_BYTES_EACH = 1024 * 1024;
/** In all: more than that is no configuration, and would be read again each round. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_FILES = 200;
/** An ignored folder with more than that is made by a program. */
const MOST_IN_FOLDER = 50;

/** Ignored folders that programs fill, and can fill again. */
const GENERATED_FOLDERS = new Set(
  `node_modules bower_components jspm_packages vendor Pods DerivedData Carthage dist build out target bin obj coverage
  .venv venv virtualenv site-packages __pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache .hypothesis .eggs
  .gradle .m2 .cargo .next .nuxt .output .turbo .cache .parcel-cache .svelte-kit .angular .vite .terraform .serverless
  .dart_tool .stack-work _build deps .elixir_ls .bundle .yarn .pnpm-store tmp temp log logs .git`.split(/\s+/),
);

/** What programs write while they run. */
const GENERATED_FILES =
  /\.(?:log|tmp|temp|pid|lock|sock|sw[a-p]|pyc|pyo|o|obj|a|so|class|tsbuildinfo|cache|(?:db|sqlite\d?)(?:-\w+)?)$|~$/i;

/** Where they lie in the private repository, a folder for each run. */
export const IGNORED = 'ignored';

const manifest = z.array(z.object({ path: z.string(), mode: z.int().nonnegative(), sha256: z.string() }));

/** `directory`: of this run's alone, made when something is kept. */
export function createIgnoredFiles(store: CheckpointStore, directory: string): IgnoredFiles {
  /** What there is to keep is looked for once; later the known ones are looked at. */
  let known: Promise<readonly string[]> | null = null;
  const stored = new Map<string, { readonly stamp: string; readonly file: IgnoredFile }>();
  const fileOf = (checkpoint: string) => path.join(directory, `${checkpoint}.json`);
  const blobOf = (sha256: string) => path.join(directory, 'files', sha256);

  const look = async (
    relative: string,
  ): Promise<{ readonly file: IgnoredFile; readonly bytes: Buffer | null } | null> => {
    const absolute = path.join(store.folder, relative);
    if (!(await isReached(store.folder, relative))) return null;
    const stat = await fs.lstat(absolute, { bigint: true }).catch(() => null);
    if (stat === null || !stat.isFile() || stat.size > MOST_BYTES_EACH) return null;
    const stamp = `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.mode}`;
    const before = stored.get(relative);
    if (before?.stamp === stamp) return { file: before.file, bytes: null };
    const bytes = await fs.readFile(absolute).catch(() => null);
    if (bytes === null) return null;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = { path: relative, mode: Number(stat.mode & 0o777n), sha256 };
    stored.set(relative, { stamp, file });
    return { file, bytes };
  };

  return {
    async keep(checkpoint, also = []) {
      known ??= find(store);
      const paths = new Set([...(await known), ...also]);
      const files: IgnoredFile[] = [];
      for (const relative of [...paths].sort()) {
        const found = await look(relative);
        if (found === null) continue;
        files.push(found.file);
        const blob = blobOf(found.file.sha256);
        if (await exists(blob)) continue;
        await fs.mkdir(path.dirname(blob), { recursive: true, mode: 0o700 });
        const bytes = found.bytes ?? (await fs.readFile(path.join(store.folder, relative)));
        await fs.writeFile(blob, bytes, { mode: 0o600 });
      }
      if (files.length > 0) await fs.writeFile(fileOf(checkpoint), JSON.stringify(files), { mode: 0o600 });
    },
    async of(checkpoint) {
      const text = await fs.readFile(fileOf(checkpoint), 'utf8').catch(() => '[]');
      const parsed = parseWire(manifest, null, parsedJson(text));
      return parsed.type === 'known' ? parsed.value : [];
    },
    async now(relative) {
      const found = await look(relative);
      if (found !== null) return found.file;
      return (await isThere(path.join(store.folder, relative))) ? 'other' : 'none';
    },
    async write({ path: relative, mode, sha256 }, root = store.folder) {
      const absolute = path.join(root, relative);
      await fs.mkdir(path.dirname(absolute), { recursive: true }).catch(() => undefined);
      if (!(await isReached(root, relative))) return false;
      const stat = await fs.lstat(absolute).catch(() => null);
      if (stat !== null && !stat.isFile()) return false;
      const draft = `${absolute}.cgloop-${process.pid}`;
      try {
        await fs.writeFile(draft, await fs.readFile(blobOf(sha256)), { mode, flag: 'wx' });
        await fs.chmod(draft, mode);
        await fs.rename(draft, absolute);
      } finally {
        await fs.rm(draft, { force: true });
      }
      return true;
    },
  };
}

/** The ignored files of the folder that are small and no program's own, within bounds. Relative, with `/`. */
async function find(store: CheckpointStore): Promise<readonly string[]> {
  const told = splitZ(
    await store.own(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']),
  ).map(shown);
  const found: string[] = [];
  let bytes = 0;
  for (const entry of told) {
    const inside = entry.endsWith('/') ? await contentOf(store.folder, entry.slice(0, -1)) : [entry];
    for (const file of inside) {
      if (GENERATED_FILES.test(file) || entry.split('/').some((name) => GENERATED_FOLDERS.has(name))) continue;
      const stat = await fs.lstat(path.join(store.folder, file)).catch(() => null);
      if (stat === null || !stat.isFile() || stat.size > MOST_BYTES_EACH) continue;
      bytes += stat.size;
      if (found.length >= MOST_FILES || bytes > MOST_BYTES) return found;
      found.push(file);
    }
  }
  return found;
}

/** All files in an ignored folder; none when a program fills it. */
async function contentOf(root: string, folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (GENERATED_FOLDERS.has(path.posix.basename(next))) continue;
    const entries: readonly Dirent[] = await fs.readdir(path.join(root, next), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      // A repository of its own looks after its files.
      if (entry.name === '.git') return [];
      const inner = `${next}/${entry.name}`;
      if (entry.isDirectory()) open.push(inner);
      else if (entry.isFile()) files.push(inner);
      if (files.length + open.length > MOST_IN_FOLDER) return [];
    }
  }
  return files;
}

/** Whether no link on the way leads elsewhere. */
async function isReached(root: string, relative: string): Promise<boolean> {
  const folder = path.join(root, path.posix.dirname(relative));
  return fs.realpath(folder).then(
    (real) => real === folder,
    () => false,
  );
}

/** Also a link that leads nowhere. */
async function isThere(file: string): Promise<boolean> {
  return fs.lstat(file).then(
    () => true,
    () => false,
  );
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}

/** A file that was cut short by a full disk is none. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}
