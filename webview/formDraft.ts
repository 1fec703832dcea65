import type { FormValue, FormValues, QuestionForm } from '../src/shared/question.ts';
import { initialValues } from '../src/shared/questionForm.ts';

/** A form while it is filled in. `tried`: it was to be sent as it is, so what is missing is said. */
export interface FormDraft {
  readonly values: FormValues;
  readonly tried: boolean;
}

/** What stands in a form before the person has touched it. */
export function firstDraft(form: QuestionForm): FormDraft {
  return { values: initialValues(form), tried: false };
}

/** The values as they would be sent: without words of one's own that were begun and left empty. */
export function valuesOf({ fields }: QuestionForm, { values }: FormDraft): FormValues {
  const entries = Object.entries(values).flatMap(([id, value]): [string, FormValue][] => {
    const field = fields.find((one) => one.id === id);
    if (typeof value === 'object') {
      const kept = value.filter((one) => one.trim() !== '');
      return kept.length === 0 && field?.required !== true ? [] : [[id, kept]];
    }
    const isEmpty = typeof value === 'string' && value.trim() === '' && field?.required !== true;
    return isEmpty ? [] : [[id, value]];
  });
  return Object.fromEntries(entries);
}
