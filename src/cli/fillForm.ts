import type { FormValue, FormValues, QuestionField, QuestionForm } from '../shared/question.ts';
import { type FormProblem, formProblems, initialValues } from '../shared/questionForm.ts';
import { editLine } from './editLine.ts';
import type { Style } from './style.ts';
import { CARET, safe, safeLine } from './terminalText.ts';

/** A form while it is filled in on a terminal, one field after the other. */
export interface FormFill {
  /** Of the field at hand. */
  readonly index: number;
  readonly values: FormValues;
  /** The line that is typed; null while single keys answer. */
  readonly line: string | null;
  /** Why the last try did not do. */
  readonly problem: FormProblem | null;
}

export type FillStep =
  | { readonly type: 'filling'; readonly fill: FormFill }
  /** Every field is as it must be. */
  | { readonly type: 'done'; readonly values: FormValues }
  /** Esc: the person wants none of it, or another answer. */
  | { readonly type: 'left' };

/** The key that asks for a line of one's own words. */
const OWN = 'o';
/** Keys of the options, in order; what comes after them can only be chosen where one's own words are allowed. */
const KEYS = '123456789abcdefghijklmnpqrstuvwxyz';

/** A form with its first field at hand. It must have one. */
export function beginForm(form: QuestionForm): FormFill {
  return enterField(form, { index: 0, values: initialValues(form), line: null, problem: null });
}

/** What the keys do to the field at hand. Several characters at once were pasted: only a line takes them. */
export function fillForm(form: QuestionForm, fill: FormFill, typed: string): FillStep {
  const field = form.fields[fill.index];
  if (field === undefined) return { type: 'done', values: fill.values };
  if (fill.line !== null) return typeLine(form, fill, field, fill.line, typed);
  if (typed === '\u001b') return { type: 'left' };
  if (typed === '\r' || typed === '\n') return next(form, fill, field);
  const key = typed.toLowerCase();
  switch (field.type) {
    case 'choice': {
      if (key === OWN && field.freeText) return filling({ ...fill, line: '', problem: null });
      const option = optionOf(field, key);
      return option === null ? filling(fill) : next(form, set(fill, field, option), field);
    }
    case 'choices': {
      if (key === OWN && field.freeText) return filling({ ...fill, line: '', problem: null });
      const option = optionOf(field, key);
      if (option === null) return filling(fill);
      const before = listOf(fill, field);
      const after = before.includes(option) ? before.filter((one) => one !== option) : [...before, option];
      return filling(set(fill, field, after));
    }
    case 'boolean':
      if (key !== 'y' && key !== 'n') return filling(fill);
      return next(form, set(fill, field, key === 'y'), field);
    case 'text':
    case 'number':
      return filling(fill);
    default:
      return field satisfies never;
  }
}

function typeLine(form: QuestionForm, fill: FormFill, field: QuestionField, before: string, typed: string): FillStep {
  const edited = editLine(before, typed);
  const isOwn = field.type === 'choice' || field.type === 'choices';
  switch (edited.type) {
    case 'left':
      return isOwn ? filling({ ...fill, line: null }) : { type: 'left' };
    case 'typing':
      return filling({ ...fill, line: edited.text, problem: null });
    case 'entered': {
      const text = edited.text.trim();
      const typedFill = { ...fill, line: edited.text };
      if (!isOwn)
        return next(form, set(typedFill, field, field.type === 'number' ? numberOf(text) : edited.text), field);
      if (text === '') return filling({ ...fill, line: null });
      if (field.type === 'choice') return next(form, set({ ...fill, line: null }, field, text), field);
      const offered = listOf(fill, field).filter((one) => field.options.some((option) => option.value === one));
      return filling(set({ ...fill, line: null }, field, [...offered, text]));
    }
    default:
      return edited satisfies never;
  }
}

/** The next field when this one is as it must be, else this one again with the reason. */
function next(form: QuestionForm, fill: FormFill, field: QuestionField): FillStep {
  const problem = formProblems(form, fill.values).get(field.id);
  if (problem !== undefined) return filling({ ...fill, problem });
  const index = fill.index + 1;
  if (index >= form.fields.length) return { type: 'done', values: fill.values };
  return filling(enterField(form, { ...fill, index, line: null, problem: null }));
}

/** A field of text or a number begins with a line, and with what the agent proposes in it. */
function enterField(form: QuestionForm, fill: FormFill): FormFill {
  const field = form.fields[fill.index];
  if (field === undefined || (field.type !== 'text' && field.type !== 'number')) return fill;
  const known = fill.values[field.id];
  return { ...fill, line: known === undefined ? '' : String(known) };
}

