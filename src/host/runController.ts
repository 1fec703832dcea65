import type { Decided, FindingOfRun } from '../loop/decideFinding.ts';
import type { RunOptions, StartProblem } from '../loop/options.ts';
import type { RunHandle, StartResult } from '../loop/runHandle.ts';
import type { UndoOptions, UndoPreview, UndoResult } from '../loop/undoRun.ts';
import { endingOf, type RunRecord } from '../session/replay.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEvent } from '../shared/events.ts';
import { markInterrupted } from '../shared/interrupted.ts';
import type { HostState } from '../shared/messages.ts';
import { reduce } from '../shared/reduce.ts';
import type { FindingDecision } from '../shared/roundEvents.ts';
import type { Translate, Words } from '../shared/translate.ts';
import { EMPTY_VIEW, type RunView } from '../shared/view.ts';
import { canBeCommitted, canBeReviewed, canBeUndone, canGoOn } from './afterwards.ts';
import type { Change, RunController, ShownRun } from './runControl.ts';
import { NO_RUN, NONE_SHOWN, NOT_SO } from './runProblems.ts';

/** What a controller works with; `host/workbench.ts` loads the real ones on their first use. */
export interface RunControllerParts {
  readonly startRun: (options: RunOptions, cancel: AbortSignal) => Promise<StartResult>;
  readonly undoRun: (options: UndoOptions) => Promise<UndoResult>;
  readonly previewUndo: (options: UndoOptions) => Promise<UndoPreview>;
  readonly decideAfterwards: (asked: FindingOfRun & { readonly decision: FindingDecision }) => Promise<Decided>;
  readonly askAfterwards: (asked: FindingOfRun & { readonly question: string }) => Promise<Decided>;
  readonly readRun: (directory: string) => Promise<RunRecord>;
  /** Whether the folder (absolute) lies in a git repository. */
  readonly isInRepository: (folder: string) => boolean;
  /** Calls back once, after one frame's time. Returns the way to call it off. */
  readonly nextFrame: (callback: () => void) => () => void;
  readonly t: Translate;
}

