/** A live request that names a path. `order`: of its arrival. */
export interface PathEntry {
  readonly order: number;
  readonly path: string;
  readonly exclusive: boolean;
  /** It waits for an approval, and so holds nothing. */
  readonly waits: () => boolean;
}

/** Who may touch a path: those who arrived first. */
export interface PathLocks {
  enter(entry: PathEntry): void;
  leave(entry: PathEntry): void;
  /** What stands in the way of this entry: nothing, work of its path that arrived earlier, or only a question about it. */
  before(entry: PathEntry): 'nothing' | 'work' | 'question';
}

/**
 * Requests of the same path go in the order of their arrival, one at a time. One that waits for an approval is passed
 * by reads of its path, but not by a later write (and what comes after that one): approved the other way round, the
 * older text would be the last one.
 */
export function createPathLocks(): PathLocks {
  const entries = new Map<string, Set<PathEntry>>();
  return {
    enter(entry) {
      const known = entries.get(entry.path);
      if (known === undefined) entries.set(entry.path, new Set([entry]));
      else known.add(entry);
    },
    leave(entry) {
      const known = entries.get(entry.path);
      known?.delete(entry);
      if (known?.size === 0) entries.delete(entry.path);
    },
    before(entry) {
      let question = false;
      for (const other of entries.get(entry.path) ?? []) {
        if (other.order >= entry.order) continue;
        if (!other.waits()) return 'work';
        question ||= other.exclusive && entry.exclusive;
      }
      return question ? 'question' : 'nothing';
    },
  };
}
