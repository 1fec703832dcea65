/** The part of the schema that `shared/permission.ts` describes. */
import * as z from 'zod';
import { toolContents, toolKind } from './agentSchema.ts';
import { formValue, questionForm } from './questionSchema.ts';
import { ofTurn, stamp, strings, wireObject } from './schemaParts.ts';

const permissionOffer = z.discriminatedUnion('type', [
  z.object({ offerId: z.string(), type: z.literal('runEdits') }),
  z.object({
    offerId: z.string(),
    type: z.literal('command'),
    scope: z.enum(['session', 'workspace', 'user']),
    command: z.string(),
  }),
]);

const permissionRequest = z.object({
  toolCallId: z.string(),
  title: z.string(),
  kind: toolKind,
  options: z.array(
    z.object({
      optionId: z.string(),
      name: z.string(),
      kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always', 'unknown']),
      scope: z.exactOptional(z.string()),
    }),
  ),
  content: toolContents,
  paths: strings,
  command: z.exactOptional(z.string()),
  unsaved: z.exactOptional(strings),
  asker: z.exactOptional(z.literal('loop')),
  takesMessage: z.boolean(),
  takesChange: z.exactOptional(z.boolean()),
  form: z.exactOptional(questionForm),
  offers: z.exactOptional(z.array(permissionOffer)),
});

/** A question of an agent, and how it was settled. */
export const permissionEvents = [
  z.object({
    ...ofTurn,
    type: z.literal('permission.requested'),
    permissionId: z.string(),
    wire: wireObject,
    derived: permissionRequest,
  }),
  z.object({
    ...stamp,
    type: z.literal('permission.resolved'),
    permissionId: z.string(),
    by: z.enum(['user', 'policy', 'withdrawn', 'turnEnded', 'sessionCancel', 'agentExit', 'dispose']),
    answer: z.discriminatedUnion('outcome', [
      z.object({
        outcome: z.literal('selected'),
        optionId: z.string(),
        message: z.exactOptional(z.string()),
        form: z.exactOptional(z.record(z.string(), formValue)),
        offerId: z.exactOptional(z.string()),
        changedText: z.exactOptional(z.string()),
      }),
      z.object({ outcome: z.literal('cancelled') }),
    ]),
    why: z.exactOptional(z.string()),
  }),
] as const;
