import { stripVTControlCharacters } from 'node:util';
import { type After, createLiveOutput } from '../scheduler/liveOutput.ts';
import type { Terminal, TerminalService } from '../scheduler/terminalService.ts';
import { commandProblem } from '../shared/checkWords.ts';
import type { TerminalEnd } from '../shared/ending.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { FileChange } from '../shared/fileEvents.ts';
import type { CheckChange, CheckEnd, CheckEvidence, CheckRequest } from '../shared/roundEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import { changesBetween, type Definition, definitionOf } from '../workspace/checks/definition.ts';
import { ignoresTests, removedTests } from '../workspace/checks/removedTests.ts';
import { shellCommand } from '../workspace/checks/shell.ts';
import type { CheckConsent } from './confirmChecks.ts';

/** A checkpoint of the folder. */
interface Ground {
  readonly tree: string;
}

/** What the checks of one round say. */
export interface CheckReport {
  readonly ran: readonly CheckEvidence[];
  /** `why` in English: it goes into prompts. */
  readonly skipped: readonly { readonly command: string; readonly why: string }[];
  /** What the round did to the ground that they stand on. */
  readonly changes: readonly CheckChange[];
  /** Why the work cannot be approved, for people. */
  readonly blockedBy: readonly string[];
}

/** The checks of a run without any. */
export const NO_CHECKS: CheckReport = { ran: [], skipped: [], changes: [], blockedBy: [] };

/** The checks of one run. Neither rejects but with `GitError`. */
export interface CheckRunner {
  /** Asks for what nobody has confirmed, while the person who started the run is still there. `start`: the folder before it. */
  begin(start: Ground): Promise<void>;
  /** Runs the checks one after another on the work of a round. `files`: what it changed. An aborted `stopped` ends them. */
  run(round: {
    readonly before: Ground;
    readonly after: Ground;
    readonly files: readonly FileChange[];
  }): Promise<CheckReport>;
}

export interface CheckParts {
  readonly checks: readonly CheckRequest[];
  /** Absolute, links resolved. */
  readonly folder: string;
  readonly limitSeconds: number;
  readonly consent: CheckConsent;
  readonly terminals: TerminalService;
  /** The text of a file in a checkpoint; null where there is none. */
  readonly textOf: (of: Ground, file: string) => Promise<string | null>;
  readonly append: (body: LoopEventBody) => void;
  readonly after: After;
  /** Numbers the checks of the run. */
  readonly nextId: () => string;
  readonly stopped: AbortSignal;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly t: Translate;
}

/** Bytes of a check's output that are kept as evidence. */
const TAIL_BYTES = 64 * 1024;

/**
 * Programs that watch files or ask wait for ever without a person, and stop doing so where this is set; runners that
 * would write what they are to compare with, such as snapshots, refuse to. It is the value that CI services set.
 */
const UNATTENDED = { CI: 'true' } as const;

