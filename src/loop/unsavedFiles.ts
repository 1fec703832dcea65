import type { PermissionPort } from '../scheduler/permissionBroker.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { PermissionRequest } from '../shared/permission.ts';

/** What is done with unsaved files of the folder before the agents go on: agents read the disk, not the editors. */
export type UnsavedPolicy = 'ask' | 'save' | 'ignore';

/** The unsaved files of a face's editors. Paths are relative to the run's folder, with `/`. */
export interface UnsavedFiles {
  /** The person's setting. */
  readonly policy: UnsavedPolicy;
  /** Those inside the folder that a file on disk belongs to. */
  list(folder: string): readonly string[];
  /** Saves them, each as its own editor does; gives those that are saved now. Never rejects. */
  save(folder: string, files: readonly string[]): Promise<readonly string[]>;
  /** The question, in the person's language; its options are `UNSAVED_OPTIONS`. */
  question(files: readonly string[]): PermissionRequest;
}

/** Option ids of the question. */
export const UNSAVED_OPTIONS = { save: 'save', leave: 'leave' } as const;

/** Settles what is unsaved before the agents go on. */
export interface UnsavedGuard {
  /** Saves or leaves the unsaved files, and tells it in the log. Gives whether any was saved. Never rejects. */
  settle(): Promise<boolean>;
}

export interface UnsavedParts {
  readonly folder: string;
  readonly unsaved: UnsavedFiles;
  /** Of the executor: it is the one whose work is at stake. */
  readonly permissions: PermissionPort;
  readonly append: (body: LoopEventBody) => void;
  readonly stopped: AbortSignal;
}

/** With the setting `ask` the person is asked when there are unsaved files for the first time; the answer holds for the run. */
export function createUnsavedGuard({ folder, unsaved, permissions, append, stopped }: UnsavedParts): UnsavedGuard {
  let decided: boolean | null = unsaved.policy === 'ask' ? null : unsaved.policy === 'save';

  return {
    async settle() {
      if (stopped.aborted || unsaved.list(folder).length === 0) return false;
      if (decided === null) {
        const answer = await permissions.request(unsaved.question(unsaved.list(folder)), {}, stopped);
        if (stopped.aborted) return false;
        decided = answer.outcome === 'selected' && answer.optionId === UNSAVED_OPTIONS.save;
      }
      // Looked at again: the person may have saved, or gone on typing, while the question was open.
      const files = unsaved.list(folder);
      const saved = decided ? await unsaved.save(folder, files) : [];
      const left = files.filter((file) => !saved.includes(file));
      if (saved.length > 0 || left.length > 0) append({ type: 'unsaved.settled', saved, left });
      return saved.length > 0;
    },
  };
}
