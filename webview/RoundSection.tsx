/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Item, RoundView, RunView, ToolItem, TurnItem } from '../src/shared/view.ts';
import { ItemRow } from './ItemRow.tsx';
import { memo } from './memo.ts';
import { ReviewCard, type ReviewTools } from './ReviewCard.tsx';
import { RoundHeader } from './RoundHeader.tsx';
import { type Row, Rows } from './Rows.tsx';
import { ScoreChart } from './ScoreChart.tsx';
import type { Page, PageState } from './state.ts';
import { isOpen } from './ToolCard.tsx';
import { TurnFooter } from './TurnParts.tsx';
import { nameOf } from './words.ts';

interface Props {
  readonly round: RoundView;
  readonly folder: string;
  readonly agents: RunView['agents'];
  readonly acting: RunView['acting'];
  readonly waiting: RunView['waiting'];
  readonly findings: RunView['findings'];
  /** Its review is the newest one. */
  readonly isNewest: boolean;
  /** What can be done about the findings; null: nothing. */
  readonly tools: ReviewTools | null;
  readonly open: Readonly<Record<string, boolean>>;
  /** Whether it is shown as long as the person has said nothing of it. */
  readonly unfolded: boolean;
  readonly replies: Readonly<Record<string, string>>;
  readonly forms: PageState['forms'];
  readonly answered: Readonly<Record<string, true>>;
  /** Its run is at work in this window: its questions are answered here. */
  readonly isLive: boolean;
  /** The rounds of the score chart under this one; null: it has none. */
  readonly charted: readonly RoundView[] | null;
  readonly threshold: number;
  readonly page: Page;
}

/** One round: a header that opens and closes it, and its items in the order of events. */
export const RoundSection = memo((props: Props) => {
  const { round, folder, agents, acting, waiting, findings, tools, open, unfolded, page } = props;
  const { replies, forms, answered, isLive } = props;
  const id = `round/${round.number}`;
  const isShown = round.number === 0 || (open[id] ?? unfolded);
  const isNow = acting !== null && round.turns.some(({ turn }) => turn === acting.turn);
  const asked = new Set(waiting.map((item) => `t/${item.turn}/${item.role}/${item.request.toolCallId}`));
  const inner = innerCalls(round.items);
  const newest = round.items.at(-1)?.key;
  const footers = lastItems(round);
  const row = (item: Item): ComponentChildren => {
    // The question shows what its tool call is about; two cards of one thing would only say it twice.
    if (item.type === 'tool' && item.state === 'awaitingApproval' && asked.has(item.key)) return null;
    const name = `${id}/${item.key}`;
    const agent = item.role === null ? null : agents[item.role];
    if (item.type === 'review') {
      return (
        <ReviewCard
          key={item.key}
          item={item}
          id={name}
          name={nameOf(agent)}
          round={round}
          findings={findings}
          isNewest={item === round.review && props.isNewest}
          tools={item === round.review ? tools : null}
          open={open}
          folder={folder}
          page={page}
        />
      );
    }
    const question = item.type === 'permission' ? item.permissionId : '';
    const calls = inner.get(item.key) ?? [];
    const drawn = (
      <ItemRow
        key={item.key}
        item={item}
        round={round.number}
        id={name}
        name={nameOf(agent)}
        agent={agent}
        folder={folder}
        open={open[name]}
        all={open[`${name}/all`] ?? false}
        raw={open[`${name}/raw`] ?? false}
        reply={replies[question]}
        form={forms[question]}
        answered={answered[question] ?? !isLive}
        inner={calls.length}
        live={item.key === newest && item.turn === acting?.turn}
        page={page}
      />
    );
    if (item.type !== 'tool') return drawn;
    return [
      drawn,
      calls.length > 0 && isOpen(item, open[name], calls.length) && (
        <div class="inner" key={`${item.key}/inner`}>
          {calls.map(row)}
        </div>
      ),
    ];
  };
  /** An item with what is drawn under it: the calls of its sub-agent. */
  const partsOf = (item: Item): readonly unknown[] => [
    item,
    item.key === newest,
    ...(inner.get(item.key) ?? []).flatMap(partsOf),
  ];
  const rows = !isShown
    ? []
    : round.items
        .filter((item) => parentOf(item, inner) === null)
        .map((item): Row => {
          const turn = footers.get(item.key);
          const reviewed = item.type === 'review' ? round.turns.find((one) => one.turn === item.turn) : undefined;
          return {
            from: [...partsOf(item), turn, reviewed],
            // A list whether or not the turn is over: what is drawn stays when it ends.
            draw: () => [
              row(item),
              turn !== undefined && <TurnFooter key={`${turn.key}/end`} item={turn} items={round.items} />,
            ],
          };
        });
  return (
    <section class="round" {...(round.number > 0 ? { 'aria-labelledby': id } : {})}>
      {round.number > 0 && (
        <RoundHeader round={round} agents={agents} acting={isNow ? acting : null} isShown={isShown} page={page} />
      )}
      {isShown && (
        <Rows
          rows={rows}
          from={[
            folder,
            agents,
            acting,
            waiting,
            findings,
            props.isNewest,
            tools,
            open,
            replies,
            forms,
            answered,
            isLive,
          ]}
          first={unfolded ? 'newest' : 'oldest'}
        />
      )}
      {isShown && props.charted !== null && <ScoreChart rounds={props.charted} threshold={props.threshold} />}
    </section>
  );
});

/** Key of the last item of a turn that is over → the turn. */
function lastItems({ items, turns }: RoundView): ReadonlyMap<string, TurnItem> {
  const last = new Map<string, TurnItem>();
  for (const turn of turns) {
    if (turn.endedAt === null) continue;
    const item = items.findLast(
      (one) => one.turn === turn.turn && one.type !== 'review' && !(one.type === 'tool' && one.parentId !== undefined),
    );
    if (item !== undefined) last.set(item.key, turn);
  }
  return last;
}

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
