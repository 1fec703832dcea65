import type { FileProblem } from '../shared/fileEvents.ts';

/** Which lines of a file: `line` counts from 1 (0 and null: the first), `limit` is a number of lines (null: all). */
export interface LineWindow {
  readonly line: number | null;
  readonly limit: number | null;
}

/** The text of a file without its byte order mark, or the exact part of it that the window names. */
export interface FileText {
  readonly text: string;
  readonly from: 'editor' | 'disk';
}

/**
 * The files that one agent session may reach. Paths are absolute. Every method rejects with `FileRefused` and with
 * nothing else; nothing outside the roots is read, written or created.
 */
export interface FileSession {
  /** Where a path leads: `..` and links resolved, the last part may not exist. Throws for one outside the roots. */
  locate(path: string): string;
  /** The editor's text where it is unsaved, else the disk's. */
  read(path: string, window: LineWindow): Promise<FileText>;
  /** The whole text for the eyes of a person, null where there is none to show. It counts as read by nobody. */
  look(path: string): Promise<string | null>;
  /**
   * Replaces the whole text, or makes the file and its missing parent folders. `located`: what `locate` gave; one that
   * has come to lead elsewhere is refused. An existing file keeps its byte order mark, line ends and encoding; a new one
   * holds the content byte for byte. Nothing formats on the way. Unsaved text of the editor is replaced only when the
   * session has read exactly that text; it can be undone there. Gives where the text went.
   */
  write(located: string, content: string): Promise<'editor' | 'disk'>;
}

/** A face's way to the files of the person: `cli/nodeFs.ts` and `host/workspaceFs.ts`. */
export interface FileService {
  /** Files below `folder` (absolute), and below the other folders that the face has open. Throws `FileRefused`. */
  open(folder: string): FileSession;
  /** Those of these absolute paths whose editor holds text that is not on disk. */
  unsaved(paths: readonly string[]): readonly string[];
}

/** Why a file was not served. `message` is for people and for the agent, and says the way out where there is one. */
export class FileRefused extends Error {
  readonly problem: FileProblem;
  constructor(problem: FileProblem, message: string) {
    super(problem === 'missing' ? message : withoutMissingWords(message));
    this.name = 'FileRefused';
    this.problem = problem;
  }
}

/**
 * Gemini CLI looks for these words in an error and takes a match for "there is no such file yet", whatever else the
 * error says; a file's own name may hold them.
 */
const MISSING_WORDS = /resource not found|ENOENT|does not exist|no such file/gi;

function withoutMissingWords(message: string): string {
  return message.replace(MISSING_WORDS, '…');
}
