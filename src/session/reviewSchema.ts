/** The part of the schema that `shared/review.ts` describes. */
import * as z from 'zod';
import { nullableNumber, stamp, strings, turn } from './schemaParts.ts';

const reviewFinding = {
  severity: z.enum(['blocker', 'major', 'minor', 'nit']),
  file: z.exactOptional(z.string()),
  line: z.exactOptional(z.number()),
  title: z.string(),
  detail: z.string(),
  suggestion: z.exactOptional(z.string()),
};
const findingStatus = z.enum(['open', 'regressed', 'fixed', 'withdrawn', 'dismissed']);
const finding = z.object({
  ...reviewFinding,
  id: z.string(),
  theirIds: z.exactOptional(z.array(z.string())),
  openedInRound: z.number(),
  status: findingStatus,
  late: z.exactOptional(z.boolean()),
  anchor: z.exactOptional(z.string()),
  reason: z.exactOptional(z.string()),
  disputed: z.exactOptional(z.string()),
  fixedBy: z.exactOptional(z.object({ round: z.number(), file: z.string(), hunk: z.string() })),
});

const verdict = z.object({
  status: z.enum(['approved', 'not_approved', 'unparsable']),
  approved: z.boolean(),
  score: nullableNumber,
  source: z.enum(['json', 'prose', 'none']),
  reason: z.enum([
    'ok',
    'no_approved_line',
    'json_not_approved',
    'score_below_threshold',
    'open_blocker',
    'no_score',
    'ambiguous_score',
    'score_out_of_range',
    'invalid_json_verdict',
    'empty',
  ]),
  warnings: strings,
  summary: z.string(),
  findings: z.array(z.object({ id: z.exactOptional(z.string()), ...reviewFinding })),
  previous: z.array(z.object({ id: z.string(), status: z.enum(['fixed', 'open', 'withdrawn']) })),
  suggestions: strings,
});

/** A review as it was read, and the ledger of its findings. */
export const reviewEvents = [
  z.object({
    ...stamp,
    type: z.literal('review.scored'),
    turn,
    verdict,
    approved: z.boolean(),
    blockedBy: strings,
  }),
  z.object({ ...stamp, type: z.literal('finding.opened'), finding }),
  z.object({
    ...stamp,
    type: z.literal('finding.updated'),
    id: z.string(),
    status: findingStatus,
    finding: z.exactOptional(finding),
  }),
] as const;
