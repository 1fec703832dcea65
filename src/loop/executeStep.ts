import type { Ending } from '../shared/ending.ts';
import type { CheckpointRef, TurnTruth } from '../shared/fileEvents.ts';
import { firstOf } from '../shared/translate.ts';
import { loopDiagnostic } from './loopDiagnostic.ts';
import { failureOf, type LoopParts } from './loopParts.ts';
import type { RunOptions } from './options.ts';
import { goOnPrompt } from './prompts.ts';

/** What an execution gave for its reviewer. */
export interface Work {
  readonly texts: readonly string[];
  readonly denials: readonly string[];
}

/**
 * One execution. When its program ends in the middle of it, it is asked again only if the person wants it, with a
 * prompt that says so: what was begun may be done already.
 */
export async function execute(
  parts: LoopParts,
  prompt: string,
  opening: string,
  earlier: Work,
): Promise<Work | Ending> {
  let next = opening;
  let work = earlier;
  for (;;) {
    const { result } = await parts.turns.run('execute', next);
    work = { texts: [...work.texts, ...result.texts], denials: [...work.denials, ...result.denials] };
    const failed = failureOf('execute', result, parts);
    if (failed === null) return work;
    if (failed.type !== 'failed' || failed.cause !== 'agentExit' || !(await parts.revive())) {
      return parts.stopped.aborted ? { type: 'stopped' } : failed;
    }
    next = goOnPrompt(prompt, parts.reviewing.words);
  }
}

/**
 * Of a run in which nothing may be written: logs what was written all the same between the two checkpoints, and gives why
 * that is no approval. An agent without a mode that holds it writes the disk itself. What the person alone changed does
 * not count. Rejects with `GitError`.
 */
export async function tellTrespass(
  { log, checkpoints, t }: Pick<LoopParts, 'log' | 'checkpoints' | 't'>,
  { permissionMode }: Pick<RunOptions, 'permissionMode'>,
  { start, after }: { readonly start: CheckpointRef; readonly after: CheckpointRef },
  { byUser }: Pick<TurnTruth, 'byUser'>,
): Promise<readonly string[]> {
  if (permissionMode !== 'read-only' || start.tree === after.tree) return [];
  const { files } = await checkpoints.changes(start, after);
  const written = files.map((file) => file.path).filter((file) => !byUser.includes(file));
  if (written.length === 0) return [];
  const named = firstOf(written, NAMED, t);
  const why = t('The run is read-only, but files changed while the executor worked: {0}.', named);
  log.append(loopDiagnostic('error', `${why} ${t('Undo the run to put them back.')}`));
  return [why];
}

const NAMED = 5;
