import { firstCheckpointOf } from '../session/replay.ts';
import type { CheckpointRef, FileChange } from '../shared/events.ts';
import { reduce } from '../shared/reduce.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import { type Checkpoints, openCheckpoints } from '../workspace/checkpoint.ts';
import { diskPaths, personsFiles } from '../workspace/turnTruth.ts';
import { openEndedRun } from './endedRun.ts';

export type UndoResult =
  | {
      readonly type: 'undone';
      readonly runId: string;
      readonly folder: string;
      /** What the undoing changed, none when the folder was already as before the run. */
      readonly files: readonly FileChange[];
      /** What the person alone changed during the run, as far as the editor saw it: left as it is. */
      readonly kept: readonly string[];
      /** What the person changed besides the agent: as before the run too, their part is in `replaced`. */
      readonly mixed: readonly string[];
      /** The folder as it was before the undoing. */
      readonly replaced: CheckpointRef;
    }
  | { readonly type: 'problem'; readonly message: string };

/**
 * Puts the folder of a run back as it was before the run, but for what the person alone changed meanwhile; `run` is its
 * id or a part that only it has. What is replaced is saved first, and the run's log tells of it.
 */
export async function undoRun(options: { readonly run: string; readonly stateFolder: string }): Promise<UndoResult> {
  const opened = await openEndedRun({ ...options, folder: 'lock' });
  if (opened.type === 'problem') return opened;
  const { run } = opened;
  const { folder } = run.header;
  let checkpoints: Checkpoints | null = null;
  try {
    const target = firstCheckpointOf(run.events);
    if (target === null) return problem(`Run ${run.id} ended before it began its work: there is nothing to undo.`);
    checkpoints = await openCheckpoints({ folder, stateFolder: options.stateFolder, runId: run.id });
    const persons = personsFiles(reduce(EMPTY_VIEW, run.events).rounds, diskPaths(folder));
    const { replaced, files, kept } = await checkpoints.putBack({
      from: null,
      to: target,
      label: target.label,
      keep: persons.alone,
    });
    const undone = new Set(files.map((file) => file.path));
    const mixed = persons.withAgent.filter((file) => undone.has(file));
    await run.append({ type: 'run.undone', restored: target, replaced });
    return { type: 'undone', runId: run.id, folder, files, kept, mixed, replaced };
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  } finally {
    await checkpoints?.close();
    await run.close();
  }
}

function problem(message: string): UndoResult {
  return { type: 'problem', message };
}
