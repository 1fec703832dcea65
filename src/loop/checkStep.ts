import type { LoopEvent } from '../shared/events.ts';
import type { CheckpointRef, FileChange } from '../shared/fileEvents.ts';
import { reduce } from '../shared/reduce.ts';
import type { CheckEvidence } from '../shared/roundEvents.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import { type LoopParts, takeCheckpoint } from './loopParts.ts';
import { type CheckReport, NO_CHECKS } from './runChecks.ts';

/** The work of a round, for its checks. */
export interface CheckedWork {
  readonly round: number;
  readonly before: CheckpointRef;
  readonly after: CheckpointRef;
  /** What it changed. */
  readonly files: readonly FileChange[];
  /** The folder as it is now. */
  readonly now: CheckpointRef;
}

/** What the checks say, and the folder as they left it: that is what is reviewed. */
export interface Checked extends CheckReport {
  readonly tree: CheckpointRef;
  /** Files that the checks changed; relative, with `/`. */
  readonly wrote: readonly string[];
}

/** Runs the checks of the run between the work and its review. Rejects with `GitError`. */
export async function check(parts: LoopParts, { round, before, after, files, now }: CheckedWork): Promise<Checked> {
  const { log, checkpoints } = parts;
  const from = log.events.length;
  const report = (await parts.checks?.run({ before, after, files })) ?? NO_CHECKS;
  if (report.ran.length === 0 || (await checkpoints.treeNow()) === now.tree) return { ...report, tree: now, wrote: [] };
  const tree = await takeCheckpoint(parts, `after the checks of round ${round}`);
  const persons = new Set(
    log.events.slice(from).flatMap((event) => (event.type === 'user.edited' ? [event.path] : [])),
  );
  const written = (await checkpoints.changes(now, tree)).files.filter(({ path }) => !persons.has(path));
  if (written.length > 0) log.append({ type: 'checks.wrote', files: written });
  return { ...report, tree, wrote: written.map(({ path }) => path) };
}

/** The checks of a round as the log tells them. */
export function checksOf(events: readonly LoopEvent[], round: number): readonly CheckEvidence[] {
  const { checks = [] } = reduce(EMPTY_VIEW, events).rounds.find(({ number }) => number === round) ?? {};
  return checks.flatMap(({ command, end, output }) => (end === null ? [] : [{ command, end, tail: output }]));
}
