import type { FileService } from '../scheduler/fileService.ts';
import { MAX_FILE_BYTES, readDisk, writeDisk } from '../workspace/diskFiles.ts';
import { openRoots, placeOf, samePlace } from '../workspace/roots.ts';

const WHOLE = { line: null, limit: null } as const;

export interface NodeFsOptions {
  /** Absolute; files below them are served too. */
  readonly folders?: readonly string[];
  /** Bytes up to which a text is served whole. */
  readonly maxBytes?: number;
}

/** The files as they are on disk: there is no editor beside a terminal that we could ask. */
export function createNodeFs({ folders = [], maxBytes = MAX_FILE_BYTES }: NodeFsOptions = {}): FileService {
  const options = { maxBytes, foreign: null };
  return {
    open(folder) {
      const roots = openRoots(folder, folders);
      return {
        locate: (path) => placeOf(path, roots).path,
        read: async (path, window) => ({ text: await readDisk(placeOf(path, roots), window, options), from: 'disk' }),
        look: (path) => readDisk(placeOf(path, roots), WHOLE, options).catch(() => null),
        async write(located, content) {
          await writeDisk(samePlace(located, roots), content, options);
          return 'disk';
        },
      };
    },
    unsaved: () => [],
  };
}
