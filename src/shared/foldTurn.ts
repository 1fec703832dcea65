/** Folds turns, and what an agent says in them. */
import type { MessageItem } from './view.ts';
import { type Draft, type EventOf, find, put, roundOf, update } from './viewDraft.ts';

/** `turn.started`: an agent is at work. */
export function foldTurnStart(draft: Draft, event: EventOf<'turn.started'>): void {
  const { at, turn, role, prompt, withheld, shortened, wire } = event;
  const end = { endedAt: null, outcome: null, usage: null, models: [] };
  put(roundOf(draft, event.round, at), {
    type: 'turn',
    key: turnKey(turn),
    turn,
    role,
    at,
    prompt,
    ...(withheld === undefined ? {} : { withheld }),
    ...(shortened === undefined ? {} : { shortened }),
    model: wire.model,
    ...end,
  });
  draft.view.acting = { role, turn, since: at };
}

/** `turn.ended`: nobody is at work. */
export function foldTurnEnd(draft: Draft, event: EventOf<'turn.ended'>): void {
  const { view } = draft;
  const { at } = event;
  const round = roundOf(draft, event.round, at);
  const { outcome, usage, models } = event.derived;
  update(round, turnKey(event.turn), (item) =>
    item.type === 'turn' ? { ...item, endedAt: at, outcome, usage: usage ?? item.usage, models } : item,
  );
  round.usageChanged = true;
  if (view.acting?.turn === event.turn) view.acting = null;
}

/** `message.chunk` and `message.replaced`: one item a message. */
export function foldMessage(draft: Draft, event: EventOf<'message.chunk' | 'message.replaced'>): void {
  const { at, turn, role } = event;
  const { channel, messageId, text } = event.derived;
  const round = roundOf(draft, event.round, at);
  const key = `m/${turn}/${role}/${channel}/${messageId}`;
  const known = find(round, key);
  const item: MessageItem =
    known?.type === 'message' ? known : { type: 'message', key, turn, role, at, channel, text: '', withdrawn: false };
  if (event.type === 'message.chunk') put(round, { ...item, text: item.text + text, withdrawn: false });
  else put(round, { ...item, text, withdrawn: event.derived.reason === 'withdrawn' });
}

/** `plan.updated`: one item a turn, as it last stood. */
export function foldPlan(draft: Draft, event: EventOf<'plan.updated'>): void {
  const { at, turn, role } = event;
  const round = roundOf(draft, event.round, at);
  const key = `plan/${turn}/${role}`;
  const at0 = find(round, key)?.at ?? at;
  put(round, { type: 'plan', key, turn, role, at: at0, entries: event.derived.entries });
}

/** `session.updated`: the model of the turn, and the version of the program where only now it is told. */
export function foldSession(draft: Draft, event: EventOf<'session.updated'>): void {
  const { view } = draft;
  const { model, version } = event.derived;
  const agent = view.agents[event.role];
  if (agent !== null && version !== undefined) {
    view.agents = { ...view.agents, [event.role]: { ...agent, version } };
  }
  update(roundOf(draft, event.round, event.at), turnKey(event.turn), (item) =>
    item.type === 'turn' ? { ...item, model: model ?? item.model } : item,
  );
}

/** `usage.updated`: what the turn has used so far. */
export function foldUsage(draft: Draft, event: EventOf<'usage.updated'>): void {
  const round = roundOf(draft, event.round, event.at);
  update(round, turnKey(event.turn), (item) => (item.type === 'turn' ? { ...item, usage: event.derived } : item));
  round.usageChanged = true;
}

/** `diagnostic`: one like the one before it is a further line of that. */
export function foldDiagnostic(draft: Draft, event: EventOf<'diagnostic'>): void {
  const { at, turn, role } = event;
  const { source, level, code, text } = event.derived;
  const round = roundOf(draft, event.round, at);
  const last = round.items.at(-1);
  if (
    last?.type === 'diagnostic' &&
    last.turn === turn &&
    last.role === role &&
    last.source === source &&
    last.level === level &&
    last.code === code
  )
    // A silence that goes on is one row with its newest length.
    put(
      round,
      code === 'silence' ? { ...last, text } : { ...last, text: `${last.text}\n${text}`, count: last.count + 1 },
    );
  else put(round, { type: 'diagnostic', key: `d/${event.seq}`, turn, role, at, source, level, code, text, count: 1 });
}

const turnKey = (turn: number) => `turn/${turn}`;
