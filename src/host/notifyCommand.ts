import path from 'node:path';
import { type FindContext, findCommand } from '../agent/findCommand.ts';
import type { Ending } from '../shared/ending.ts';
import type { ToolKind } from '../shared/toolCall.ts';
import type { Translate } from '../shared/translate.ts';
import { childEnv } from '../transport/childEnv.ts';
import type { ProgramOptions, ProgramResult } from '../transport/childProcess.ts';

/** What the person's own program gets on stdin, as one line of JSON. */
export type OutsideEvent = {
  readonly run: string;
  readonly folder: string;
  readonly task: string;
} & (
  | {
      readonly type: 'question';
      readonly agent: string;
      /** One sentence, in the person's language. */
      readonly question: string;
      readonly kind: ToolKind;
      /** The whole command line; null where no command is asked for. */
      readonly command: string | null;
      readonly paths: readonly string[];
    }
  /** It waits between two rounds. `why` for people. */
  | { readonly type: 'paused'; readonly why: string }
  | { readonly type: 'ended'; readonly ending: Ending; readonly scores: readonly (number | null)[] }
);

export interface NotifyCommandParts {
  /** Program and arguments as the person set them; empty: none. */
  readonly command: () => readonly string[];
  readonly find: () => FindContext;
  readonly run: (options: ProgramOptions) => Promise<ProgramResult>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute folder to start it in. */
  readonly cwd: string;
  /** Told once for each setting that fails. */
  readonly tell: (text: string) => void;
  readonly t: Translate;
}

const LIMIT_MS = 10_000;

/**
 * Hands events to the program of `cgloop.notifyCommand`, one after the other, without a shell, and for at most ten seconds each. Never rejects: a program that fails is no matter of the run.
 */
export function createNotifyCommand(parts: NotifyCommandParts): (event: OutsideEvent) => Promise<void> {
  const { t } = parts;
  let told: string | null = null;
  let queue: Promise<void> = Promise.resolve();

  async function hand(event: OutsideEvent): Promise<void> {
    const [name, ...args] = parts.command();
    if (name === undefined) return;
    const why = await problemOf(name, args, event);
    const setting = JSON.stringify([name, ...args]);
    if (why === null || told === setting) return;
    told = setting;
    parts.tell(t('The program of cgloop.notifyCommand failed: {0}', why));
  }

  async function problemOf(name: string, args: readonly string[], event: OutsideEvent): Promise<string | null> {
    const found = findCommand(name, parts.find(), path.isAbsolute(name) ? name : undefined);
    if (found.type === 'missing') return t('{0} was not found.', name);
    const { exit, stderr, stoppedBy } = await parts.run({
      command: found.command,
      args: [...found.args, ...args],
      cwd: parts.cwd,
      env: childEnv(parts.env, found.env),
      input: `${JSON.stringify(event)}\n`,
      timeoutMs: LIMIT_MS,
    });
    if (stoppedBy === 'timeLimit') return t('it did not end within {0} s and was stopped.', LIMIT_MS / 1000);
    if (exit.error !== null) return exit.error.message;
    if (exit.code === 0) return null;
    const [last = ''] = stderr.trim().split('\n').slice(-1);
    return `${exit.code === null ? t('it was ended by {0}.', exit.signal ?? '') : t('exit code {0}.', exit.code)} ${last}`.trim();
  }

  return (event) => {
    queue = queue.then(() => hand(event)).catch((error: unknown) => parts.tell(String(error)));
    return queue;
  };
}
