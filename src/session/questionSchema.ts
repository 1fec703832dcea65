/** The part of the schema that `shared/question.ts` describes. */
import * as z from 'zod';
import { strings } from './schemaParts.ts';

const fieldHead = {
  id: z.string(),
  label: z.string(),
  description: z.exactOptional(z.string()),
  required: z.boolean(),
};
export const fieldOptions = z.array(
  z.object({ value: z.string(), label: z.string(), description: z.exactOptional(z.string()) }),
);

export const questionForm = z.object({
  message: z.string(),
  fields: z.array(
    z.discriminatedUnion('type', [
      z.object({
        ...fieldHead,
        type: z.literal('choice'),
        options: fieldOptions,
        freeText: z.boolean(),
        initial: z.exactOptional(z.string()),
      }),
      z.object({
        ...fieldHead,
        type: z.literal('choices'),
        options: fieldOptions,
        freeText: z.boolean(),
        minItems: z.exactOptional(z.number()),
        maxItems: z.exactOptional(z.number()),
        initial: z.exactOptional(strings),
      }),
      z.object({
        ...fieldHead,
        type: z.literal('text'),
        minLength: z.exactOptional(z.number()),
        maxLength: z.exactOptional(z.number()),
        initial: z.exactOptional(z.string()),
      }),
      z.object({
        ...fieldHead,
        type: z.literal('number'),
        integer: z.boolean(),
        minimum: z.exactOptional(z.number()),
        maximum: z.exactOptional(z.number()),
        initial: z.exactOptional(z.number()),
      }),
      z.object({ ...fieldHead, type: z.literal('boolean'), initial: z.exactOptional(z.boolean()) }),
    ]),
  ),
});

/** A plain union: at most four values a form, and none of them has a tag. */
export const formValue = z.union([z.string(), z.number(), z.boolean(), strings]);
