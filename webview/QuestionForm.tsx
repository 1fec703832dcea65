/** @jsxRuntime automatic @jsxImportSource preact */
import type { FormValue, QuestionField, QuestionForm } from '../src/shared/question.ts';
import { type FormProblem, formProblems } from '../src/shared/questionForm.ts';
import { type FormDraft, valuesOf } from './formDraft.ts';
import type { Place } from './MarkdownBlock.tsx';
import { Text } from './Text.tsx';
import { t } from './words.ts';

interface Props extends Place {
  readonly form: QuestionForm;
  readonly draft: FormDraft;
  /** Unique on the page; the fields' own ids begin with it. */
  readonly id: string;
  readonly onChange: (draft: FormDraft) => void;
}

/** The fields of a form, each with its label, its description and, once sending was tried, what is wrong with it. */
export function QuestionFields({ form, draft, id, onChange, page, folder }: Props) {
  const problems = draft.tried ? formProblems(form, valuesOf(form, draft)) : new Map<string, FormProblem>();
  return (
    <div class="form">
      {form.message !== '' && <Text text={form.message} page={page} folder={folder} />}
      {form.fields.map((field) => (
        <Field
          key={field.id}
          field={field}
          value={draft.values[field.id]}
          id={`${id}/${field.id}`}
          problem={problems.get(field.id)}
          onChange={(value) => {
            const { [field.id]: _, ...others } = draft.values;
            onChange({ ...draft, values: value === undefined ? others : { ...others, [field.id]: value } });
          }}
        />
      ))}
    </div>
  );
}

interface FieldProps<F extends QuestionField> {
  readonly field: F;
  readonly value: FormValue | undefined;
  readonly id: string;
  readonly problem: FormProblem | undefined;
  readonly onChange: (value: FormValue | undefined) => void;
}

type Of<T extends QuestionField['type']> = Extract<QuestionField, { readonly type: T }>;

function Field({ field, ...rest }: FieldProps<QuestionField>) {
  switch (field.type) {
    case 'choice':
    case 'choices':
      return <Choice field={field} {...rest} />;
    case 'text':
    case 'number':
      return <Line field={field} {...rest} />;
    case 'boolean':
      return <YesNo field={field} {...rest} />;
    default:
      return field satisfies never;
  }
}

/** Radio buttons or check boxes, with a line for words of one's own where they are allowed. */
function Choice({ field, value, id, problem, onChange }: FieldProps<Of<'choice'> | Of<'choices'>>) {
  const several = field.type === 'choices';
  const chosen = typeof value === 'object' ? value : typeof value === 'string' ? [value] : [];
  const isOffered = (one: string) => field.options.some((option) => option.value === one);
  const own = chosen.find((one) => !isOffered(one));
  const kind = several ? 'checkbox' : 'radio';
  const set = (one: string, on: boolean) => {
    if (!several) return onChange(on ? one : undefined);
    const others = chosen.filter((each) => each !== one);
    onChange(on ? [...others, one] : others);
  };
  const setOwn = (text: string | null) => {
    if (!several) return onChange(text ?? undefined);
    onChange([...chosen.filter(isOffered), ...(text === null ? [] : [text])]);
  };
  return (
    <fieldset class="field" aria-describedby={describedBy(field, id, problem)}>
      <legend class="field-label">
        {field.label} <Hint field={field} />
      </legend>
      <Below field={field} id={id} problem={problem} />
      {field.options.map((option, index) => (
        <label class="pick" key={option.value}>
          <input
            id={index === 0 ? id : `${id}/${index}`}
            class="pick-mark"
            type={kind}
            name={id}
            checked={chosen.includes(option.value)}
            onChange={(event) => set(option.value, event.currentTarget.checked)}
          />
          <span>
            {option.label}
            {option.description !== undefined && <span class="quiet pick-more"> {option.description}</span>}
          </span>
        </label>
      ))}
      {field.freeText && (
        <div class="pick">
          <input
            id={field.options.length === 0 ? id : `${id}/own`}
            class="pick-mark"
            type={kind}
            name={id}
            aria-label={t('In your own words')}
            checked={own !== undefined}
            onChange={(event) => setOwn(event.currentTarget.checked ? '' : null)}
          />
          <input
            type="text"
            class="answer-line"
            aria-label={t('{0}: in your own words', field.label)}
            placeholder={t('In your own words')}
            value={own ?? ''}
            onInput={(event) => setOwn(event.currentTarget.value)}
          />
        </div>
      )}
    </fieldset>
  );
}