function set(fill: FormFill, field: QuestionField, value: FormValue | undefined): FormFill {
  const { [field.id]: _, ...others } = fill.values;
  const isEmpty = value === undefined || value === '' || (typeof value === 'object' && value.length === 0);
  return { ...fill, problem: null, values: isEmpty ? others : { ...others, [field.id]: value } };
}

function listOf(fill: FormFill, field: QuestionField): readonly string[] {
  const value = fill.values[field.id];
  return typeof value === 'object' ? value : [];
}

/** Undefined for nothing; what is no number is judged as a wrong value. */
function numberOf(text: string): number | undefined {
  return text === '' ? undefined : Number(text);
}

function optionOf(field: Extract<QuestionField, { type: 'choice' | 'choices' }>, key: string): string | null {
  const place = key.length === 1 ? KEYS.indexOf(key) : -1;
  return field.options[place]?.value ?? null;
}

function filling(fill: FormFill): FillStep {
  return { type: 'filling', fill };
}

/** The field at hand, with what can be chosen and the keys for it. */
export function renderField(form: QuestionForm, { index }: FormFill, style: Style): string {
  const field = form.fields[index];
  if (field === undefined) return '';
  const place = form.fields.length > 1 ? style.dim(`${index + 1} of ${form.fields.length}  `) : '';
  const optional = field.required ? '' : style.dim(' (Enter skips)');
  const lines = [`  ${place}${style.bold(safeLine(field.label))}${optional}`];
  if (field.description !== undefined) lines.push(style.dim(`  ${safe(field.description).replaceAll('\n', '\n  ')}`));
  if (field.type === 'choice' || field.type === 'choices') {
    for (const [at, { label, description }] of field.options.entries()) {
      const key = at < KEYS.length ? style.bold(`[${KEYS.charAt(at)}]`) : '   ';
      lines.push(
        `  ${key} ${safeLine(label)}${description === undefined ? '' : style.dim(` – ${safeLine(description)}`)}`,
      );
    }
    if (field.freeText) lines.push(`  ${style.bold(`[${OWN}]`)} in your own words`);
  }
  return `${lines.join('\n')}\n`;
}

/** The line below the field: what was typed or picked, and the keys. */
export function fillPrompt(form: QuestionForm, fill: FormFill): string {
  const field = form.fields[fill.index];
  if (field === undefined) return '';
  const problem = fill.problem === null ? '' : `${problemWords(field, fill.problem)} `;
  if (fill.line !== null) return `${problem}Enter takes it, Esc goes back: ${safeLine(fill.line)}${CARET}`;
  switch (field.type) {
    case 'choice': {
      const value = fill.values[field.id];
      const known = typeof value === 'string' ? `, Enter for ${safeLine(labelOf(field, value))}` : '';
      return `${problem}Waiting for you: a key above${known}, Esc for other answers `;
    }
    case 'choices': {
      const picked = listOf(fill, field);
      const words = picked.length === 0 ? 'nothing yet' : picked.map((one) => safeLine(labelOf(field, one))).join(', ');
      return `${problem}Picked: ${words} – a key above picks, Enter goes on, Esc for other answers `;
    }
    case 'boolean':
      return `${problem}Waiting for you: y/n, Esc for other answers `;
    case 'text':
    case 'number':
      return problem;
    default:
      return field satisfies never;
  }
}

function labelOf(field: Extract<QuestionField, { type: 'choice' | 'choices' }>, value: string): string {
  return field.options.find((option) => option.value === value)?.label ?? value;
}

function problemWords(field: QuestionField, problem: FormProblem): string {
  switch (problem) {
    case 'missing':
      return 'This needs an answer.';
    case 'notOffered':
      return 'Choose one of what is offered.';
    case 'wrongType':
    case 'unknownField':
      return field.type === 'number' ? 'A number, please.' : 'This cannot be sent.';
    case 'notWhole':
      return 'A whole number, please.';
    case 'tooShort':
      return `At least ${field.type === 'text' ? field.minLength : 0} characters.`;
    case 'tooLong':
      return `At most ${field.type === 'text' ? field.maxLength : 0} characters.`;
    case 'tooFew':
      return `At least ${field.type === 'choices' ? field.minItems : 0}.`;
    case 'tooMany':
      return `At most ${field.type === 'choices' ? field.maxItems : 0}.`;
    case 'tooSmall':
      return `Not less than ${field.type === 'number' ? field.minimum : 0}.`;
    case 'tooLarge':
      return `Not more than ${field.type === 'number' ? field.maximum : 0}.`;
    default:
      return problem satisfies never;
  }
}
