import path from 'node:path';
import type { CreateTerminalParams } from '../protocol/acp.ts';
import { commandLine, plainWords } from './commandLine.ts';
import type { TerminalCommand } from './terminalService.ts';

/** Bytes of output that are kept where the agent names no limit, and at most. */
const OUTPUT_LIMIT = 1024 * 1024;

/** What is wrong with the parameters themselves, or null. */
export function problemOf({ command, args, cwd, env }: CreateTerminalParams): string | null {
  if (command.trim() === '') return 'The command is empty.';
  if (cwd != null && !path.isAbsolute(cwd)) return `The working folder must be an absolute path: ${cwd}`;
  const texts = [command, ...(args ?? []), cwd ?? '', ...(env ?? []).flatMap(({ name, value }) => [name, value])];
  if (texts.some((text) => text.includes('\0'))) return 'A NUL character cannot be part of a command.';
  // A name with a space in it would stand in the line as the program.
  const wrong = (env ?? []).find(({ name }) => !/^[A-Za-z_]\w*$/.test(name));
  if (wrong !== undefined) return `No name of a variable: ${JSON.stringify(wrong.name)}`;
  if (wordsOf({ command, args }) === null) {
    return `Commands are started without a shell: give the program as "command" and its arguments as "args", or name a shell as the program. This is no program: ${command}`;
  }
  return null;
}

/**
 * The program and its arguments. Some agents send a whole line as the command: one that means the same to everyone is
 * taken apart, and null is given for one that needs a shell.
 */
function wordsOf({ command, args }: Pick<CreateTerminalParams, 'command' | 'args'>): readonly string[] | null {
  const isLine = (args ?? []).length === 0 && !path.isAbsolute(command);
  return isLine ? plainWords(command) : [command, ...(args ?? [])];
}

/** What is started; `cwd` resolved. */
export function commandOf(params: CreateTerminalParams, cwd: string): TerminalCommand {
  const { env, outputByteLimit } = params;
  const [command = '', ...args] = wordsOf(params) ?? [];
  return {
    command,
    args,
    env: Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
    cwd,
    outputByteLimit: Math.min(OUTPUT_LIMIT, Math.max(0, Math.floor(outputByteLimit ?? OUTPUT_LIMIT))),
  };
}

/**
 * All that runs, as it would be typed. Another folder and variables of the agent's own stand before the program, so that
 * such a line is never taken for the plain one that somebody has allowed.
 */
export function lineOf(params: CreateTerminalParams, folder: string): string {
  const { env, cwd } = params;
  const [command = '', ...args] = wordsOf(params) ?? [];
  const variables = (env ?? []).map(({ name, value }) => `${name}=${commandLine(value, [])} `).join('');
  const line = `${variables}${commandLine(command, args)}`;
  return cwd == null || path.resolve(cwd) === folder ? line : `cd ${commandLine(cwd, [])} && ${line}`;
}
