import assert from 'node:assert/strict';
import { EMPTY_COMPOSER, recalled, typed } from '../../webview/composer/state.ts';
import { commandChoices, triggerAt, withChoice, withText } from '../../webview/composer/typing.ts';

/** The cursor stands at `|`. */
const at = (marked: string) => {
  const caret = marked.indexOf('|');
  return { text: marked.replace('|', ''), caret };
};
const trigger = (marked: string) => {
  const { text, caret } = at(marked);
  return triggerAt(text, caret);
};
const file = (path: string, lines: { from: number; to: number } | null = null) =>
  ({ type: 'file', file: { path, lines, open: false } }) as const;

describe('triggerAt', () => {
  it('is a file behind @ at the start of a word, also in brackets and quotation marks', () => {
    assert.deepEqual(trigger('see @src/a|'), { type: 'file', from: 4, to: 10, query: 'src/a', lines: '' });
    assert.equal(trigger('(@|')?.query, '');
    assert.equal(trigger('@"my no|')?.query, 'my no');
    assert.equal(trigger('@a.ts:10-|')?.query, 'a.ts');
    for (const none of ['me@x|', '@a |', 'a|', '@a\n|']) assert.equal(trigger(none), null, none);
  });

  it('reaches to the end of the word that the cursor stands in', () => {
    assert.equal(trigger('@sr|c/a.ts more')?.to, 9);
  });

  it('is a command at the beginning of the task alone, with at most two words', () => {
    assert.deepEqual(trigger('/mem|'), { type: 'command', from: 0, to: 4, query: 'mem' });
    assert.equal(trigger('/memory sh|')?.query, 'memory sh');
    for (const none of ['x /mem|', '/etc/ho|', '/memory show me|', '/1|']) assert.equal(trigger(none), null, none);
  });
});

describe('commandChoices', () => {
  it('has those first that begin with what is typed', () => {
    const commands = ['compact', 'review', 'security-review'].map((name) => ({ name, description: '' }));
    const names = (query: string) =>
      commandChoices(query, commands).map((one) => (one.type === 'command' ? one.command.name : ''));
    assert.deepEqual(names(''), ['compact', 'review', 'security-review']);
    assert.deepEqual(names('Rev'), ['review', 'security-review']);
  });
});

describe('withChoice', () => {
  const pick = (marked: string, choice: ReturnType<typeof file>) => {
    const { text, caret } = at(marked);
    const word = triggerAt(text, caret);
    assert.ok(word);
    return withChoice(text, word, choice);
  };

  it('puts the mention in place of the word, and the cursor behind it and a blank', () => {
    assert.deepEqual(pick('see @a|', file('src/a.ts')), { text: 'see @src/a.ts ', caret: 14 });
    assert.deepEqual(pick('see @a| and', file('src/a.ts')), { text: 'see @src/a.ts and', caret: 14 });
    assert.equal(pick('@my|', file('my notes.md')).text, '@"my notes.md" ');
  });

  it('keeps the lines that were typed, and brings those of a selection', () => {
    assert.equal(pick('@a:10-20|', file('src/a.ts')).text, '@src/a.ts:10-20 ');
    assert.equal(pick('@|', file('src/a.ts', { from: 3, to: 5 })).text, '@src/a.ts:3-5 ');
  });
});

describe('withText', () => {
  it('keeps words apart', () => {
    assert.deepEqual(withText('Fix', 3, '@a.ts '), { text: 'Fix @a.ts ', caret: 10 });
    assert.deepEqual(withText('', 0, '@a.ts '), { text: '@a.ts ', caret: 6 });
    assert.deepEqual(withText('Fix  now', 4, '@a '), { text: 'Fix @a  now', caret: 7 });
  });
});

describe('a colon behind a completed mention', () => {
  it('takes the place of the blank, so that lines can follow', () => {
    const composer = { ...EMPTY_COMPOSER, caret: 7, blank: 6 };
    const next = typed({ draft: '@a.ts  ', composer }, '@a.ts  :', 8);
    assert.deepEqual([next.draft, next.composer.place], ['@a.ts :', { at: 7 }]);
    const other = typed({ draft: '@a.ts ', composer: { ...composer, blank: 5 } }, '@a.ts x', 7);
    assert.deepEqual([other.draft, other.composer.blank], ['@a.ts x', null]);
  });
});

describe('recalled', () => {
  const start = { draft: 'my draft', composer: { ...EMPTY_COMPOSER, tasks: ['newest', 'older'] } };

  it('goes back through the tasks and forth to what was typed', () => {
    const first = recalled(start, -1);
    assert.equal(first?.draft, 'newest');
    const second = first && recalled(first, -1);
    assert.equal(second?.draft, 'older');
    assert.equal(second && recalled(second, -1), null);
    const back = second && recalled(second, 1);
    assert.equal(back?.draft, 'newest');
    assert.deepEqual([back && recalled(back, 1)?.draft, recalled(start, 1)], ['my draft', null]);
  });

  it('makes a task that was changed the draft', () => {
    const first = recalled(start, -1);
    assert.ok(first);
    assert.equal(typed(first, 'newest!', 7).composer.recall, null);
  });
});
