import assert from 'node:assert/strict';
import type { Usage } from '../../src/shared/agentEvents.ts';
import { shortPath } from '../../src/shared/questionWords.ts';
import { splitReview } from '../../src/shared/reviewText.ts';
import type { TurnItem } from '../../src/shared/view.ts';
import { withoutAnsi } from '../../src/shared/withoutAnsi.ts';
import { spentWords } from '../../webview/spent.ts';
import { firstState, fits, NOTHING_SAVED, step } from '../../webview/state.ts';
import { newestText } from '../../webview/text.ts';
import { compact, dateTime, duration, money, setLanguage, t } from '../../webview/words.ts';
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

  it('has numbers in sentences as the language writes them', () => {
    setLanguage({}, 'de');
    assert.equal(t('{0} files', 12_345), '12.345 files');
    setLanguage({}, 'en');
    assert.deepEqual(
      [t('{0} files', 12_345), t('exit code {0}', '3221225477')],
      ['12,345 files', 'exit code 3221225477'],
    );
  });

  it('writes durations, numbers, money and days by the person’s language', () => {
    assert.deepEqual([42_000, 72_000, 3_780_000].map(duration), ['42 s', '1 m 12 s', '1 h 3 m']);
    assert.deepEqual([money(0.12), money(0.061), money(0), compact(17_960)], ['$0.12', '$0.061', '$0.00', '18K']);
    setLanguage({}, 'zh-cn');
    assert.deepEqual([money(0.12), compact(17_960)], ['US$0.12', '1.8万']);
    assert.match(dateTime(Date.UTC(2026, 0, 15, 12)), /2026年1月15日/);
    setLanguage({}, 'en');
    assert.match(dateTime(Date.UTC(2026, 0, 15, 12)), /^Jan 15, 2026, /);
  });

  it('says what turns took, what nobody told as unknown, and a part as the least that it can be', () => {
    const turn = (usage: Usage | null, endedAt: number | null = 1): TurnItem => ({
      type: 'turn',
      key: 'turn/1',
      turn: 1,
      role: 'execute',
      at: 0,
      prompt: '',
      model: null,
      endedAt,
      outcome: null,
      usage,
      models: [],
    });
    const told = (costUsd: number | null) => turn({ inputTokens: 900, outputTokens: 100, cachedTokens: null, costUsd });
    assert.deepEqual(spentWords([told(0.12), told(0.1)]), ['2K tokens', '$0.22']);
    assert.deepEqual(spentWords([told(0.12), told(null)]), ['2K tokens', 'at least $0.12']);
    assert.deepEqual(spentWords([told(null)]), ['1K tokens', 'cost unknown']);
    assert.deepEqual(spentWords([told(0), told(null)]), ['2K tokens', 'cost unknown'], 'nothing is no least');
    assert.deepEqual(spentWords([turn(null)]), ['cost unknown']);
    assert.deepEqual(spentWords([turn(null, null)]), [], 'it has only begun');
  });

  it('shortens paths inside the folder only', () => {
    assert.equal(shortPath('/home/me/project/src/a.ts', '/home/me/project'), 'src/a.ts');
    assert.equal(shortPath('/home/me/project2/a.ts', '/home/me/project'), '/home/me/project2/a.ts');
  });
});

describe('the page’s state', () => {
  const empty = firstState(NOTHING_SAVED, 0);
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
    const state = step(
      { ...empty, of: 'run', open: { a: true } },
      { type: 'host', message: { type: 'reset', runId: 'run' } },
    );
    assert.deepEqual(state.open, { a: true });
  });
});
