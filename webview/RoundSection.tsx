/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Item, RoundView, RunView, ToolItem } from '../src/shared/view.ts';
import { filesWords } from './ChangesRow.tsx';
import { Icon } from './Icon.tsx';
import { ItemRow } from './ItemRow.tsx';
import { memo } from './memo.ts';
import type { Page, PageState } from './state.ts';
import { isOpen } from './ToolCard.tsx';
import { cost, duration, nameOf, score, t } from './words.ts';

interface Props {
  readonly round: RoundView;
  readonly folder: string;
  readonly agents: RunView['agents'];
  readonly acting: RunView['acting'];
  readonly waiting: RunView['waiting'];
  readonly open: Readonly<Record<string, boolean>>;
  readonly replies: Readonly<Record<string, string>>;
  readonly forms: PageState['forms'];
  readonly answered: Readonly<Record<string, true>>;
  readonly page: Page;
}

/** One round: a header that opens and closes it, and its items in the order of events. */
export const RoundSection = memo((props: Props) => {
  const { round, folder, agents, acting, waiting, open, replies, forms, answered, page } = props;
  const id = `round/${round.number}`;
  const isShown = open[id] ?? true;
  const asked = new Set(waiting.map((item) => `t/${item.turn}/${item.role}/${item.request.toolCallId}`));
  const inner = innerCalls(round.items);
  const newest = round.items.at(-1)?.key;
  const row = (item: Item): ComponentChildren => {
    // The question shows what its tool call is about; two cards of one thing would only say it twice.
    if (item.type === 'tool' && item.state === 'awaitingApproval' && asked.has(item.key)) return null;
    const name = `${id}/${item.key}`;
    const question = item.type === 'permission' ? item.permissionId : '';
    const calls = inner.get(item.key) ?? [];
    const drawn = (
      <ItemRow
        key={item.key}
        item={item}
        id={name}
        name={nameOf(item.role === null ? null : agents[item.role])}
        agent={item.role === null ? null : agents[item.role]}
        folder={folder}
        open={open[name]}
        all={open[`${name}/all`] ?? false}
        reply={replies[question]}
        form={forms[question]}
        answered={answered[question] ?? false}
        inner={calls.length}
        live={item.key === newest && item.turn === acting?.turn}
        page={page}
      />
    );
    if (item.type !== 'tool' || calls.length === 0) return drawn;
    return [
      drawn,
      isOpen(item, open[name], calls.length) && (
        <div class="inner" key={`${item.key}/inner`}>
          {calls.map(row)}
        </div>
      ),
    ];
  };
  return (
    <section class="round" aria-labelledby={id}>
      {round.number > 0 && (
        <h2 id={id}>
          <button
            type="button"
            class="round-head"
            aria-expanded={isShown}
            onClick={() => page.dispatch({ type: 'toggle', id, open: !isShown })}
          >
            <Icon name={isShown ? 'chevron-down' : 'chevron-right'} />
            <span class="grow">
              {headline(props)} <span class="quiet">{numbers(round)}</span>
            </span>
          </button>
        </h2>
      )}
      {isShown && round.items.filter((item) => parentOf(item, inner) === null).map(row)}
    </section>
  );
});

/** Key of a tool call → the calls that its sub-agent made, in their order. */
function innerCalls(items: readonly Item[]): ReadonlyMap<string, readonly ToolItem[]> {
  const calls = new Map<string, ToolItem[]>();
  const ofAgents = items.filter((item) => item.type === 'tool' && item.parentId !== undefined);
  if (ofAgents.length === 0) return calls;
  const known = new Set(items.map(({ key }) => key));
  for (const item of ofAgents) {
    if (item.type !== 'tool' || item.parentId === undefined) continue;
    const parent = parentKey(item, item.parentId);
    // One that nobody announced stands for itself.
    if (!known.has(parent)) continue;
    const siblings = calls.get(parent);
    if (siblings === undefined) calls.set(parent, [item]);
    else siblings.push(item);
  }
  return calls;
}

/** The tool call under which the item is drawn; null for one that stands for itself. */
function parentOf(item: Item, inner: ReadonlyMap<string, readonly ToolItem[]>): string | null {
  if (item.type !== 'tool' || item.parentId === undefined) return null;
  const parent = parentKey(item, item.parentId);
  return inner.has(parent) ? parent : null;
}

const parentKey = ({ turn, role }: ToolItem, parentId: string) => `t/${turn}/${role}/${parentId}`;

/** Such as `Round 2 — Claude → Gemini 7/10`. */
function headline({ round, agents, acting }: Props): string {
  const executor = nameOf(agents.execute);
  const reviewer = nameOf(agents.review);
  const isNow = acting !== null && round.turns.some((turn) => turn.turn === acting.turn);
  let who = executor;
  if (isNow && acting.role === 'review') who = `${executor} → ${t('{0} reviews', reviewer)}`;
  else if (isNow) who = t('{0} works', executor);
  else if (round.review !== null) who = `${executor} → ${reviewer} ${score(round.review.verdict.score)}`;
  return `${t('Round {0}', round.number)} — ${who}`;
}

/** Such as `3 findings · 4 files +42 −10 · 1 m 12 s · 18K tokens · $0.12`. */
function numbers({ review, changes, startedAt, endedAt, usage }: RoundView): string {
  const parts: string[] = [];
  if (review !== null) parts.push(findingsWords(review.verdict.findings.length));
  if (changes !== null) parts.push(filesWords(changes));
  if (endedAt !== null) parts.push(duration(endedAt - startedAt), ...cost(usage));
  return parts.join(' · ');
}

function findingsWords(count: number): string {
  if (count === 0) return t('no findings');
  return count === 1 ? t('1 finding') : t('{0} findings', count);
}
