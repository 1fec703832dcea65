/** The part of the schema that `shared/roundEvents.ts` describes, and what it shares with the rest. */
import * as z from 'zod';
import { checkpoint, fileChange } from './fileSchema.ts';
import { stamp, strings } from './schemaParts.ts';

export const budgetKind = z.enum(['tokens', 'money', 'minutes']);

export const budget = z.object({
  tokens: z.exactOptional(z.number()),
  money: z.exactOptional(z.number()),
  minutes: z.exactOptional(z.number()),
});

export const worktreeRef = z.object({ path: z.string(), branch: z.string(), origin: z.string(), base: z.string() });

export const checkRequest = z.object({ command: z.string(), source: z.enum(['typed', 'settings', 'detected']) });

const feedback = z.object({
  findings: z.nullable(strings),
  text: z.nullable(z.string()),
  instruction: z.nullable(z.string()),
});

const undoScope = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run') }),
  z.object({ type: z.literal('round'), round: z.number() }),
  z.object({ type: z.literal('before'), round: z.number() }),
  z.object({ type: z.literal('after'), round: z.number() }),
  z.object({ type: z.literal('redo') }),
]);

/** `RoundEventBody` with what every event has, one schema for each type. */
export const roundEvents = [
  z.object({
    ...stamp,
    type: z.literal('check.started'),
    checkId: z.string(),
    command: z.string(),
    cwd: z.string(),
    limitSeconds: z.number(),
  }),
  z.object({
    ...stamp,
    type: z.literal('check.output'),
    checkId: z.string(),
    text: z.string(),
    skipped: z.int().nonnegative(),
  }),
  z.object({
    ...stamp,
    type: z.literal('check.ended'),
    checkId: z.string(),
    end: z.object({
      passed: z.boolean(),
      exitCode: z.nullable(z.number()),
      signal: z.nullable(z.string()),
      by: z.enum(['itself', 'limit', 'stop']),
      problem: z.exactOptional(z.string()),
    }),
  }),
  z.object({ ...stamp, type: z.literal('check.skipped'), command: z.string(), why: z.string() }),
  z.object({
    ...stamp,
    type: z.literal('checks.changed'),
    changes: z.array(
      z.discriminatedUnion('type', [
        z.object({
          type: z.literal('definition'),
          command: z.string(),
          file: z.string(),
          before: z.nullable(z.string()),
          after: z.nullable(z.string()),
        }),
        z.object({ type: z.literal('testsRemoved'), files: strings }),
      ]),
    ),
  }),
  z.object({ ...stamp, type: z.literal('checks.wrote'), files: z.array(fileChange) }),
  z.object({
    ...stamp,
    type: z.literal('run.paused'),
    reason: z.enum(['user', 'betweenRounds', 'headMoved']),
    why: z.string(),
  }),
  z.object({ ...stamp, type: z.literal('run.resumed'), feedback: z.nullable(feedback) }),
  z.object({ ...stamp, type: z.literal('user.note'), text: z.string(), finding: z.exactOptional(z.string()) }),
  z.object({
    ...stamp,
    type: z.literal('head.moved'),
    by: z.enum(['agent', 'user']),
    from: z.nullable(z.string()),
    to: z.nullable(z.string()),
    commits: z.array(z.object({ id: z.string(), subject: z.string() })),
  }),
  z.object({
    ...stamp,
    type: z.literal('run.undone'),
    restored: checkpoint,
    replaced: checkpoint,
    scope: z.exactOptional(undoScope),
    only: z.exactOptional(strings),
    files: z.exactOptional(z.array(fileChange)),
    conflicts: z.exactOptional(strings),
  }),
  z.object({
    ...stamp,
    type: z.literal('changes.reviewed'),
    base: z.nullable(z.string()),
    files: z.array(fileChange),
  }),
  z.object({ ...stamp, type: z.literal('worktree.settled'), how: z.enum(['applied', 'kept', 'dropped']) }),
] as const;
