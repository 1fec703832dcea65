import * as z from 'zod';
import { DEFAULTS } from '../../src/loop/options.ts';
import { parseReview } from '../../src/loop/review.ts';

/** The part of a verdict that a case may fix. */
const OUTCOME = z.object({
  status: z.string(),
  approved: z.boolean(),
  score: z.number().nullable(),
  source: z.string(),
  reason: z.string(),
});

const EXPECTED = OUTCOME.partial();

const REVIEW_CASE = z.object({
  input: z.string(),
  threshold: z.number().default(DEFAULTS.threshold),
  expected: EXPECTED,
  /** Other outcomes that are right as well. None of them can be an approval that was not expected. */
  tolerated: z.array(EXPECTED).default([]),
});

/** Reads the case's review with the product's code; gives one line for each field that differs, none for a pass. */
export async function runReviewCase(testCase: unknown): Promise<string[]> {
  const { input, threshold, expected, tolerated } = REVIEW_CASE.parse(testCase);
  const verdict = parseReview(input, { threshold });
  const differences = differencesTo(expected, verdict);
  const asExpected = differences.length === 0 || tolerated.some((other) => differencesTo(other, verdict).length === 0);
  return asExpected && (verdict.approved === false || expected.approved !== false) ? [] : differences;
}

function differencesTo(expected: z.infer<typeof EXPECTED>, verdict: z.infer<typeof OUTCOME>): string[] {
  const lines: string[] = [];
  for (const field of OUTCOME.keyof().options) {
    const wanted = expected[field];
    if (wanted !== undefined && wanted !== verdict[field]) {
      lines.push(`${field}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(verdict[field])}`);
    }
  }
  return lines;
}