function Line({ field, value, id, problem, onChange }: FieldProps<Of<'text'> | Of<'number'>>) {
  const common = {
    id,
    class: 'answer-line',
    'aria-required': field.required,
    'aria-invalid': problem !== undefined,
    'aria-describedby': describedBy(field, id, problem),
  };
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {field.label} <Hint field={field} />
      </label>
      <Below field={field} id={id} problem={problem} />
      {field.type === 'text' ? (
        <input
          {...common}
          type="text"
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
        />
      ) : (
        // Not controlled: a number that is half typed has no value yet, and must not vanish.
        <input
          {...common}
          type="number"
          step={field.integer ? 1 : 'any'}
          min={field.minimum}
          max={field.maximum}
          defaultValue={value === undefined ? '' : String(value)}
          onInput={(event) => {
            const text = event.currentTarget.value;
            onChange(text === '' ? undefined : Number(text));
          }}
        />
      )}
    </div>
  );
}

function YesNo({ field, value, id, problem, onChange }: FieldProps<Of<'boolean'>>) {
  return (
    <div class="field">
      <Below field={field} id={id} problem={problem} />
      <label class="pick">
        <input
          id={id}
          class="pick-mark"
          type="checkbox"
          checked={value === true}
          aria-describedby={describedBy(field, id, problem)}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{field.label}</span>
      </label>
    </div>
  );
}

function Hint({ field }: { field: QuestionField }) {
  const hint = field.required ? '' : t('(optional)');
  return hint === '' ? null : <span class="quiet">{hint}</span>;
}

function Below({ field, id, problem }: { field: QuestionField; id: string; problem: FormProblem | undefined }) {
  return (
    <>
      {field.description !== undefined && (
        <div class="quiet" id={`${id}/description`}>
          {field.description}
        </div>
      )}
      {problem !== undefined && (
        <div class="problem" id={`${id}/problem`}>
          {problemWords(field, problem)}
        </div>
      )}
    </>
  );
}

function describedBy(field: QuestionField, id: string, problem: FormProblem | undefined): string | undefined {
  const ids = [
    ...(field.description === undefined ? [] : [`${id}/description`]),
    ...(problem === undefined ? [] : [`${id}/problem`]),
  ];
  return ids.length === 0 ? undefined : ids.join(' ');
}

function problemWords(field: QuestionField, problem: FormProblem): string {
  switch (problem) {
    case 'missing':
      return t('Please answer this.');
    case 'notOffered':
      return t('Choose one of what is offered.');
    case 'wrongType':
    case 'unknownField':
      return t('This cannot be sent.');
    case 'tooShort':
      return t('At least {0} characters.', field.type === 'text' ? (field.minLength ?? 0) : 0);
    case 'tooLong':
      return t('At most {0} characters.', field.type === 'text' ? (field.maxLength ?? 0) : 0);
    case 'tooFew':
      return t('Choose at least {0}.', field.type === 'choices' ? (field.minItems ?? 0) : 0);
    case 'tooMany':
      return t('Choose at most {0}.', field.type === 'choices' ? (field.maxItems ?? 0) : 0);
    case 'tooSmall':
      return t('Not less than {0}.', field.type === 'number' ? (field.minimum ?? 0) : 0);
    case 'tooLarge':
      return t('Not more than {0}.', field.type === 'number' ? (field.maximum ?? 0) : 0);
    case 'notWhole':
      return t('A whole number, please.');
    default:
      return problem satisfies never;
  }
}
