/** A form that an agent wants filled in, and what was filled in. Types only. */

/** One thing to choose. `value` goes back to the agent as it stands; `label` is for people. */
export interface QuestionOption {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** What every field has. `id` is unique in its form; `label` and `description` are the agent's words. */
interface QuestionFieldHead {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
}

/** One field of a form. `freeText`: words of the person's own are as good as what is offered. Bounds are inclusive. */
export type QuestionField =
  | (QuestionFieldHead & {
      readonly type: 'choice';
      readonly options: readonly QuestionOption[];
      readonly freeText: boolean;
      readonly initial?: string;
    })
  | (QuestionFieldHead & {
      readonly type: 'choices';
      readonly options: readonly QuestionOption[];
      readonly freeText: boolean;
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly initial?: readonly string[];
    })
  | (QuestionFieldHead & {
      readonly type: 'text';
      /** In characters. */
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly initial?: string;
    })
  | (QuestionFieldHead & {
      readonly type: 'number';
      readonly integer: boolean;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly initial?: number;
    })
  | (QuestionFieldHead & { readonly type: 'boolean'; readonly initial?: boolean });

/** What an agent wants to know. Without fields it only has something to read before the options, such as a plan. */
export interface QuestionForm {
  /** Markdown; empty where the fields say it all. */
  readonly message: string;
  readonly fields: readonly QuestionField[];
}

/** What was filled in: `choice` and `text` a string, `choices` a list, `number` and `boolean` themselves. */
export type FormValue = string | number | boolean | readonly string[];

/** Field id → value. A field that was left empty is absent. */
export type FormValues = { readonly [fieldId: string]: FormValue };
