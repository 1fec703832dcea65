/** The part of the schema that `shared/fileEvents.ts` describes. */
import * as z from 'zod';
import { strings } from './schemaParts.ts';

/** `CheckpointRef` as files hold it. */
export const checkpoint = z.object({ id: z.string(), tree: z.string(), label: z.string() });

/** `FileChange` as files hold it. */
export const fileChange = z.object({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'typeChanged']),
  added: z.nullable(z.number()),
  removed: z.nullable(z.number()),
});

export const turnTruth = z.object({
  unannounced: strings,
  unseen: strings,
  outside: strings,
  byUser: strings,
  byBoth: strings,
  ranCommands: z.boolean(),
});

export const fileProblems = [
  'invalid',
  'missing',
  'outside',
  'notAllowed',
  'noFile',
  'noText',
  'tooLarge',
  'readOnly',
  'unsaved',
  'notebook',
  'failed',
] as const;
