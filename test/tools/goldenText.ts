import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TurnRecord } from '../../src/loop/runTurn.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { Item, RunView } from '../../src/shared/view.ts';
import type { WireObject } from '../../src/shared/wire.ts';

/** Collects the lines of one golden file. */
export interface GoldenText {
  event(event: LoopEvent): void;
  sent(row: number, message: WireObject): void;
  remark(row: number, words: string): void;
  view(view: RunView, turns: readonly TurnRecord[]): void;
  toString(): string;
}

/** Longer strings show their beginning and their length. */
const SHOWN = 100;
/** Longer lines show their beginning and a fingerprint of the whole. */
const LINE = 800;

/**
 * One line an event: the transcript's row at which it happened, the turn, the type, and what is derived. `>` is what our
 * side sent, `~` a word of the replay, `=` what a person sees in the end. Ids are named by order of appearance.
 */
export function createGoldenText(): GoldenText {
  const lines: string[] = [];
  const names = new Map<string, string>();

  /** `c1`, `c2`, … for tool calls, `m1`, … for messages, `r1`, … for requests. */
  const nameOf = (letter: string, id: string): string => {
    const known = names.get(`${letter} ${id}`);
    if (known !== undefined) return known;
    const count = [...names.keys()].filter((key) => key.startsWith(`${letter} `)).length + 1;
    names.set(`${letter} ${id}`, `${letter}${count}`);
    return `${letter}${count}`;
  };

  const shown = (value: unknown): string =>
    JSON.stringify(value, (key, part: unknown) => {
      if (typeof part !== 'string') return part;
      if (key === 'toolCallId' || key === 'parentId' || key === 'tool_use_id') return nameOf('c', part);
      if (key === 'messageId') return nameOf('m', part);
      if (key === 'sessionId') return nameOf('s', part);
      if (key === 'request_id') return nameOf('r', part);
      return shorten(part);
    });

  const line = (row: number, words: string): void => {
    const cut = words.length > LINE ? `${words.slice(0, LINE)}… ${fingerprint(words)}` : words;
    lines.push(`${String(row).padStart(3)} ${cut}`);
  };

  return {
    event(event) {
      const { seq: _seq, at, round: _round, type, ...rest } = event;
      const {
        turn,
        role: _role,
        wire,
        derived,
        ...own
      } = { turn: null, role: null, wire: null, derived: null, ...rest };
      const told = event.type === 'turn.started' ? { ...own, wire } : { ...own, ...derived };
      const where = turn === null ? '' : `t${turn} `;
      line(at, `${where}${type} ${listed(event) ?? shown(told)}`);
    },
    // What we say of ourselves is the same in each, and the official schema's to judge.
    sent: (row, message) => line(row, `> ${message.method === 'initialize' ? 'initialize' : shown(message)}`),
    remark: (row, words) => line(row, `~ ${shorten(words, 4 * SHOWN)}`),
    view(view, turns) {
      const items = view.rounds.flatMap((round) => round.items);
      for (const item of items) lines.push(`= ${itemLine(item, nameOf)}`);
      for (const { turn, result } of turns) {
        const told = items.flatMap((item) =>
          item.type === 'message' && item.turn === turn && item.channel === 'message' && !item.withdrawn
            ? [item.text]
            : [],
        );
        if (!isDeepStrictEqual(told, result.texts))
          lines.push(`= t${turn} other texts for the reviewer ${shown(result.texts)}`);
        if (result.denials.length > 0) lines.push(`= t${turn} denials for the reviewer ${shown(result.denials)}`);
      }
    },
    toString: () => `${lines.join('\n')}\n`,
  };
}

function shorten(text: string, limit = SHOWN): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 20)}…(${text.length})`;
}

/** What an agent offers, the same in every recording of it: names and choices, and a fingerprint of the rest. */
function listed(event: LoopEvent): string | null {
  switch (event.type) {
    case 'options.updated': {
      const { options } = event.derived;
      const chosen = options.map(({ id, value }) => `${id}=${String(value)}`);
      return `${chosen.join(' ')} ${fingerprint(JSON.stringify(options))}`;
    }
    case 'commands.updated': {
      const { commands } = event.derived;
      return `${commands.map(({ name }) => name).join(', ')} ${fingerprint(JSON.stringify(commands))}`;
    }
    default:
      return null;
  }
}

function fingerprint(text: string): string {
  return `(${text.length} #${createHash('sha256').update(text).digest('hex').slice(0, 8)})`;
}

function itemLine(item: Item, nameOf: (letter: string, id: string) => string): string {
  switch (item.type) {
    case 'turn':
      return `t${item.turn} ${item.outcome?.type ?? 'open'}`;
    case 'message':
      return `t${item.turn} ${item.channel}${item.withdrawn ? ' withdrawn' : ''} ${JSON.stringify(shorten(item.text))}`;
    case 'tool': {
      const parent = item.parentId === undefined ? '' : ` of ${nameOf('c', item.parentId)}`;
      const reason = item.reason === undefined ? '' : ` (${item.reason})`;
      const title = JSON.stringify(item.title ?? item.toolName ?? null);
      const content = (item.content ?? []).map((part) =>
        part.type === 'text'
          ? JSON.stringify(shorten(part.text))
          : `${part.type} ${part.type === 'diff' ? part.path : part.terminalId}`,
      );
      return `t${item.turn} ${nameOf('c', item.toolCallId)}${parent} ${item.kind ?? '?'} ${title} ${item.state}${reason} [${content.join(', ')}]`;
    }
    case 'permission': {
      const { request, resolution } = item;
      const answer = resolution?.answer;
      const said = answer?.outcome === 'selected' ? answer.optionId : answer?.outcome;
      return `t${item.turn} question ${JSON.stringify(shorten(request.title))} ${said ?? 'open'} by ${resolution?.by ?? 'nobody'}`;
    }
    case 'diagnostic':
      return `t${item.turn} ${item.level} ${item.code} ${JSON.stringify(shorten(item.text, 2 * SHOWN))}`;
    default: {
      const { key: _key, at: _at, role: _role, ...rest } = item;
      return JSON.stringify(rest);
    }
  }
}
