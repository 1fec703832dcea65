import { StringDecoder } from 'node:string_decoder';
import type { Terminal, TerminalService } from '../scheduler/terminalService.ts';
import type { TerminalEnd } from '../shared/ending.ts';
import { childEnv } from '../transport/childEnv.ts';
import { CHILD_TIMES, type ChildExit, spawnChild } from '../transport/childProcess.ts';
import { createOutputTail } from './outputTail.ts';

/** What the service starts with; tests give their own. */
export interface TerminalDeps {
  readonly spawn: typeof spawnChild;
  /** Of this process; filtered before a command gets it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const DEPS: TerminalDeps = { spawn: spawnChild, env: process.env };

/** Programs that page their output or ask for a password would wait for keys that nobody can press here. */
const NOT_INTERACTIVE = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' } as const;

/**
 * Commands as children of this process: no shell, no terminal device, nothing on stdin. Both outputs come in the order
 * in which they are read. With its end, everything that a command started ends.
 */
export function createTerminalService({ spawn, env }: TerminalDeps = DEPS): TerminalService {
  return {
    async start({ command, args, verbatim = false, env: extra, cwd, outputByteLimit }, onOutput) {
      const tail = createOutputTail(outputByteLimit);
      const take = (text: string): void => {
        if (text === '') return;
        tail.push(text);
        onOutput(text);
      };
      const errors = new StringDecoder('utf8');
      const child = spawn(
        {
          command,
          args,
          verbatim,
          cwd,
          env: childEnv(env, { ...NOT_INTERACTIVE, ...extra }),
          onStderr: (chunk) => take(errors.write(chunk)),
        },
        { ...CHILD_TIMES, endMs: 0 },
      );
      const output = new StringDecoder('utf8');
      child.stdout.on('data', (chunk: Buffer) => take(output.write(chunk)));
      child.stdin.end();

      let by: TerminalEnd['by'] = 'itself';
      let end: TerminalEnd | null = null;
      const ended = child.exited.then((exit) => {
        take(output.end());
        take(errors.end());
        end = endOf(exit, by);
        return end;
      });
      if (child.pid === null) {
        const { error } = await child.exited;
        throw new Error(`${command} cannot be started: ${error?.message ?? 'no process came up'}`);
      }
      const terminal: Terminal = {
        output: () => ({ output: tail.text, truncated: tail.truncated, end }),
        ended,
        async kill(who) {
          if (end === null && by === 'itself') by = who;
          await child.stop();
          await ended;
        },
      };
      return terminal;
    },
  };
}

function endOf({ code, signal, error }: ChildExit, by: TerminalEnd['by']): TerminalEnd {
  const end = { exitCode: code, signal, by };
  return error === null ? end : { ...end, problem: error.message };
}
