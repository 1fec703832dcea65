/** What the log tells of the files of the folder. Types only. */

export interface FileChange {
  /** Relative to the run's folder, with `/`. */
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'typeChanged';
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

/**
 * What the agent's cards of a round say, held against what git sees of it. Paths are relative to the run's folder with
 * `/`, but those of `outside`, which are absolute.
 */
export interface TurnTruth {
  /** Changed, and neither a card of the agent nor a saving by the person says so. */
  readonly unannounced: readonly string[];
  /** A card says that it was changed, and the folder shows no change: put back, or nothing that git looks at. */
  readonly unseen: readonly string[];
  /** A card says that it was changed, and it lies where the comparison does not look. */
  readonly outside: readonly string[];
  /** Changed by the person alone, as far as this window saw it. */
  readonly byUser: readonly string[];
  /** Changed by the person and by the agent. */
  readonly byBoth: readonly string[];
  /** The agent ran commands, which may have made changes that no card names. */
  readonly ranCommands: boolean;
}

/** Why a file was not served to an agent. `missing` alone says that there is none. */
export type FileProblem =
  /** The path or the window is none. */
  | 'invalid'
  | 'missing'
  /** Of every folder of the run. */
  | 'outside'
  /** Nobody allowed the write, or its turn is over. */
  | 'notAllowed'
  /** A folder, a pipe, a device. */
  | 'noFile'
  /** Binary, or in an encoding that could not be given back. */
  | 'noText'
  | 'tooLarge'
  | 'readOnly'
  /** The editor holds text that the agent has not read. */
  | 'unsaved'
  | 'notebook'
  | 'failed';

export interface CheckpointRef {
  /** Commit id. */
  readonly id: string;
  /** Tree id: equal trees hold equal files. */
  readonly tree: string;
  readonly label: string;
}
