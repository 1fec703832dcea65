import type { FileChoice } from '../../src/shared/messages.ts';
import type { TaskImage } from '../../src/shared/task.ts';
import { triggerAt } from './typing.ts';

/** What the composer has beside the text itself. */
export interface ComposerState {
  /** The cursor, as far as the page was told of it. */
  readonly caret: number;
  /** Where the cursor is to be put, with the focus; each new object is one asking. */
  readonly place: { readonly at: number } | null;
  /** Earlier tasks, newest first. */
  readonly tasks: readonly string[];
  /** Which of them is shown, and what was typed before. Null: none. */
  readonly recall: { readonly index: number; readonly draft: string } | null;
  /** The last answer about files. */
  readonly files: { readonly query: string; readonly files: readonly FileChoice[] } | null;
  /** The choice of the menu that Enter takes. */
  readonly active: number;
  /** Where the word begins whose menu the person closed. */
  readonly closed: number | null;
  /** The blank that was put behind a completed mention, which gives way to a colon. */
  readonly blank: number | null;
  readonly images: readonly TaskImage[];
  /** Why something was not taken. */
  readonly refused: string | null;
}

export const EMPTY_COMPOSER: ComposerState = {
  caret: 0,
  place: null,
  tasks: [],
  recall: null,
  files: null,
  active: 0,
  closed: null,
  blank: null,
  images: [],
  refused: null,
};

/** The text and what goes with it. */
export interface Typed {
  readonly draft: string;
  readonly composer: ComposerState;
}

/** The person typed: the text is what they want now, and no longer a task of before. */
export function typed({ draft, composer }: Typed, text: string, caret: number): Typed {
  const { blank } = composer;
  const isRange = blank !== null && text === `${draft.slice(0, blank + 1)}:${draft.slice(blank + 1)}`;
  if (isRange) return written({ draft, composer }, `${text.slice(0, blank)}${text.slice(blank + 1)}`, caret - 1);
  return {
    draft: text,
    composer: { ...moved(composer, text, caret), recall: null, blank: null, refused: null },
  };
}

/** The page writes a text, and puts the cursor into it. A word that ends there is complete, and opens no menu. */
export function written({ composer }: Typed, text: string, caret: number): Typed {
  const closed = triggerAt(text, caret)?.from ?? null;
  return {
    draft: text,
    composer: { ...composer, caret, closed, active: 0, place: { at: caret }, recall: null, blank: null, refused: null },
  };
}

/** The cursor went elsewhere. A menu that was closed stays so while its word is the same. */
export function moved(composer: ComposerState, text: string, caret: number): ComposerState {
  if (caret === composer.caret && composer.closed === null) return { ...composer, active: 0 };
  const trigger = triggerAt(text, caret);
  const closed = trigger !== null && trigger.from === composer.closed ? composer.closed : null;
  return { ...composer, caret, closed, active: 0 };
}

/** Goes to the task before (`-1`: older) or after (`1`: newer) the one shown; null: there is none. What was typed is the newest. */
export function recalled({ draft, composer }: Typed, by: -1 | 1): Typed | null {
  const { tasks, recall } = composer;
  const index = (recall?.index ?? -1) - by;
  const own = recall?.draft ?? draft;
  if (index < -1 || (recall === null && by === 1)) return null;
  const text = index === -1 ? own : tasks[index];
  if (text === undefined) return null;
  const next = written({ draft, composer }, text, text.length);
  return { ...next, composer: { ...next.composer, recall: index === -1 ? null : { index, draft: own } } };
}

/** Whether the key up goes to an earlier task: at the start of the text, or on the first line of one that was recalled. */
export function recallsUp(text: string, caret: number, composer: ComposerState): boolean {
  return caret === 0 || (composer.recall !== null && !text.slice(0, caret).includes('\n'));
}

/** Whether the key down goes to a newer task. */
export function recallsDown(text: string, caret: number, composer: ComposerState): boolean {
  return composer.recall !== null && !text.slice(caret).includes('\n');
}
