import type { Stats } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { emptyTree, line } from './captureTree.ts';
import type { CheckpointStore } from './checkpointStore.ts';
import { GitError, joinZ, shown, splitZ } from './git.ts';
import { type RawChange, rawChanges } from './treeDiff.ts';

/**
 * Makes the disk equal to tree `to`; the index must stand at tree `from`, and the disk too: git checks that, and
 * refuses before it touches anything. Git writes and deletes, so that no link leads it out of the folder.
 */
export async function checkOut(store: CheckpointStore, from: string, to: string): Promise<void> {
  if (from === to) return;
  const changes = await rawChanges(store, from, to);
  const modes = await modesOf(store, changes);
  await store.own(['read-tree', '-m', '-u', await rootOf(store, from), await rootOf(store, to)]);
  // Git keeps nothing of a mode but the bit for execution, and would open a private file to all.
  for (const { file, mode } of modes) await fs.chmod(file, mode);
  await fs.mkdir(store.folder, { recursive: true });
}

/** What stands on the disk, unknown to the index, where `changes` will write. Raw paths, to be captured first. */
export async function inTheWay(store: CheckpointStore, changes: readonly RawChange[]): Promise<string[]> {
  const found = new Set<string>();
  const folders = new Map<string, Promise<boolean>>();
  /** Whether the way to here is made of real folders only, or ends at nothing. */
  const isClear = (folder: string): Promise<boolean> => {
    if (folder === '.') return Promise.resolve(true);
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const asked = (async () => {
      if (!(await isClear(path.posix.dirname(folder)))) return false;
      const stat = await lstat(store, folder);
      if (stat === null || stat.isDirectory()) return true;
      found.add(folder);
      return false;
    })();
    folders.set(folder, asked);
    return asked;
  };
  for (const { path: file, status } of changes) {
    if (status !== 'A' || !(await isClear(path.posix.dirname(file)))) continue;
    const stat = await lstat(store, file);
    if (stat === null) continue;
    if (!stat.isDirectory()) {
      found.add(file);
      continue;
    }
    const inside = await contentOf(store, file);
    if (inside === null) {
      throw new GitError(null, (t) =>
        t(
          'The folder {0} stands where the checkpoint has a file, and holds what no checkpoint can keep (a repository of its own, or a name that is not UTF-8). Move it away, then try again. Nothing was changed.',
          shown(file),
        ),
      );
    }
    for (const inner of inside) found.add(inner);
  }
  return [...found];
}

/**
 * All files in a folder that the index does not know, ignored ones too. Null: a repository is among them, or the folder
 * has a name that no argument can be.
 */
async function contentOf(store: CheckpointStore, folder: string): Promise<string[] | null> {
  if (Buffer.from(shown(folder)).toString('latin1') !== folder) return null;
  const files = splitZ(
    await store.own(['--literal-pathspecs', 'ls-files', '-z', '--others', '--', `${shown(folder)}/`]),
  );
  return files.some((file) => file.endsWith('/')) ? null : files;
}

/** Whether a file at `file` and one of `others` cannot both be there: one is a folder on the other's way. */
export function excludes(others: readonly string[]): (file: string) => boolean {
  const taken = new Set(others);
  const folders = new Set(others.flatMap(foldersOf));
  return (file) => folders.has(file) || foldersOf(file).some((folder) => taken.has(folder));
}

function foldersOf(file: string): string[] {
  const names = file.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

/**
 * Which of `files` the ignore rules inside tree `tree` name, whatever the rules on the disk say now: a file that was
 * ignored then was never part of the checkpoint, so that its absence there does not mean that it came later.
 */
export async function ignoredIn(store: CheckpointStore, tree: string, files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const draft = await fs.mkdtemp(path.join(store.scratch, 'rules-'));
  const workTree = path.join(draft, 'tree');
  const folder = path.join(workTree, store.prefix);
  await fs.mkdir(folder, { recursive: true });
  // The folder's own rules come out of the tree; those above it are no part of a checkpoint and count as they are now.
  const above = store.prefix.split('/').slice(0, -2);
  for (let depth = 0; store.prefix !== '' && depth <= above.length; depth++) {
    const rules = path.join(...above.slice(0, depth), '.gitignore');
    await fs.copyFile(path.join(store.workTree, rules), path.join(workTree, rules)).catch(ignoreMissing);
  }
  const env = { GIT_INDEX_FILE: path.join(draft, 'index'), GIT_WORK_TREE: workTree };
  const options = { env, cwd: folder };
  await store.own(['read-tree', await rootOf(store, tree)], options);
  const all = splitZ(await store.own(['ls-files', '-z'], options));
  const rules = all.filter((file) => path.posix.basename(file) === '.gitignore');
  await store.own(['checkout-index', '--force', '-z', '--stdin'], { ...options, input: joinZ(rules) });
  try {
    // With `./`, because this command reads a name with a colon in front as more than a name.
    const input = joinZ(files.map((file) => `./${file}`));
    const ignored = splitZ(await store.own(['check-ignore', '--no-index', '-z', '--stdin'], { ...options, input }));
    return ignored.map((file) => file.slice(2));
  } catch (error) {
    // 1: none of them is ignored.
    if (error instanceof GitError && error.exit === 1) return [];
    throw error;
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
}

/** Tree `tree` with `changes` on top, deletions first, without touching the disk or the index. */
export async function withFiles(store: CheckpointStore, tree: string, changes: readonly RawChange[]): Promise<string> {
  const env = { GIT_INDEX_FILE: path.join(store.scratch, 'merged') };
  await store.own(['read-tree', tree], { env, cwd: store.workTree });
  const gone = changes.filter(({ status }) => status === 'D');
  const records = [...gone, ...changes.filter((change) => !gone.includes(change))].map(
    ({ to, object, path: file }) => `${to} ${object}\t${file}`,
  );
  await store.own(['update-index', '-z', '--index-info'], { env, cwd: store.workTree, input: joinZ(records) });
  return line(await store.own(['write-tree'], { env, cwd: store.workTree }));
}

/** The tree of the whole work tree that holds nothing but the folder. */
async function rootOf(store: CheckpointStore, tree: string): Promise<string> {
  if (store.prefix === '' || tree === (await emptyTree(store))) return tree;
  let root = tree;
  for (const name of store.prefix.slice(0, -1).split('/').reverse()) {
    root = line(await store.own(['mktree', '-z'], { input: Buffer.from(`040000 tree ${root}\t${name}\0`) }));
  }
  return root;
}

/** Absolute paths and permission bits that regular files should have after the change: those of before, but for execution. */
async function modesOf(
  store: CheckpointStore,
  changes: readonly RawChange[],
): Promise<{ file: Buffer; mode: number }[]> {
  if (process.platform === 'win32') return [];
  const modes: { file: Buffer; mode: number }[] = [];
  for (const { path: file, status, from, to } of changes) {
    if (status !== 'M' || !from.startsWith('100') || !to.startsWith('100')) continue;
    const stat = await lstat(store, file);
    if (stat === null) continue;
    const plain = stat.mode & 0o666;
    modes.push({ file: absolute(store, file), mode: to === '100755' ? plain | ((plain & 0o444) >> 2) : plain });
  }
  return modes;
}

async function lstat(store: CheckpointStore, file: string): Promise<Stats | null> {
  try {
    return await fs.lstat(absolute(store, file));
  } catch {
    return null;
  }
}

function absolute(store: CheckpointStore, file: string): Buffer {
  return Buffer.concat([Buffer.from(`${store.folder}${path.sep}`), Buffer.from(file, 'latin1')]);
}

function ignoreMissing(): void {}
