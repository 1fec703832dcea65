import type { TerminalEnd } from '../shared/ending.ts';

/** A command to start, without a shell: exactly this program with exactly these arguments. */
export interface TerminalCommand {
  /** A name on the PATH or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Windows: the arguments make up the command line as they stand. */
  readonly verbatim?: boolean;
  /** On top of the filtered environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute, links resolved. */
  readonly cwd: string;
  /** Bytes of output in UTF-8 that are kept, the newest ones. */
  readonly outputByteLimit: number;
}

/** What a terminal has said so far. `truncated`: the beginning is gone. */
export interface TerminalOutput {
  readonly output: string;
  readonly truncated: boolean;
  /** Null while it runs. */
  readonly end: TerminalEnd | null;
}

/** One command with its output. It stays readable after its end, until it is released. */
export interface Terminal {
  output(): TerminalOutput;
  /** Settles with the end of the command. Never rejects. */
  readonly ended: Promise<TerminalEnd>;
  /** Ends the command and all that it started; settles once it is gone. The first one to ask is named as who ended it. */
  kill(by: Exclude<TerminalEnd['by'], 'itself'>): Promise<void>;
}

/** Where commands of agents run. */
export interface TerminalService {
  /**
   * Starts a command. Rejects with words for people when the program cannot be started. `onOutput` hears each piece of
   * output, decoded, in order, before `ended` settles.
   */
  start(command: TerminalCommand, onOutput: (text: string) => void): Promise<Terminal>;
}
