import assert from 'node:assert/strict';
import { shortPath } from '../../src/shared/questionWords.ts';
import { splitReview } from '../../src/shared/reviewText.ts';
import { withoutAnsi } from '../../src/shared/withoutAnsi.ts';
import { firstState, fits, step } from '../../webview/state.ts';
import { newestText } from '../../webview/text.ts';
import { cost, duration, setLanguage, t } from '../../webview/words.ts';
import { TWO_ROUND_RUN } from '../fakes/events.ts';

describe('text', () => {
  it('parts a review into words and verdict at its last JSON block', () => {
    assert.deepEqual(splitReview('Good.\n\n```json\n{"score":9}\n```\nAPPROVED'), {
      words: 'Good.',
      verdict: '```json\n{"score":9}\n```\nAPPROVED',
    });
    assert.deepEqual(splitReview('Just words'), { words: 'Just words', verdict: null });
  });

  it('keeps the end of a long output from a line on, and counts what stands before it', () => {
    assert.deepEqual(newestText('a\nb'), { newest: 'a\nb', earlier: 0 });
    const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index}`);
    const { newest, earlier } = newestText(lines.join('\n'));
    assert.ok(newest.length <= 100_000 && newest.length > 99_000);
    assert.deepEqual(newest.split('\n'), lines.slice(earlier));
    assert.equal(newestText('x'.repeat(200_000)).newest.length, 100_000);
  });

  it('drops colours, cursor moves and titles of a terminal', () => {
    assert.equal(withoutAnsi('\u001b[31mred\u001b[0m\u001b]0;title\u0007!\u001b[2K\r\n'), 'red!\n');
  });
});

describe('words', () => {
  it('fills in the places, also of a translation', () => {
    setLanguage({ 'Round {0} of {1}': '{1} 轮中的第 {0} 轮' }, 'zh-cn');
    assert.equal(t('Round {0} of {1}', 2, 3), '3 轮中的第 2 轮');
    setLanguage({}, 'en');
    assert.equal(t('Round {0} of {1}', 2, 3), 'Round 2 of 3');
  });

  it('writes durations and costs, and leaves out what is unknown', () => {
    assert.deepEqual([42_000, 72_000, 3_780_000].map(duration), ['42 s', '1 m 12 s', '1 h 3 m']);
    assert.deepEqual(cost({ inputTokens: 17_900, outputTokens: 100, cachedTokens: null, costUsd: 0.12 }), [
      '18K tokens',
      '$0.12',
    ]);
    assert.deepEqual(cost({ inputTokens: null, outputTokens: null, cachedTokens: null, costUsd: null }), []);
  });

  it('shortens paths inside the folder only', () => {
    assert.equal(shortPath('/home/me/project/src/a.ts', '/home/me/project'), 'src/a.ts');
    assert.equal(shortPath('/home/me/project2/a.ts', '/home/me/project'), '/home/me/project2/a.ts');
  });
});

describe('the page’s state', () => {
  const empty = firstState({ draft: '', options: {}, open: {} }, 0);
  const batch = (from: number, to: number, runId = 'run') => ({
    type: 'batch' as const,
    runId,
    fromSeq: from,
    events: TWO_ROUND_RUN.slice(from - 1, to),
  });
  const shown = [{ type: 'reset' as const, runId: 'run' }, batch(1, 10)].reduce(
    (state, message) => step(state, { type: 'host', message }),
    empty,
  );

  it('asks anew for a gap and for a run that it does not show', () => {
    assert.ok(fits(shown, batch(11, 12)));
    assert.ok(!fits(shown, batch(12, 13)));
    assert.ok(!fits(shown, batch(11, 12, 'other')));
  });

  it('skips events that it has', () => {
    const again = step(shown, { type: 'host', message: batch(5, 14) });
    assert.equal(again.folded.lastSeq, 14);
    assert.deepEqual(again.folded, step(shown, { type: 'host', message: batch(11, 14) }).folded);
    assert.equal(step(shown, { type: 'host', message: batch(2, 4) }).folded, shown.folded);
  });

  it('forgets a run on reset, and keeps draft and choices', () => {
    const state = step(
      { ...shown, draft: 'x', options: { rounds: 5 }, open: { a: true } },
      {
        type: 'host',
        message: { type: 'reset', runId: null },
      },
    );
    assert.equal(state.folded.run, null);
    assert.deepEqual([state.draft, state.options, state.open], ['x', { rounds: 5 }, {}]);
  });

  it('keeps what was open when the page is made anew for the same run', () => {
    const state = step({ ...empty, open: { a: true } }, { type: 'host', message: { type: 'reset', runId: 'run' } });
    assert.deepEqual(state.open, { a: true });
  });
});
