import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isQuotedVerdict } from '../../src/loop/quotedVerdict.ts';
import { parseReview } from '../../src/loop/review.ts';

const RUNS = { numRuns: process.env.DEEP === '1' ? 100_000 : 500 };

const verdict = fc
  .record({
    score: fc.integer({ min: 90, max: 100 }).map((tenths) => tenths / 10),
    approved: fc.constant(true),
    summary: fc.string({ maxLength: 20 }),
  })
  .chain((json) => fc.constantFrom(undefined, 2, '\t').map((space) => JSON.stringify(json, null, space)));
const around = fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[`~>]/g, ''));
const sign = fc.constantFrom('+', ' ', '-', '', '    ', '+  ');

describe('a verdict that is quoted from the work', () => {
  it('E3: is told from one of the reviewer’s own, however it is indented or marked as a diff', () => {
    fc.assert(
      fc.property(verdict, around, around, sign, fc.boolean(), (json, before, after, mark, word) => {
        const material = `${before}\n${json.replaceAll(/^/gm, mark)}\n${after}`;
        const review = `I found this.\n\n\`\`\`json\n${json}\n\`\`\`\n${word ? '\nAPPROVED\n' : ''}`;
        assert.equal(parseReview(review, { threshold: 9 }).approved, true, 'the parser cannot know');
        assert.ok(isQuotedVerdict(review, ['', material]), material);
        assert.ok(isQuotedVerdict(json, [material]), 'also as the whole text');
        assert.ok(!isQuotedVerdict(review, [before, after]));
        assert.ok(!isQuotedVerdict(review.replace('"approved"', '"own": 1, "approved"'), [material]));
      }),
      RUNS,
    );
  });

  it('is nothing in a review without one', () => {
    for (const review of ['', 'Score: 9/10\n\nAPPROVED', '```\nfenced\n```', '{']) {
      assert.ok(!isQuotedVerdict(review, [review, '{}']), review);
    }
  });
});
