import fs from 'node:fs';
import { createEventLog } from '../session/eventLog.ts';
import { type LogFile, openLogFile } from '../session/logFile.ts';
import { lostLine } from '../session/logReader.ts';
import { PRODUCT } from '../session/product.ts';
import { knownSecrets, withoutSecrets } from '../session/redact.ts';
import { type RunState, readRun, runHeaderOf } from '../session/replay.ts';
import { findProblem, findRun } from '../session/runs.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEvent, LoopEventBody, RunHeader } from '../shared/events.ts';
import { english, type Translate } from '../shared/translate.ts';
import { endOrphans } from '../workspace/orphans.ts';
import { acquireRunLock } from '../workspace/runLock.ts';
import { folderHeldBy } from './takeFolder.ts';

/** A run that is over, as it lies on disk, and the way to add to its log. */
export interface EndedRun {
  readonly id: string;
  /** The run's folder on disk, with `log.jsonl`. */
  readonly directory: string;
  readonly header: RunHeader;
  /** Absolute: where its files are now. Of a worktree that was applied they are in the person's folder. */
  readonly folder: string;
  readonly state: Exclude<RunState, 'running'>;
  /** What the log holds, with what was added since. */
  readonly events: readonly LoopEvent[];
  /** Writes the event to the log before it returns. Rejects with `LogError` when another process writes there now. */
  append(body: LoopEventBody): Promise<LoopEvent>;
  /** Lets go of the log and the folder. Safe more than once. Never rejects. */
  close(): Promise<void>;
}

export type OpenedRun =
  | { readonly type: 'open'; readonly run: EndedRun }
  /** What is in the way and the way out. Nothing is held. */
  | { readonly type: 'problem'; readonly message: string };

export interface EndedRunOptions {
  /** The run's id, or a part that only it has. */
  readonly run: string;
  readonly stateFolder: string;
  /**
   * `lock`: the folder of the run is there, nothing that outlived the run works in it any more, and no run begins in it
   * until `close`. `lockIfThere`: the same, but a folder that is gone is no problem. `leave`: it is of no concern.
   */
  readonly folder: 'lock' | 'lockIfThere' | 'leave';
  /** Says what is in the way. Absent: in English. */
  readonly t?: Translate;
}

/** Opens a run that nobody is writing: the one door for everything that is done to a run after it has ended. */
export async function openEndedRun({ run, stateFolder, folder, t = english }: EndedRunOptions): Promise<OpenedRun> {
  const found = await findRun(stateFolder, run);
  if (found.type !== 'found') return problem(findProblem(found, run, t));
  const { id, directory } = found;
  try {
    const { events, state, readOnly } = await readRun(directory);
    const header = runHeaderOf(events);
    if (header === null) return problem(t('The log of run {0} does not say what it worked on.', id));
    if (state === 'running') return problem(t('Run {0} is still running: stop it first.', id));
    if (readOnly) return problem(t('Run {0} was written by a newer version, which alone can change it.', id));
    const place = runPlace(header, events);
    const isFree = folder === 'leave' || (folder === 'lockIfThere' && !fs.existsSync(place));
    const taken = isFree ? NOTHING_HELD : await takeOver(id, place, header, events, stateFolder, t);
    if (taken.type === 'problem') return taken;
    return {
      type: 'open',
      run: { ...writable(directory, events, taken.release), id, directory, header, folder: place, state },
    };
  } catch (error) {
    return problem(errorText(error, t));
  }
}

const NOTHING_HELD = { type: 'taken', release: async () => {} } as const;

/**
 * Why nobody can tell what the run did to its files, and where they still are; null: its log tells it. Before anything is put
 * back, applied or staged: a lost line may have told of a state of the folder.
 */
export function untold({ id, events }: Pick<EndedRun, 'id' | 'events'>, t: Translate): string | null {
  const lost = lostLine(events);
  if (lost === null) return null;
  return t(
    '{0}. What run {1} did to its files can no longer be told for certain: nothing was changed. Its checkpoints are still kept in git, as refs/cgloop/{1}/1 and so on.',
    lost,
    id,
  );
}

/** What became of the worktree that a run worked in; null: nothing yet, or there is none. */
export function settledAs(events: readonly LoopEvent[]): 'applied' | 'kept' | 'dropped' | null {
  const settled = events.findLast((event) => event.type === 'worktree.settled');
  return settled?.type === 'worktree.settled' ? settled.how : null;
}

/** What became of a worktree, as a part of a sentence. */
export function settledWords(how: NonNullable<ReturnType<typeof settledAs>>, t: Translate): string {
  switch (how) {
    case 'applied':
      return t('applied');
    case 'kept':
      return t('kept');
    case 'dropped':
      return t('dropped');
    default:
      return how satisfies never;
  }
}

/** Absolute: where the files of a run are now. Of a worktree that was applied they are in the person's folder. */
export function runPlace({ folder, worktree }: RunHeader, events: readonly LoopEvent[]): string {
  return settledAs(events) === 'applied' ? (worktree?.origin ?? folder) : folder;
}

/** What to say when the folder of a run is not there. */
export function folderGone(runId: string, folder: string, t: Translate): string {
  return t('The folder of run {0} is gone: {1}. Bring it back, if need be empty, and try again.', runId, folder);
}

/** The same of one that may be a worktree. */
export function placeGone(
  runId: string,
  folder: string,
  { worktree }: Pick<RunHeader, 'worktree'>,
  events: readonly LoopEvent[],
  t: Translate,
): string {
  const settled = settledAs(events);
  if (settled !== null)
    return t('The worktree of run {0} was {1}: there is no folder of it any more.', runId, settledWords(settled, t));
  if (worktree === undefined) return folderGone(runId, folder, t);
  return t(
    'The worktree of run {0} is gone: {1}. Its checkpoints are kept: "cgloop worktree apply {0}" still brings its work into your folder, "drop" removes what is left of it.',
    runId,
    folder,
  );
}

async function takeOver(
  runId: string,
  folder: string,
  header: RunHeader,
  events: readonly LoopEvent[],
  stateFolder: string,
  t: Translate,
) {
  if (!fs.existsSync(folder)) return problem(placeGone(runId, folder, header, events, t));
  // An agent of a run that was killed would work on.
  await endOrphans(stateFolder);
  const lock = await acquireRunLock({ folder, stateFolder, runId });
  if (lock.type === 'held') return problem(folderHeldBy(lock.by, t));
  return { type: 'taken', release: lock.release } as const;
}

/** The log is opened with the first event: whoever only looks leaves it alone. */
function writable(
  directory: string,
  past: readonly LoopEvent[],
  release: () => Promise<void>,
): Pick<EndedRun, 'events' | 'append' | 'close'> {
  const secrets = knownSecrets(process.env);
  const log = createEventLog({ now: Date.now, past, clean: (body) => withoutSecrets(body, secrets) });
  let file: Promise<LogFile> | null = null;
  let closed: Promise<void> | null = null;
  const shut = async (): Promise<void> => {
    await (await file?.catch(() => null))?.close();
    await release();
  };
  return {
    events: log.events,
    async append(body) {
      file ??= openLogFile({ directory, product: PRODUCT, onProblem: warn });
      const open = await file;
      const event = log.append(body);
      open.append(event);
      return event;
    },
    close() {
      closed ??= shut();
      return closed;
    },
  };
}

function warn(text: string): void {
  process.emitWarning(text);
}

function problem(message: string): Extract<OpenedRun, { readonly type: 'problem' }> {
  return { type: 'problem', message };
}
