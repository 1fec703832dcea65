import type { LoopEvent } from '../shared/events.ts';
import type { PermissionAnswer, PermissionOption, PermissionRequest } from '../shared/permission.ts';
import type { QuestionForm } from '../shared/question.ts';
import { editLine } from './editLine.ts';
import { beginForm, type FormFill, fillForm, fillPrompt, renderField } from './fillForm.ts';
import { choicesOf, fillableOf, MESSAGE_KEY, refusalOf, renderQuestion } from './renderQuestion.ts';
import type { Screen } from './screen.ts';
import type { Style } from './style.ts';
import { CARET, safeLine } from './terminalText.ts';

export interface AskOptions {
  readonly screen: Screen;
  readonly style: Style;
  /** Name of the agent in a role, for people. */
  readonly agentName: (role: 'execute' | 'review') => string;
  /** False: the question was settled meanwhile. */
  readonly answer: (permissionId: string, answer: PermissionAnswer) => boolean;
  /** Milliseconds, only ever compared. */
  readonly now: () => number;
}

/** The questions of a run, asked one after the other. */
export interface AskPerson {
  /** Every event of the log, in order. */
  event(event: LoopEvent): void;
  /** What was typed, as it came: one key, or several at once when it was pasted. */
  keys(typed: string): void;
  /** Whether a question stands on the screen. */
  readonly asking: boolean;
}

/** A key that was meant for the question before must not answer this one. */
const SETTLE_MS = 250;
const BELL = '\u0007';

interface Question {
  readonly id: string;
  readonly agent: string;
  readonly request: PermissionRequest;
}

type Stage =
  | { readonly type: 'choose' }
  | { readonly type: 'confirm'; readonly key: string }
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'form'; readonly form: QuestionForm; readonly option: PermissionOption; readonly fill: FormFill };

export function createAskPerson({ screen, style, agentName, answer, now }: AskOptions): AskPerson {
  /** In the order of asking; the first one is on the screen. */
  const waiting: Question[] = [];
  let shownId: string | null = null;
  let shownAt = 0;
  let stage: Stage = { type: 'choose' };

  function show(): void {
    const question = waiting[0];
    if (question === undefined || question.id === shownId) return;
    shownId = question.id;
    shownAt = now();
    screen.status('');
    screen.print(BELL + renderQuestion(question.agent, question.request, style));
    const option = fillableOf(question.request);
    if (option !== null) openForm(question.request, option);
    else enter({ type: 'choose' });
  }

  function openForm({ form }: PermissionRequest, option: PermissionOption): void {
    if (form === undefined) return;
    showField({ type: 'form', form, option, fill: beginForm(form) });
  }

  function showField(next: Extract<Stage, { type: 'form' }>): void {
    screen.status('');
    screen.print(renderField(next.form, next.fill, style));
    enter(next);
  }

  function enter(next: Stage): void {
    stage = next;
    const question = waiting[0];
    if (question !== undefined) screen.status(promptOf(next, question.request));
  }

  function promptOf(next: Stage, request: PermissionRequest): string {
    switch (next.type) {
      case 'choose': {
        const more = waiting.length > 1 ? ` (${waiting.length - 1} more waiting)` : '';
        return `Waiting for you${more}: ${keysOf(request).join('/')} `;
      }
      case 'confirm': {
        const choice = choicesOf(request).find((one) => one.key === next.key);
        return `${safeLine(choice?.name ?? '')}: press ${next.key} again `;
      }
      case 'message':
        return `Say why (Enter sends, Esc goes back): ${safeLine(next.text)}${CARET}`;
      case 'form':
        return fillPrompt(next.form, next.fill);
      default:
        return next satisfies never;
    }
  }

  function settle(question: Question, given: PermissionAnswer): void {
    screen.status('');
    answer(question.id, given);
  }

  function choose(question: Question, key: string): void {
    const { request } = question;
    const choice = choicesOf(request).find((one) => one.key === key);
    if (choice?.twice && !(stage.type === 'confirm' && stage.key === key)) {
      enter({ type: 'confirm', key });
    } else if (choice !== undefined && choice.option.optionId === fillableOf(request)?.optionId) {
      openForm(request, choice.option);
    } else if (choice !== undefined) {
      const { offer } = choice;
      const more = offer === null ? {} : { offerId: offer.offerId };
      settle(question, { outcome: 'selected', optionId: choice.option.optionId, ...more });
    } else if (key === MESSAGE_KEY && refusalOf(request) !== null) {
      enter({ type: 'message', text: '' });
    } else {
      enter({ type: 'choose' });
    }
  }

  function fill(question: Question, at: Extract<Stage, { type: 'form' }>, typed: string): void {
    const step = fillForm(at.form, at.fill, typed);
    switch (step.type) {
      case 'left':
        enter({ type: 'choose' });
        return;
      case 'done':
        settle(question, { outcome: 'selected', optionId: at.option.optionId, form: step.values });
        return;
      case 'filling':
        if (step.fill.index === at.fill.index) enter({ ...at, fill: step.fill });
        else showField({ ...at, fill: step.fill });
        return;
      default:
        step satisfies never;
    }
  }

  function write(question: Question, before: string, typed: string): void {
    const edited = editLine(before, typed);
    const option = refusalOf(question.request);
    const message = edited.type === 'entered' ? edited.text.trim() : '';
    if (edited.type === 'typing') enter({ type: 'message', text: edited.text });
    else if (option === null || message === '') enter({ type: 'choose' });
    else settle(question, { outcome: 'selected', optionId: option.optionId, message });
  }

  return {
    get asking() {
      return waiting.length > 0;
    },
    event(told) {
      if (told.type === 'permission.requested') {
        waiting.push({ id: told.permissionId, agent: agentName(told.role), request: told.derived });
        // What policy answers is settled within the same call: a person is not shown it.
        setImmediate(show);
      } else if (told.type === 'permission.resolved') {
        const place = waiting.findIndex((question) => question.id === told.permissionId);
        if (place >= 0) waiting.splice(place, 1);
        if (shownId === told.permissionId) screen.status('');
        setImmediate(show);
      }
    },
    keys(typed) {
      const question = waiting[0];
      if (question === undefined || question.id !== shownId || now() - shownAt < SETTLE_MS) return;
      if (stage.type === 'message') write(question, stage.text, typed);
      else if (stage.type === 'form') fill(question, stage, typed);
      // Several characters at once were pasted, or are a key of the editor's: no answer.
      else if (typed.length === 1) choose(question, typed.toLowerCase());
    },
  };
}

function keysOf(request: PermissionRequest): readonly string[] {
  const keys = choicesOf(request).map((choice) => choice.key);
  return refusalOf(request) === null ? keys : [...keys, MESSAGE_KEY];
}
