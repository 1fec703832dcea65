import * as z from 'zod';

/** `elicitation/create`: an agent asks the person to fill in a form, or to open a page (which we do not offer). */

const head = { title: z.string().nullish().catch(null), description: z.string().nullish().catch(null) };
const choice = z.looseObject({
  const: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish().catch(null),
});

const property = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('string'),
    ...head,
    enum: z.array(z.string()).nullish(),
    oneOf: z.array(choice).nullish(),
    minLength: z.number().nullish(),
    maxLength: z.number().nullish(),
    default: z.string().nullish().catch(null),
  }),
  z.looseObject({
    type: z.enum(['number', 'integer']),
    ...head,
    minimum: z.number().nullish(),
    maximum: z.number().nullish(),
    default: z.number().nullish().catch(null),
  }),
  z.looseObject({ type: z.literal('boolean'), ...head, default: z.boolean().nullish().catch(null) }),
  z.looseObject({
    type: z.literal('array'),
    ...head,
    items: z.looseObject({ enum: z.array(z.string()).nullish(), anyOf: z.array(choice).nullish() }),
    minItems: z.number().nullish(),
    maxItems: z.number().nullish(),
    default: z.array(z.string()).nullish().catch(null),
  }),
]);
export type ElicitedProperty = z.output<typeof property>;

/** Of a session, and there maybe of a tool call; else of a request of ours, such as `session/new`. */
const scope = {
  sessionId: z.string().nullish(),
  toolCallId: z.string().nullish(),
  requestId: z.union([z.string(), z.number()]).nullish(),
};

export const createElicitationParams = z.discriminatedUnion('mode', [
  z.looseObject({
    mode: z.literal('form'),
    message: z.string(),
    ...scope,
    requestedSchema: z.looseObject({
      /** Absent: there is nothing to fill in, only to accept. */
      properties: z.record(z.string(), property).default({}),
      required: z.array(z.string()).nullish(),
    }),
  }),
  z.looseObject({
    mode: z.literal('url'),
    message: z.string(),
    ...scope,
    elicitationId: z.string(),
    url: z.string(),
  }),
]);
export type CreateElicitationParams = z.output<typeof createElicitationParams>;
