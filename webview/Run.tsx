/** @jsxRuntime automatic @jsxImportSource preact */
import { useMemo, useRef } from 'preact/hooks';
import type { RunHeader, TaskAttachment } from '../src/shared/events.ts';
import { linesOf } from '../src/shared/mentions.ts';
import type { HostState } from '../src/shared/messages.ts';
import type { RoundView } from '../src/shared/view.ts';
import { betweenDraft } from './chosenFindings.ts';
import { Icon } from './Icon.tsx';
import { memo } from './memo.ts';
import { RoundSection } from './RoundSection.tsx';
import { reviewTools } from './reviewTools.ts';
import type { Page, PageState } from './state.ts';
import { dateTime, named, t } from './words.ts';

/** The run from its task to its newest round. */
export function Run({ state, host, page }: { state: PageState; host: HostState; page: Page }) {
  const { view, open, replies, forms, answered, remarks, between, runId, unfolded } = state;
  const { run, agents, acting, waiting, findings, paused, undoneAt } = view;
  const reviewed = useSame(view.rounds.filter(({ number, review }) => number > 0 && review !== null));
  const newest = reviewed.at(-1)?.number ?? null;
  const { phase, replay, canResume, canReviewAgain } = host;
  const tools = useMemo(
    () =>
      reviewTools(
        {
          view: { agents, paused, undoneAt },
          host: { phase, replay, canResume, canReviewAgain },
          remarks,
          draft: betweenDraft({ view, runId, between }),
        },
        page,
      ),
    [agents, paused, undoneAt, phase, replay, canResume, canReviewAgain, remarks, between, runId, newest],
  );
  if (run === null) return null;
  return (
    <>
      <Head run={run} at={view.startedAt} />
      {view.rounds.map((round) => (
        <RoundSection
          key={round.number}
          round={round}
          folder={run.folder}
          agents={agents}
          acting={acting}
          waiting={waiting}
          findings={findings}
          isNewest={round.number === newest}
          tools={round.number === newest ? tools : null}
          charted={round.number === newest && reviewed.length > 1 ? reviewed : null}
          threshold={run.threshold}
          open={open}
          unfolded={unfolded.includes(round.number)}
          replies={replies}
          forms={forms}
          answered={answered}
          isLive={phase !== 'idle'}
          page={page}
        />
      ))}
    </>
  );
}

/** What was asked for, when and where. */
const Head = memo(({ run, at }: { run: RunHeader; at: number | null }) => {
  const { task, worktree, folder, attached = [] } = run;
  const parts = [
    ...(at === null ? [] : [dateTime(at)]),
    worktree === undefined ? folder.split(/[\\/]/).at(-1) : t('worktree {0}', worktree.branch),
  ];
  return (
    <>
      <h1 class="task">{task}</h1>
      <p class="run-facts quiet">{parts.join(' · ')}</p>
      <Attached attached={attached} />
    </>
  );
});

/** What the executor was given along with the task. */
function Attached({ attached }: { attached: readonly TaskAttachment[] }) {
  if (attached.length === 0) return null;
  const words = attached.map((one) => {
    if (one.type === 'image') return one.name;
    return one.lines === undefined ? one.path : `${one.path}:${linesOf(one.lines)}`;
  });
  return (
    <p class="quiet row">
      <Icon name="link" tone="quiet" />
      <span class="grow">{t('Given along: {0}', named(words))}</span>
    </p>
  );
}

/** The very list of the drawing before, where it holds the same. */
function useSame(list: readonly RoundView[]): readonly RoundView[] {
  const last = useRef(list);
  const { current: before } = last;
  if (before.length !== list.length || before.some((one, index) => one !== list[index])) last.current = list;
  return last.current;
}
