import type { PermissionAnswer } from '../shared/permission.ts';
import type { PermissionItem, RunView } from '../shared/view.ts';
import type { Change, RunController } from './runControl.ts';

/** One question that waits for the person, and the run that it belongs to. */
export interface WaitingRequest {
  readonly runId: string;
  readonly view: RunView;
  readonly item: PermissionItem;
}

/**
 * All runs of a window. As a `RunController` it is the run that the view shows; a run that is under way stays when another
 * one is shown in its place.
 */
export interface RunDeck extends RunController {
  /** The runs under way or coming up, in the order in which they were started. */
  readonly live: readonly RunController[];
  /** The questions of all runs, those of the run shown first, then oldest first. */
  waiting(): readonly WaitingRequest[];
  /** False: the question was already settled, or is of no run of this window. */
  answerOf(runId: string, permissionId: string, answer: PermissionAnswer): boolean;
  /** Shows a run that is under way, by its id. */
  showLive(runId: string): void;
  /** Shows the run of this folder, from disk unless it is under way in this window. Rejects with `LogError`. */
  showRun(directory: string): Promise<void>;
  /** Shows an empty place for a new run, whatever is under way. */
  showNew(): void;
  /** The person changed this file, absolute: every run in whose folder it lies is told. */
  noteUserEdit(file: string): void;
  /** As `onDidChange`, of every run, with the run. */
  onDidChangeAny(listener: (change: Change, run: RunController) => void): () => void;
}

/** A deck with one run, which shows nothing yet. */
export function createRunDeck(create: () => RunController): RunDeck {
  const listeners = new Set<(change: Change) => void>();
  const anyListeners = new Set<(change: Change, run: RunController) => void>();
  const unsubscribe = new Map<RunController, () => void>();
  let runs: readonly RunController[] = [];
  let active = create();
  take(active);

  function take(run: RunController): void {
    if (runs.includes(run)) return;
    runs = [...runs, run];
    unsubscribe.set(
      run,
      run.onDidChange((change) => {
        if (run === active) for (const listener of listeners) listener(change);
        for (const listener of anyListeners) listener(change, run);
        if (change === 'state') tidy();
      }),
    );
  }
  /** Lets go of what is neither shown nor under way. */
  function tidy(): void {
    for (const run of runs.filter((one) => one !== active && one.phase === 'idle')) {
      unsubscribe.get(run)?.();
      unsubscribe.delete(run);
      runs = runs.filter((one) => one !== run);
    }
  }
  function show(run: RunController): void {
    if (run === active) return;
    take(run);
    active = run;
    tidy();
    for (const listener of listeners) listener('state');
    for (const listener of anyListeners) listener('state', run);
  }
  /** The place for another run: the one shown, unless it is under way; else a new one, which is not among ours before it is taken. */
  const free = (): RunController => (active.phase === 'idle' ? active : create());
  const open = async (directory: string): Promise<void> => {
    const run = free();
    await run.open(directory);
    show(run);
  };
  const live = (): readonly RunController[] => runs.filter((run) => run.phase !== 'idle');

  return {
    get phase() {
      return active.phase;
    },
    get shown() {
      return active.shown;
    },
    get problems() {
      return active.problems;
    },
    get canUndo() {
      return active.canUndo;
    },
    get canRedo() {
      return active.canRedo;
    },
    get canResume() {
      return active.canResume;
    },
    get canReviewAgain() {
      return active.canReviewAgain;
    },
    get canCommit() {
      return active.canCommit;
    },
    get pauseWanted() {
      return active.pauseWanted;
    },
    get folder() {
      return active.folder;
    },
    get live() {
      return live();
    },
    view: () => active.view(),
    async start(options) {
      if (live().some((run) => run.folder === options.folder)) return false;
      const run = free();
      take(run);
      const started = run.start(options);
      show(run);
      return started;
    },
    startWhenFree: () => active.startWhenFree(),
    answer: (permissionId, answer) => active.answer(permissionId, answer),
    pause: (wanted) => active.pause(wanted),
    proceed: (feedback) => active.proceed(feedback),
    note: (text) => active.note(text),
    decide: (stateFolder, finding, decision) => active.decide(stateFolder, finding, decision),
    ask: (stateFolder, finding, question) => active.ask(stateFolder, finding, question),
    stop: () => active.stop(),
    undo: (stateFolder, asked) => active.undo(stateFolder, asked),
    previewUndo: (stateFolder, asked) => active.previewUndo(stateFolder, asked),
    open,
    openReplay(file, events) {
      const run = free();
      run.openReplay(file, events);
      show(run);
    },
    refresh: () => active.refresh(),
    clear: () => active.clear(),
    async abandon() {
      await Promise.all(runs.map((run) => run.abandon()));
    },
    settled: () => active.settled(),
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    waiting() {
      const of = (run: RunController): WaitingRequest[] => {
        const { shown } = run;
        const view = run.view();
        // What is at work elsewhere is answered there.
        return shown === null || run.phase === 'idle'
          ? []
          : view.waiting.map((item) => ({ runId: shown.id, view, item }));
      };
      const others = runs.filter((run) => run !== active).flatMap(of);
      return [...of(active), ...others.toSorted((a, b) => a.item.at - b.item.at)];
    },
    answerOf(runId, permissionId, answer) {
      return (
        live()
          .find((run) => run.shown?.id === runId)
          ?.answer(permissionId, answer) ?? false
      );
    },
    showLive(runId) {
      const run = live().find((one) => one.shown?.id === runId);
      if (run !== undefined) show(run);
    },
    async showRun(directory) {
      const known = runs.find((run) => run.shown?.directory === directory);
      if (known !== undefined) return show(known);
      return open(directory);
    },
    showNew() {
      const run = free();
      run.clear();
      show(run);
    },
    noteUserEdit(file) {
      for (const run of live()) run.noteUserEdit(file);
    },
    onDidChangeAny(listener) {
      anyListeners.add(listener);
      return () => anyListeners.delete(listener);
    },
  };
}
