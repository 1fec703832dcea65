import fs from 'node:fs';
import { createEventLog } from '../session/eventLog.ts';
import { openLogFile } from '../session/logFile.ts';
import { PRODUCT } from '../session/product.ts';
import { firstCheckpointOf, readRun, runHeaderOf } from '../session/replay.ts';
import { findRun } from '../session/runs.ts';
import type { CheckpointRef, FileChange } from '../shared/events.ts';
import { reduce } from '../shared/reduce.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import { type Checkpoints, openCheckpoints } from '../workspace/checkpoint.ts';
import { endOrphans } from '../workspace/orphans.ts';
import { acquireRunLock } from '../workspace/runLock.ts';
import { diskPaths, personsFiles } from '../workspace/turnTruth.ts';

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
  const { stateFolder } = options;
  const found = await findRun(stateFolder, options.run);
  if (found.type === 'none') return problem(`There is no run ${options.run}. "cgloop runs" lists them.`);
  if (found.type === 'ambiguous') {
    return problem(`Several runs begin with ${options.run}: ${found.ids.join(', ')}. Give more of the id.`);
  }
  const record = await readRun(found.directory);
  const header = runHeaderOf(record.events);
  const target = firstCheckpointOf(record.events);
  if (header === null) return problem(`The log of run ${found.id} does not say what it worked on.`);
  if (record.state === 'running') return problem(`Run ${found.id} is still running: stop it first.`);
  if (record.readOnly) return problem(`Run ${found.id} was written by a newer version: undo it with that one.`);
  if (target === null) return problem(`Run ${found.id} ended before it began its work: there is nothing to undo.`);

  if (!fs.existsSync(header.folder)) {
    return problem(
      `The folder of run ${found.id} is gone: ${header.folder}. Bring it back, if need be empty, and undo again.`,
    );
  }
  // An agent of a run that was killed would undo the undoing.
  await endOrphans(stateFolder);
  const lock = await acquireRunLock({ folder: header.folder, stateFolder, runId: found.id });
  if (lock.type === 'held') {
    return problem(`Run ${lock.by.runId} is working in ${lock.by.folder}: stop it, or wait until it has ended.`);
  }
  let checkpoints: Checkpoints | null = null;
  try {
    checkpoints = await openCheckpoints({ folder: header.folder, stateFolder, runId: found.id });
    const persons = personsFiles(reduce(EMPTY_VIEW, record.events).rounds, diskPaths(header.folder));
    const { replaced, files, kept } = await checkpoints.restore(target, persons.alone);
    const undone = new Set(files.map((file) => file.path));
    const mixed = persons.withAgent.filter((file) => undone.has(file));
    const log = createEventLog({ now: Date.now, past: record.events });
    const file = await openLogFile({ directory: found.directory, product: PRODUCT, onProblem: () => {} });
    file.append(log.append({ type: 'run.undone', restored: target, replaced }));
    await file.close();
    return { type: 'undone', runId: found.id, folder: header.folder, files, kept, mixed, replaced };
  } catch (error) {
    return problem(error instanceof Error ? error.message : String(error));
  } finally {
    await checkpoints?.close();
    await lock.release();
  }
}

function problem(message: string): UndoResult {
  return { type: 'problem', message };
}
