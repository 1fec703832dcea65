/** A program with its arguments. `verbatim` (Windows): the arguments are the command line as it stands, nothing is quoted. */
export interface ShellCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
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
