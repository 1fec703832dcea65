/** A program with its arguments. `verbatim` (Windows): the arguments are the command line as it stands, nothing is quoted. */
export interface ShellCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
}

/** No command line of a person is longer; cmd.exe takes 8191 characters (learn.microsoft.com, "Command prompt line string limitation"). */
const MOST_CHARACTERS = 4_000;

/** Bidirectional controls (Unicode Standard Annex 9, 2). */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Why the text cannot be a check, for people; null when it can. */
export function commandProblem(text: string): string | null {
  if (text.trim() === '') return 'A check is a command: this one is empty.';
  if (text.length > MOST_CHARACTERS) return `A check has at most ${MOST_CHARACTERS} characters: put it into a script.`;
  if (/\p{Cc}/u.test(text)) return 'A check is one line without control characters: put more into a script.';
  if (TURNS.test(text))
    return 'A check has no characters that change the direction of writing: it would not read as it runs.';
  if (/^\s*-/.test(text)) return 'A check begins with a program, and this one with an option.';
  return null;
}

/**
 * The shell that runs a check, as the person would have typed it: pipes, quotes and variables are theirs.
 *
 * This is the one place where a text becomes a command line. It may, because the text is the person's own: typed by them,
 * or confirmed by them letter by letter for this folder (`loop/confirmChecks.ts`), and neither an agent's nor a model's
 * words are ever put into it. It goes to the shell as one argument and is joined with nothing. On Windows cmd.exe takes
 * what stands between the outer quotes as it is (`/s`, learn.microsoft.com, "cmd"), and reads no AutoRun (`/d`).
 */
export function shellCommand(
  text: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): ShellCommand {
  if (platform !== 'win32') return { command: '/bin/sh', args: ['-c', text], verbatim: false };
  const told = Object.entries(env).find(([name]) => name.toUpperCase() === 'COMSPEC')?.[1] ?? '';
  // Another shell reads other arguments.
  const shell = /^(?:.*[\\/])?cmd(?:\.exe)?$/i.test(told) ? told : 'cmd.exe';
  return { command: shell, args: ['/d', '/s', '/c', `"${text}"`], verbatim: true };
}