/** A controller that shows no run yet. */
export function createRunController(parts: RunControllerParts): RunController {
  const listeners = new Set<(change: Change) => void>();
  let phase: HostState['phase'] = 'idle';
  let shown: ShownRun | null = null;
  let folder: string | null = null;
  let problems: readonly StartProblem[] = [];
  let starting: AbortController | null = null;
  /** What could not start because another run works in the folder. */
  let held: RunOptions | null = null;
  let live: RunHandle | null = null;
  let settled: Promise<unknown> = Promise.resolve();
  let abandoned = false;
  let replays = 0;
  let folded = EMPTY_VIEW;
  let callOff: (() => void) | null = null;

  const problem = (words: Words) => ({ type: 'problem', message: words(parts.t) }) as const;
  const decided = (isDone: boolean): Decided => (isDone ? { type: 'decided' } : problem(NOT_SO));
  const tell = (change: Change): void => {
    for (const listener of listeners) listener(change);
  };
  const enter = (next: HostState['phase']): void => {
    phase = next;
    tell('state');
  };
  const show = (run: ShownRun | null): void => {
    shown = run;
    folded = EMPTY_VIEW;
  };
  const view = (): RunView => {
    if (shown === null) return EMPTY_VIEW;
    if (shown.events.length > folded.lastSeq) folded = reduce(folded, shown.events.slice(folded.lastSeq));
    return shown.interrupted ? markInterrupted(folded) : folded;
  };
  const onEvent = ({ type }: LoopEvent): void => {
    // A wish to pause is over when the run waits.
    if (type === 'run.paused') tell('state');
    callOff ??= parts.nextFrame(() => {
      callOff = null;
      tell('events');
    });
  };

  const begin = (run: RunHandle): void => {
    live = run;
    show({
      id: run.id,
      directory: run.directory,
      events: run.log.events,
      interrupted: false,
      replay: false,
      elsewhere: false,
    });
    const unsubscribe = run.log.subscribe(onEvent);
    settled = run.done.then(() => {
      unsubscribe();
      callOff?.();
      callOff = null;
      live = null;
      enter('idle');
    });
    enter('running');
  };
  const launch = async (options: RunOptions, cancel: AbortController): Promise<boolean> => {
    try {
      const result = await parts.startRun(options, cancel.signal);
      starting = null;
      if (result.type === 'started') {
        begin(result.run);
        if (abandoned) result.run.abandon();
        else if (cancel.signal.aborted) stop();
        return true;
      }
      problems = result.type === 'problems' ? result.problems : [];
      if (problems.some((problem) => problem.held === true)) held = options;
    } catch (error) {
      problems = [{ agent: null, what: errorText(error, parts.t), fix: '' }];
    }
    starting = null;
    enter('idle');
    return false;
  };
  const stop = (): void => {
    if (phase === 'idle') return;
    starting?.abort();
    live?.stop();
    if (phase !== 'stopping') enter('stopping');
  };

  /** The run shown where something can be done with it: nobody works on it, here or elsewhere. */
  const atRest = (): ShownRun | null =>
    shown === null || shown.replay || shown.elsewhere || phase !== 'idle' ? null : shown;
  /** The view goes on from what it has: the log on disk has the same events, and at its end those that were added. */
  const reread = async (run: ShownRun): Promise<void> => {
    if (shown !== run) return;
    const { events } = await parts.readRun(run.directory);
    if (shown === run) shown = { ...run, events };
  };
  const afterwards = async (add: (run: string) => Promise<Decided>): Promise<Decided> => {
    const run = shown;
    if (run === null || run.replay || phase !== 'idle') return problem(NO_RUN);
    const result = await add(run.id);
    if (result.type === 'decided') await reread(run);
    tell('state');
    return result;
  };

  const start = async (options: RunOptions): Promise<boolean> => {
    if (phase !== 'idle' || abandoned) return false;
    starting = new AbortController();
    problems = [];
    held = null;
    // Beside a run in a worktree of it, the folder is free.
    folder = options.newWorktree === true ? null : options.folder;
    // A run that goes on stays in sight while its agents come up.
    if (shown === null || shown.replay || shown.id !== options.resume) show(null);
    enter('starting');
    const launched = launch(options, starting);
    settled = launched;
    return launched;
  };
  const whenSettled = async (): Promise<void> => {
    // A start that succeeds hands over to the run it started.
    while (phase !== 'idle') await settled;
  };

  return {
    get phase() {
      return phase;
    },
    get shown() {
      return shown;
    },
    get problems() {
      return problems;
    },
    get canUndo() {
      const run = atRest();
      return run !== null && canBeUndone(view(), run.events);
    },
    get canRedo() {
      return atRest() !== null && view().undoings.at(-1)?.settled === false;
    },
    get canResume() {
      return atRest() !== null && canGoOn(view());
    },
    get canReviewAgain() {
      return atRest() !== null && canBeReviewed(view());
    },
    get canCommit() {
      return atRest() !== null && canBeCommitted(view(), parts.isInRepository);
    },
    get pauseWanted() {
      return live?.pauseWanted ?? false;
    },
    get folder() {
      return phase === 'idle' ? null : folder;
    },
    view,
    start,
    async startWhenFree() {
      return held !== null && start({ ...held, wait: true });
    },
    answer: (permissionId, answer) => live?.answer(permissionId, answer) ?? false,
    pause(wanted) {
      live?.pause(wanted);
      tell('state');
    },
    proceed: (feedback) => live?.proceed(feedback) ?? false,
    note: (text) => live?.note(text) ?? false,
    noteUserEdit: (file) => live?.noteUserEdit(file),
    stop,
    async undo(stateFolder, asked = {}) {
      const run = shown;
      if (run === null || run.replay || phase !== 'idle') return problem(NONE_SHOWN);
      const result = await parts.undoRun({ ...asked, run: run.id, stateFolder });
      if (result.type === 'undone') await reread(run);
      tell('state');
      return result;
    },
    async decide(stateFolder, id, decision) {
      if (live !== null) return decided(live.decideFinding(id, decision));
      return afterwards((run) => parts.decideAfterwards({ run, stateFolder, id, decision }));
    },
    async ask(stateFolder, id, question) {
      if (live !== null) return decided(live.note(question, id));
      return afterwards((run) => parts.askAfterwards({ run, stateFolder, id, question }));
    },
    async previewUndo(stateFolder, asked = {}) {
      const run = atRest();
      return run === null ? problem(NONE_SHOWN) : parts.previewUndo({ ...asked, run: run.id, stateFolder });
    },
    async open(directory) {
      if (phase !== 'idle') return;
      const before = shown;
      const { events, state, header: _ } = await parts.readRun(directory);
      if (phase !== 'idle' || shown !== before) return;
      const id = events.find((event) => event.type === 'run.started')?.run.id;
      if (id === undefined) return;
      show({
        id,
        directory,
        events,
        interrupted: state === 'interrupted',
        replay: false,
        elsewhere: state === 'running',
      });
      tell('state');
    },
    openReplay(file, events) {
      if (phase !== 'idle') return;
      problems = [];
      const interrupted = endingOf(events) === null;
      // An id of its own: the page keeps what it has of a run by its id.
      replays += 1;
      show({ id: `replay-${replays}`, directory: file, events, interrupted, replay: true, elsewhere: false });
      tell('state');
    },
    async refresh() {
      const run = shown;
      if (run === null || run.replay || phase !== 'idle') return;
      const { events, state } = await parts.readRun(run.directory);
      if (shown === run && phase === 'idle' && events.length >= run.events.length) {
        shown = { ...run, events, interrupted: state === 'interrupted', elsewhere: state === 'running' };
        tell('state');
      }
    },
    clear() {
      if (phase !== 'idle') return;
      problems = [];
      show(null);
      tell('state');
    },
    abandon() {
      abandoned = true;
      starting?.abort();
      live?.abandon();
      return whenSettled();
    },
    settled: whenSettled,
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
