import type { LoopEvent, LoopEventBody } from '../shared/events.ts';
import type { Translate } from '../shared/translate.ts';
import type { Checkpoints } from '../workspace/checkpoint.ts';
import { changedSettings, type GitSettings } from '../workspace/gitSettings.ts';
import { loopDiagnostic } from './loopDiagnostic.ts';
import type { PauseGate } from './pauseGate.ts';

/**
 * Notices that HEAD of the repository moved, and that an execution changed what git heeds (its hooks, its configuration);
 * tells both in the log. Rejects with `GitError`.
 */
export interface HeadWatch {
  /** Before an execution. A move since the last one is the person's: unless it is `expected`, the run waits for them. */
  beforeWork(expected: boolean): Promise<void>;
  /** After an execution. A move since it began is the agent's. */
  afterWork(): Promise<void>;
}

export type HeadMoved = Extract<LoopEventBody, { readonly type: 'head.moved' }>;

export interface HeadWatchParts {
  readonly checkpoints: Pick<Checkpoints, 'head' | 'headOf' | 'commits' | 'settings'>;
  readonly append: (body: LoopEventBody) => void;
  readonly pause: Pick<PauseGate, 'demand'>;
  /** What the log holds of a run that goes on; empty for a new one. */
  readonly past: readonly LoopEvent[];
  readonly t: Translate;
}

/** A watch that begins where the last checkpoint of the log was, else with its first look. */
export function createHeadWatch({ checkpoints, append, pause, past, t }: HeadWatchParts): HeadWatch {
  const last = past.findLast((event) => event.type === 'checkpoint.created');
  let known: { readonly head: string | null } | null = null;
  let settings: GitSettings | null = null;
  const look = async (by: HeadMoved['by']): Promise<HeadMoved | null> => {
    const head = await checkpoints.head();
    const before = known ?? (last === undefined ? null : { head: await checkpoints.headOf(last.checkpoint) });
    known = { head };
    // Checkpoints of before did not hold it.
    if (before === null || before.head === head || (before.head === null && last !== undefined)) return null;
    const move = { type: 'head.moved', by, from: before.head, to: head } as const;
    const told = { ...move, commits: await checkpoints.commits(before.head, head) };
    append(told);
    return told;
  };
  return {
    async beforeWork(expected) {
      settings = await checkpoints.settings();
      const isFirst = known === null;
      const move = await look('user');
      // Whoever goes on with a run knows what they did since.
      if (move !== null && !isFirst && !expected) pause.demand('headMoved', whyOf(move, t));
    },
    async afterWork() {
      await look('agent');
      const changed = settings === null ? [] : changedSettings(settings, await checkpoints.settings());
      if (changed.length > 0) append(loopDiagnostic('warning', settingsWords(changed, t)));
    },
  };
}

function settingsWords(changed: readonly string[], t: Translate): string {
  return t(
    'Changed while the executor worked: {0}. Git runs or heeds this by itself, so look at it. It is no part of the diff, and undo does not put it back.',
    changed.join(', '),
  );
}

function whyOf({ from, to, commits }: HeadMoved, t: Translate): string {
  const [newest] = commits;
  return [
    t('HEAD was moved from {0} to {1} while no execution was under way.', shortId(from, t), shortId(to, t)),
    ...(newest === undefined ? [] : [t('The newest commit is “{0}”.', newest.subject)]),
    t('The next round works on what is there now.'),
  ].join(' ');
}

function shortId(id: string | null, t: Translate): string {
  return id === null ? t('nothing') : id.slice(0, 10);
}

/** The moves that no reviewer has been told of yet. */
export function movesToTell(events: readonly LoopEvent[]): readonly HeadMoved[] {
  const reviewed = events.findLast((event) => event.type === 'review.scored')?.seq ?? 0;
  return events.flatMap((event) => (event.type === 'head.moved' && event.seq > reviewed ? [event] : []));
}
