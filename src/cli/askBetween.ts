import type { LoopEvent } from '../shared/events.ts';
import { isOpen } from '../shared/isOpen.ts';
import { reduce } from '../shared/reduce.ts';
import { reviewWords } from '../shared/reviewText.ts';
import type { Feedback } from '../shared/roundEvents.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import { editLine } from './editLine.ts';
import type { EditedText } from './editText.ts';
import type { Screen } from './screen.ts';
import type { Style } from './style.ts';
import { CARET, safe, safeLine } from './terminalText.ts';

export interface BetweenOptions {
  readonly screen: Screen;
  readonly style: Style;
  /** All of the run's log so far. */
  readonly events: () => readonly LoopEvent[];
  /** False: the run waits no more. */
  readonly proceed: (feedback: Feedback | null) => boolean;
  readonly stop: () => void;
  /** Gives the text to the person's editor, which has the terminal meanwhile. */
  readonly edit: (text: string) => Promise<EditedText>;
  /** Milliseconds, only ever compared. */
  readonly now: () => number;
}

/** What a person says between two rounds, asked on the terminal whenever the run waits for it. */
export interface AskBetween {
  /** Every event of the log, in order. */
  event(event: LoopEvent): void;
  /** What was typed, as it came: one key, or several at once when it was pasted. */
  keys(typed: string): void;
  /** Whether the run waits for an answer here. */
  readonly asking: boolean;
}

type Stage =
  | { readonly type: 'choose' }
  | { readonly type: 'instruction' | 'findings'; readonly text: string }
  /** The editor has the terminal. */
  | { readonly type: 'editing' };

/** A key that was meant for something else must not answer. */
const SETTLE_MS = 250;
const BELL = '\u0007';
const AS_IT_CAME: Feedback = { findings: null, text: null, instruction: null };

export function createAskBetween(options: BetweenOptions): AskBetween {
  const { screen, style, now } = options;
  let shownAt = 0;
  let stage: Stage | null = null;
  let feedback = AS_IT_CAME;

  const view = () => reduce(EMPTY_VIEW, options.events());
  const open = () => view().findings.filter(isOpen);
  const sent = (): string => (feedback.findings ?? open().map(({ id }) => id)).join(' ');

  function enter(next: Stage): void {
    stage = next;
    screen.status(promptOf(next));
  }

  function promptOf(next: Stage): string {
    switch (next.type) {
      case 'choose':
        return 'Waiting for you: Enter/i/e/f/n ';
      case 'instruction':
        return `Instruction (Enter keeps it, Esc goes back): ${safeLine(next.text)}${CARET}`;
      case 'findings':
        return `Findings that go back (Enter keeps them, Esc goes back): ${safeLine(next.text)}${CARET}`;
      case 'editing':
        return '';
      default:
        return next satisfies never;
    }
  }

  function menu(): void {
    const key = (name: string, what: string) => `  ${style.bold(`[${name}]`)} ${what}\n`;
    const count = open().length;
    const which = feedback.findings === null ? `all ${count} open` : sent() || 'none';
    const findings = count === 0 ? '' : key('f', `choose the findings that go back (${safeLine(which)})`);
    const text = feedback.text === null ? '' : ' (edited)';
    const instruction = feedback.instruction === null ? '' : `: ${safeLine(feedback.instruction)}`;
    screen.status('');
    screen.print(
      key('Enter', 'go on with the next round') +
        key('i', `add an instruction${instruction}`) +
        key('e', `edit the review in your editor${text}`) +
        findings +
        key('n', 'end the run here'),
    );
    enter({ type: 'choose' });
  }

  function choose(key: string): void {
    switch (key) {
      case '\r':
      case '\n': {
        const isChanged = feedback.findings !== null || feedback.text !== null || feedback.instruction !== null;
        options.proceed(isChanged ? feedback : null);
        return;
      }
      case 'i':
        enter({ type: 'instruction', text: feedback.instruction ?? '' });
        return;
      case 'f':
        if (open().length > 0) enter({ type: 'findings', text: sent() });
        return;
      case 'e':
        edit();
        return;
      case 'n':
        options.stop();
    }
  }

  function write(at: Extract<Stage, { readonly text: string }>, typed: string): void {
    const edited = editLine(at.text, typed);
    if (edited.type === 'typing') {
      enter({ ...at, text: edited.text });
      return;
    }
    if (edited.type === 'entered' && at.type === 'instruction') {
      feedback = { ...feedback, instruction: edited.text.trim() === '' ? null : edited.text.trim() };
    }
    if (edited.type === 'left' || at.type === 'instruction') menu();
    else pick(at, edited.text);
  }

  function pick(at: Extract<Stage, { readonly text: string }>, text: string): void {
    const ids = open().map(({ id }) => id);
    const named = [
      ...new Set(
        text
          .toUpperCase()
          .split(/[\s,]+/)
          .filter((id) => id !== ''),
      ),
    ];
    const unknown = named.filter((id) => !ids.includes(id));
    if (unknown.length > 0) {
      screen.status('');
      screen.print(style.yellow(`${safeLine(unknown.join(', '))}: no open finding. There are ${ids.join(', ')}.\n`));
      enter({ ...at, text });
      return;
    }
    feedback = { ...feedback, findings: named.length === ids.length ? null : named };
    menu();
  }

  function edit(): void {
    const round = view().rounds.findLast(({ review }) => review !== null);
    const before = feedback.text ?? (round === undefined ? '' : reviewWords(round));
    screen.status('');
    enter({ type: 'editing' });
    void options.edit(before).then((edited) => {
      // Stopped while the editor was open.
      if (stage?.type !== 'editing') return;
      if (edited.type === 'problem') screen.print(style.yellow(`${safe(edited.what)}\n`));
      else if (edited.text.trim() !== before.trim()) feedback = { ...feedback, text: edited.text.trim() };
      menu();
    });
  }

  return {
    get asking() {
      return stage !== null;
    },
    event(told) {
      if (told.type === 'run.paused') {
        feedback = AS_IT_CAME;
        shownAt = now();
        screen.print(BELL);
        menu();
      } else if (told.type === 'run.resumed' || told.type === 'run.ended') {
        if (stage !== null) screen.status('');
        stage = null;
      }
    },
    keys(typed) {
      if (stage === null || stage.type === 'editing' || now() - shownAt < SETTLE_MS) return;
      if (stage.type !== 'choose') write(stage, typed);
      else if (typed.length === 1) choose(typed.toLowerCase());
    },
  };
}
