import type { FileChange } from '../shared/fileEvents.ts';
import type { CheckpointStore } from './checkpointStore.ts';
import { shown, splitZ } from './git.ts';

/** One path that differs between two trees, or between the index and the disk. */
export interface RawChange {
  /** As `splitZ` gives it, relative to the folder. */
  readonly path: string;
  /** Git's letter: A, M, D or T. */
  readonly status: string;
  /** Git's modes, such as `100755`; zeros where there is nothing. */
  readonly from: string;
  readonly to: string;
  /** Object ids before and after the change; zeros where there is nothing, or when git has not hashed it. */
  readonly was: string;
  readonly object: string;
}

/** Mode of a repository inside a tree. */
export const GITLINK = '160000';

/** Renames are a deletion and an addition: a guess has no place in a restore. */
export async function rawChanges(store: CheckpointStore, from: string, to: string): Promise<RawChange[]> {
  return parseRaw(splitZ(await store.own(['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from, to])));
}

/** The records `:100644 100755 old new M` and path, alternating. */
export function parseRaw(records: readonly string[]): RawChange[] {
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [from = '', to = '', was = '', object = '', status = ''] = (records[at] ?? '').slice(1).split(' ');
    changes.push({ path: records[at + 1] ?? '', status: status.slice(0, 1), from, to, was, object });
  }
  return changes;
}

/** Bytes of a diff that are handed out; a longer one ends with a word. */
const MOST_PATCH_BYTES = 32 * 1024 * 1024;

/** What changed from one tree to another: files with their lines, and the unified diff. Paths are the folder's own. */
export async function treeChanges(
  store: CheckpointStore,
  from: string,
  to: string,
): Promise<{ files: FileChange[]; patch: string }> {
  if (from === to) return { files: [], patch: '' };
  const diff = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
  const list = ['-z', '--raw', '--no-abbrev', '--numstat'];
  const whole = await store.own([...diff, ...list, '-p', '--src-prefix=a/', '--dst-prefix=b/', from, to], {
    maxBytes: MOST_PATCH_BYTES,
    cutMark: '\n[The diff is longer than 32 MB and is cut here.]\n',
  });
  // The list ends with an empty record, unless the list alone is that long.
  const end = whole.indexOf('\0\0') + 1;
  const records = splitZ(end > 0 ? whole.subarray(0, end) : await store.own([...diff, ...list, from, to]));
  const patch = end > 0 ? whole.toString('utf8', end + 1) : '';
  // Pairs of raw records first, which begin with a colon, then those of numbers.
  let raw = 0;
  while (records[raw]?.startsWith(':')) raw += 2;
  const lines = new Map(records.slice(raw).map(parseNumbers));
  const files = parseRaw(records.slice(0, raw)).map(({ path, status }): FileChange => {
    const { added, removed } = lines.get(path) ?? { added: null, removed: null };
    return { path: shown(path), status: STATUS[status] ?? 'modified', added, removed };
  });
  return { files, patch };
}

const STATUS: Readonly<Record<string, FileChange['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  T: 'typeChanged',
};

/** `added TAB removed TAB path`; two dashes for a binary file. */
function parseNumbers(record: string): [string, { added: number | null; removed: number | null }] {
  const [added = '-', removed = '-', ...path] = record.split('\t');
  const lines = (text: string): number | null => (text === '-' ? null : Number(text));
  return [path.join('\t'), { added: lines(added), removed: lines(removed) }];
}
