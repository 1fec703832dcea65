import type { Usage } from '../shared/agentEvents.ts';
import type { TurnOutcome } from '../shared/ending.ts';

/** What the end of a turn says of itself, as far as a stream that broke can be seen from it. */
export interface TurnTraces {
  readonly prompt: string;
  readonly texts: readonly string[];
  /** Of all model requests of the turn; null: not told. */
  readonly tokens: number | null;
}

/**
 * `broken`: the answer was broken off, whatever the agent calls it. `perhaps` and `twice`: for people, nothing is
 * concluded from it. Null: nothing speaks for it.
 */
export type BrokenStream = 'broken' | 'perhaps' | 'twice' | null;

/** A beginning that comes twice by chance is shorter. */
const SAME_BEGINNING = 40;

/**
 * Gemini CLI 0.61.0 asks the model again when a stream breaks, sends the new text after the old without a mark, and after
 * the fourth time ends the turn as if it were whole (acp-24-stream-nofinish, acp-24-stream-streamerror). What can be known:
 * a request that came to its end has been counted, so tokens with 0 mean that none did – or a server that counts
 * nothing. Only together with a text that is one text several times it is certain. A retry that worked out shows only where the
 * model began with the same words again. The text itself is left as it is: what is to be dropped nobody can tell.
 */
export function brokenStream({ prompt, texts, tokens }: TurnTraces): BrokenStream {
  const said = texts.filter((text) => text.trim() !== '');
  // The agent's own commands ask no model (acp-21-slash).
  if (said.length === 0 || /^\s*[/$]/.test(prompt)) return null;
  if (tokens === 0) return said.every((text) => repetition(text)?.whole === true) ? 'broken' : 'perhaps';
  return said.some((text) => (repetition(text)?.length ?? 0) >= SAME_BEGINNING) ? 'twice' : null;
}

interface Repetition {
  /** Of the longest beginning that comes twice in a row, in UTF-16 units. */
  readonly length: number;
  /** The whole text is some beginning, again and again. */
  readonly whole: boolean;
}

/** The longest beginning that is followed by itself. Linear in the text, of which at most 200,000 characters are looked at. */
function repetition(text: string): Repetition | null {
  const size = Math.min(text.length, 200_000);
  /** By place: how much of the text's beginning stands there. */
  const same = new Uint32Array(size);
  let left = 0;
  let right = 0;
  let length = 0;
  let whole = false;
  for (let at = 1; at < size; at++) {
    let run = at < right ? Math.min(right - at, same[at - left] ?? 0) : 0;
    while (at + run < size && text[run] === text[at + run]) run++;
    same[at] = run;
    if (at + run > right) {
      left = at;
      right = at + run;
    }
    if (run >= at) length = at;
    if (run === size - at && size % at === 0) whole = true;
  }
  return length === 0 ? null : { length, whole };
}

/** All tokens of a turn; null where none were told. */
export function tokensOf(usage: Usage | null): number | null {
  if (usage === null || (usage.inputTokens === null && usage.outputTokens === null)) return null;
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

/** How a turn ends whose stream was `broken`. */
export function brokenOutcome(agentName: string): TurnOutcome {
  const message = `The model's answer broke off each time that ${agentName} asked for it: it counted no tokens, and its text came several times over.`;
  return { type: 'incomplete', cause: 'brokenStream', message };
}

/** What is only suspected, for people; null: nothing. */
export function doubtOf(broken: BrokenStream, agentName: string): string | null {
  if (broken === 'perhaps') {
    return `${agentName} counted no tokens for this turn: its answer may have broken off, or hold a text twice.`;
  }
  if (broken !== 'twice') return null;
  return `An answer of ${agentName} begins with the same words twice: its stream may have broken and been asked for again.`;
}
