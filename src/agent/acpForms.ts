import type { CreateElicitationParams, ElicitedProperty } from '../protocol/acpElicitation.ts';
import type { PermissionAnswer, PermissionRequest } from '../shared/permission.ts';
import type { FormValues, QuestionField, QuestionOption } from '../shared/question.ts';
import type { WireObject } from '../shared/wire.ts';

/** A form that an agent wants filled in. */
export type ElicitedForm = Extract<CreateElicitationParams, { readonly mode: 'form' }>;

const SEND = 'accept';
const DECLINE = 'decline';

/** The form as a question of ours; `questionId` stands for the tool call where the form belongs to none. */
export function formRequest(params: ElicitedForm, questionId: string): PermissionRequest {
  const { properties, required } = params.requestedSchema;
  const fields = Object.entries(properties).map(([id, property]) =>
    fieldOf(id, property, required?.includes(id) === true),
  );
  return {
    toolCallId: params.toolCallId ?? questionId,
    title: titleOf(params.message, fields),
    kind: 'ask',
    options: [
      { optionId: SEND, name: 'Send', kind: 'allow_once' },
      { optionId: DECLINE, name: 'Decline', kind: 'reject_once' },
    ],
    content: [],
    paths: [],
    takesMessage: false,
    form: { message: params.message, fields },
  };
}

/** The first line of the message, else what is to be filled in. */
function titleOf(message: string, fields: readonly QuestionField[]): string {
  const [first = ''] = message.trim().split(/\r?\n/, 1);
  if (first !== '') return first;
  return fields.length === 0 ? 'a confirmation' : fields.map(({ label }) => label).join(', ');
}

/** The person's answer as `elicitation/create` takes it. */
export function formWire(answer: PermissionAnswer): WireObject {
  if (answer.outcome === 'cancelled') return { action: 'cancel' };
  return answer.optionId === SEND ? { action: 'accept', content: contentOf(answer.form ?? {}) } : { action: 'decline' };
}

function contentOf(values: FormValues): WireObject {
  return { ...values };
}

function fieldOf(id: string, property: ElicitedProperty, required: boolean): QuestionField {
  const description = descriptionOf(property);
  const head = { id, label: property.title ?? id, required, ...(description === '' ? {} : { description }) };
  switch (property.type) {
    case 'string': {
      const options = optionsOf(property.enum, property.oneOf);
      const initial = property.default == null ? {} : { initial: property.default };
      if (options !== null) return { ...head, type: 'choice', options, freeText: false, ...initial };
      return {
        ...head,
        type: 'text',
        ...(property.minLength == null ? {} : { minLength: property.minLength }),
        ...(property.maxLength == null ? {} : { maxLength: property.maxLength }),
        ...initial,
      };
    }
    case 'number':
    case 'integer':
      return {
        ...head,
        type: 'number',
        integer: property.type === 'integer',
        ...(property.minimum == null ? {} : { minimum: property.minimum }),
        ...(property.maximum == null ? {} : { maximum: property.maximum }),
        ...(property.default == null ? {} : { initial: property.default }),
      };
    case 'boolean':
      return { ...head, type: 'boolean', ...(property.default == null ? {} : { initial: property.default }) };
    case 'array':
      return {
        ...head,
        type: 'choices',
        options: optionsOf(property.items.enum, property.items.anyOf) ?? [],
        freeText: false,
        ...(property.minItems == null ? {} : { minItems: property.minItems }),
        ...(property.maxItems == null ? {} : { maxItems: property.maxItems }),
        ...(property.default == null ? {} : { initial: property.default }),
      };
    default:
      return property satisfies never;
  }
}

/** A pattern or a format is only told: the agent checks it itself, and a pattern of its making may not end. */
function descriptionOf(property: ElicitedProperty): string {
  const { description, pattern, format } = property;
  const rules = [
    ...(typeof format === 'string' ? [`format: ${format}`] : []),
    ...(typeof pattern === 'string' ? [`pattern: ${pattern}`] : []),
  ];
  return [description ?? '', ...(rules.length === 0 ? [] : [`(${rules.join(', ')})`])].filter(Boolean).join(' ');
}

function optionsOf(
  plain: readonly string[] | null | undefined,
  titled:
    | readonly { const: string; title?: string | null | undefined; description?: string | null | undefined }[]
    | null
    | undefined,
): readonly QuestionOption[] | null {
  if (titled != null) {
    return titled.map(({ const: value, title, description }) => ({
      value,
      label: title ?? value,
      ...(description == null ? {} : { description }),
    }));
  }
  return plain?.map((value) => ({ value, label: value })) ?? null;
}
