import { endState } from '../../src/loop/endState.ts';
import { createEventLog, type EventLog } from '../../src/session/eventLog.ts';
import { openLogFile } from '../../src/session/logFile.ts';
import { runDirectory } from '../../src/session/runs.ts';
import type { Role } from '../../src/shared/agentEvents.ts';
import type { LoopEventBody, RunHeader } from '../../src/shared/events.ts';
import type { CheckpointRef } from '../../src/shared/fileEvents.ts';
import { type Checkpoints, openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { HEADER } from '../fakes/events.ts';
import type { Ground } from '../workspace/grounds.ts';

/** The id of the run that `writeRun` writes. */
export const RUN_ID = '20260101-000000-abcdef';

/** What happens in one round: the agent's work, and what comes between its end and the next round. */
export interface WrittenRound {
  readonly work: (note: Note) => void;
  /** Before the checkpoint of the next round. */
  readonly afterwards?: (note: Note) => void;
  /** Findings that the review of this round opens or calls fixed. */
  readonly findings?: readonly LoopEventBody[];
}

/** Puts an event into the log at this point. */
export type Note = (body: LoopEventBody) => void;

/**
 * Writes a run with its checkpoints as the loop does, on real git; `end` null: it was killed in the last round, in the turn
 * of `killedIn`.
 */
export async function writeRun(
  own: Ground,
  rounds: readonly WrittenRound[],
  end: LoopEventBody | null = { type: 'run.ended', ending: { type: 'stopped' } },
  header: Partial<RunHeader> = {},
  killedIn: Role = 'execute',
): Promise<readonly CheckpointRef[]> {
  const log: EventLog = createEventLog({ now: () => 1_000 });
  const file = await openLogFile({
    directory: runDirectory(own.stateFolder, RUN_ID),
    product: { name: 'cgloop', version: '0' },
    onProblem: (text) => {
      throw new Error(text);
    },
  });
  log.subscribe((event) => file.append(event));
  const checkpoints: Checkpoints = await openCheckpoints({
    folder: own.folder,
    stateFolder: own.stateFolder,
    runId: RUN_ID,
  });
  const note: Note = (body) => void log.append(body);
  const taken: CheckpointRef[] = [];
  const take = async (label: string): Promise<CheckpointRef> => {
    const checkpoint = await checkpoints.snapshot(label);
    note({ type: 'checkpoint.created', checkpoint });
    taken.push(checkpoint);
    return checkpoint;
  };
  note({ type: 'run.started', run: { ...HEADER, id: RUN_ID, folder: own.folder, ...header } });
  let turn = 0;
  for (const [index, { work, afterwards, findings = [] }] of rounds.entries()) {
    const round = index + 1;
    const isKilled = end === null && round === rounds.length;
    const before = await take(`before round ${round}`);
    note({ type: 'round.started' });
    turn += 1;
    const wire = { sessionId: null, model: null };
    note({ type: 'turn.started', turn, role: 'execute', prompt: 'p', wire });
    work(note);
    if (isKilled && killedIn === 'execute') break;
    const derived = { outcome: { type: 'completed' }, usage: null, models: [] } as const;
    note({ type: 'turn.ended', turn, role: 'execute', wire: null, derived });
    const after = await take(`after round ${round}`);
    note({ type: 'round.changes', files: (await checkpoints.changes(before, after)).files });
    turn += 1;
    note({ type: 'turn.started', turn, role: 'review', prompt: 'p', wire });
    if (isKilled) break;
    note({ type: 'turn.ended', turn, role: 'review', wire: null, derived });
    for (const finding of findings) note(finding);
    afterwards?.(note);
    note({ type: 'round.ended' });
  }
  if (end !== null) note(end.type === 'run.ended' ? { ...end, ...(await endState(log, checkpoints)) } : end);
  await file.close();
  await checkpoints.close();
  return taken;
}