export function createCheckRunner(parts: CheckParts): CheckRunner {
  const { checks, consent, append, stopped, t } = parts;
  const definitions = new Map<string, { readonly tree: string; readonly definition: Definition }>();

  /** Read again only where one of the files that it was looked for in has changed. */
  const defined = async (command: string, at: Ground, since?: { from: Ground; files: readonly FileChange[] }) => {
    const last = definitions.get(command);
    const isSame =
      last !== undefined &&
      (last.tree === at.tree ||
        (last.tree === since?.from.tree && !since.files.some(({ path }) => last.definition.looked.has(path))));
    const definition = isSame
      ? last.definition
      : await definitionOf(command, { read: (file) => parts.textOf(at, file) });
    definitions.set(command, { tree: at.tree, definition });
    return definition;
  };

  async function runOne(command: string): Promise<CheckEvidence> {
    const checkId = parts.nextId();
    const { folder: cwd, limitSeconds } = parts;
    append({ type: 'check.started', checkId, command, cwd, limitSeconds });
    const live = createLiveOutput((piece) => append({ type: 'check.output', checkId, ...piece }), parts.after);
    const { end, tail } = await carryOut(command, live.push);
    live.flush();
    append({ type: 'check.ended', checkId, end });
    return { command, end, tail };
  }

  async function carryOut(command: string, onOutput: (text: string) => void) {
    const problem = commandProblem(command);
    if (problem !== null) return { end: neverStarted(problem), tail: '' };
    let terminal: Terminal;
    try {
      const shell = shellCommand(command, parts.platform, parts.env);
      const limits = { cwd: parts.folder, outputByteLimit: TAIL_BYTES };
      terminal = await parts.terminals.start(
        { ...shell, ...limits, env: parts.env.CI === undefined ? UNATTENDED : {} },
        onOutput,
      );
    } catch (error) {
      return { end: neverStarted(errorText(error)), tail: '' };
    }
    let by: CheckEnd['by'] = 'itself';
    const endBy = (who: CheckEnd['by']) => () => {
      if (by === 'itself') by = who;
      void terminal.kill('stop');
    };
    const onStop = endBy('stop');
    const takeBack = parts.after(parts.limitSeconds * 1000, endBy('limit'));
    stopped.addEventListener('abort', onStop, { once: true });
    if (stopped.aborted) onStop();
    const end = await terminal.ended;
    takeBack();
    stopped.removeEventListener('abort', onStop);
    return { end: endOf(end, by), tail: plain(terminal.output().output) };
  }

  return {
    async begin(start) {
      for (const check of checks) {
        if (stopped.aborted) return;
        await consent.ask(check, await defined(check.command, start), []);
      }
    },
    async run({ before, after, files }) {
      const changes: CheckChange[] = [];
      const now: { readonly check: CheckRequest; readonly definition: Definition }[] = [];
      for (const check of checks) {
        const { command } = check;
        const old = await defined(command, before);
        const definition = await defined(command, after, { from: before, files });
        changes.push(...changesBetween(command, old, definition));
        now.push({ check, definition });
      }
      const removed = checks.length === 0 ? [] : removedTests(files);
      if (removed.length > 0) changes.push({ type: 'testsRemoved', files: removed });
      if (changes.length > 0) append({ type: 'checks.changed', changes });

      const ran: CheckEvidence[] = [];
      const skipped: CheckReport['skipped'][number][] = [];
      const blockedBy: string[] = [];
      for (const { check, definition } of now) {
        const { command } = check;
        const may = stopped.aborted ? null : await consent.ask(check, definition, ignoresTests(command) ? [] : removed);
        if (may === null || stopped.aborted) break;
        if (may.type === 'skip') {
          append({ type: 'check.skipped', command, why: may.why(t) });
          skipped.push({ command, why: may.why(english) });
          continue;
        }
        const evidence = await runOne(command);
        ran.push(evidence);
        if (!evidence.end.passed) blockedBy.push(t('The check "{0}" is red: {1}.', command, redWords(evidence.end, t)));
        if (may.type === 'runUnproved') blockedBy.push(unprovedWords(command, may.files, t));
      }
      return { ran, skipped, changes, blockedBy };
    },
  };
}

function unprovedWords(command: string, files: readonly string[], t: Translate): string {
  return t(
    'The run changed what the check "{0}" runs, in {1}, and nobody was there to confirm it.',
    command,
    files.join(', '),
  );
}

function redWords({ exitCode, signal, by, problem }: CheckEnd, t: Translate): string {
  if (problem !== undefined) return t('it did not start ({0})', problem);
  if (by === 'limit') return t('it took too long and was ended');
  if (by === 'stop') return t('it was stopped');
  return signal === null ? t('exit code {0}', String(exitCode)) : t('ended by {0}', signal);
}

function neverStarted(problem: string): CheckEnd {
  return { passed: false, exitCode: null, signal: null, by: 'itself', problem };
}

function endOf({ exitCode, signal, problem }: TerminalEnd, by: CheckEnd['by']): CheckEnd {
  const end = { passed: by === 'itself' && exitCode === 0 && problem === undefined, exitCode, signal, by };
  return problem === undefined ? end : { ...end, problem };
}

/** Without colours, and of a line that was written over again and again only what stood there last. */
function plain(output: string): string {
  return stripVTControlCharacters(output)
    .replaceAll('\r\n', '\n')
    .replace(/[^\n]*\r/g, '');
}
