/** The part of the schema that `shared/ending.ts` describes. */
import * as z from 'zod';
import { budgetKind } from './roundSchema.ts';
import { nullableNumber, role } from './schemaParts.ts';

const failureCause = z.enum([
  'signIn',
  'quota',
  'agentError',
  'agentExit',
  'noResult',
  'spawn',
  'startLimit',
  'timeLimit',
  'protocol',
]);

export const turnOutcome = z.discriminatedUnion('type', [
  z.object({ type: z.literal('completed') }),
  z.object({ type: z.literal('incomplete'), cause: z.string(), message: z.string() }),
  z.object({ type: z.literal('cancelled'), by: z.enum(['user', 'agent']) }),
  z.object({ type: z.literal('failed'), cause: failureCause, message: z.string() }),
]);

export const terminalEnd = z.object({
  exitCode: nullableNumber,
  signal: z.nullable(z.string()),
  by: z.enum(['itself', 'agent', 'stop']),
  problem: z.exactOptional(z.string()),
});

export const ending = z.discriminatedUnion('type', [
  z.object({ type: z.literal('approved'), score: z.number() }),
  z.object({
    type: z.literal('failed'),
    role: z.nullable(role),
    cause: z.enum([...failureCause.options, 'incomplete', 'loop']),
    message: z.string(),
  }),
  z.object({
    type: z.literal('notApproved'),
    cause: z.enum(['roundLimit', 'plateau', 'oscillation']),
    score: nullableNumber,
    bestRound: nullableNumber,
    message: z.exactOptional(z.string()),
  }),
  z.object({
    type: z.literal('overBudget'),
    limit: budgetKind,
    used: z.number(),
    allowed: z.number(),
    score: nullableNumber,
    bestRound: nullableNumber,
  }),
  z.object({ type: z.literal('noVerdict'), message: z.string() }),
  z.object({ type: z.literal('stopped') }),
]);
