import type { FormValue, FormValues, QuestionField, QuestionForm } from './question.ts';

/** What is wrong with the value of one field. `missing`: it is required and empty. */
export type FormProblem =
  | 'missing'
  | 'notOffered'
  | 'wrongType'
  | 'unknownField'
  | 'tooShort'
  | 'tooLong'
  | 'tooFew'
  | 'tooMany'
  | 'tooSmall'
  | 'tooLarge'
  | 'notWhole';

/** What the agent proposes, field by field; it counts as filled in. */
export function initialValues(form: QuestionForm): FormValues {
  return Object.fromEntries(
    form.fields.flatMap(({ id, initial }): [string, FormValue][] => (initial === undefined ? [] : [[id, initial]])),
  );
}

/** Field id → what is wrong; empty when the form can be sent. The same for every face and for the one who takes the answer. */
export function formProblems(form: QuestionForm, values: FormValues): ReadonlyMap<string, FormProblem> {
  const problems = new Map<string, FormProblem>();
  for (const field of form.fields) {
    const problem = problemOf(field, Object.hasOwn(values, field.id) ? values[field.id] : undefined);
    if (problem !== null) problems.set(field.id, problem);
  }
  for (const id of Object.keys(values)) {
    if (!form.fields.some((field) => field.id === id)) problems.set(id, 'unknownField');
  }
  return problems;
}

function problemOf(field: QuestionField, value: FormValue | undefined): FormProblem | null {
  if (value === undefined) return field.required ? 'missing' : null;
  switch (field.type) {
    case 'choice':
      if (typeof value !== 'string') return 'wrongType';
      if (field.options.some((option) => option.value === value)) return null;
      if (!field.freeText) return 'notOffered';
      return field.required && value.trim() === '' ? 'missing' : null;
    case 'choices': {
      if (!isList(value)) return 'wrongType';
      if (field.required && value.length === 0) return 'missing';
      if (value.length < (field.minItems ?? 0)) return 'tooFew';
      if (value.length > (field.maxItems ?? Number.POSITIVE_INFINITY)) return 'tooMany';
      const offered = value.every((one) => field.options.some((option) => option.value === one));
      return offered || field.freeText ? null : 'notOffered';
    }
    case 'text':
      if (typeof value !== 'string') return 'wrongType';
      if (field.required && value === '') return 'missing';
      if (value.length < (field.minLength ?? 0)) return 'tooShort';
      return value.length > (field.maxLength ?? Number.POSITIVE_INFINITY) ? 'tooLong' : null;
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'wrongType';
      if (field.integer && !Number.isInteger(value)) return 'notWhole';
      if (value < (field.minimum ?? Number.NEGATIVE_INFINITY)) return 'tooSmall';
      return value > (field.maximum ?? Number.POSITIVE_INFINITY) ? 'tooLarge' : null;
    case 'boolean':
      return typeof value === 'boolean' ? null : 'wrongType';
    default:
      return field satisfies never;
  }
}

/** What was filled in, for people: each field's label with its value in the words that were offered. */
export function filledIn(form: QuestionForm, values: FormValues): { readonly label: string; readonly value: string }[] {
  return form.fields.flatMap((field) => {
    const value = Object.hasOwn(values, field.id) ? values[field.id] : undefined;
    return value === undefined ? [] : [{ label: field.label, value: wordsOf(field, value) }];
  });
}

function wordsOf(field: QuestionField, value: FormValue): string {
  const options = field.type === 'choice' || field.type === 'choices' ? field.options : [];
  const label = (one: string) => options.find((option) => option.value === one)?.label ?? one;
  return isList(value) ? value.map(label).join(', ') : typeof value === 'string' ? label(value) : String(value);
}

/** `Array.isArray` does not tell a read-only list from the other values. */
function isList(value: FormValue): value is readonly string[] {
  return typeof value === 'object';
}
