import assert from 'node:assert/strict';
import { createStyle, wantsColours } from '../../src/cli/style.ts';
import { displayWidth, fitEndTo, fitTo, head, pad, safe, safeLine } from '../../src/cli/terminalText.ts';

describe('terminalText', () => {
  it('shows control characters instead of obeying them', () => {
    assert.equal(safe('\u001b[2Jgone\u001b]0;title\u0007'), '␛[2Jgone␛]0;title␇');
    assert.equal(safe('rm -rf x\rls'), 'rm -rf x␍ls');
    assert.equal(safe('a\bb\u007f'), 'a␈b␡');
    assert.equal(safe('\u009b31m'), '<U+009B>31m');
  });

  it('shows marks that would turn or hide the text of a command', () => {
    assert.equal(safe('a\u202eb\u2066c\u200fd'), 'a<U+202E>b<U+2066>c<U+200F>d');
    assert.equal(safe('a\u2028b\ufeff'), 'a<U+2028>b<U+FEFF>');
    assert.equal(safe('half \ud83d'), 'half <U+D83D>');
  });

  it('keeps lines, tabs, letters and emoji', () => {
    assert.equal(safe('a\r\nb\tc 评分 é 👩‍💻\n'), 'a\nb\tc 评分 é 👩‍💻\n');
    assert.equal(safeLine('one\ntwo\tthree'), 'one ⏎ two three');
  });

  it('measures and cuts by columns', () => {
    assert.equal(displayWidth('abc'), 3);
    assert.equal(displayWidth('评分'), 4);
    assert.equal(displayWidth('e\u0301👍'), 3);
    assert.equal(fitTo('abcdef', 4), 'abc…');
    assert.equal(fitTo('评分评分', 4), '评…');
    assert.equal(fitTo('abc', 3), 'abc');
    assert.equal(fitTo('abc', 0), '');
    assert.equal(fitEndTo('abcdef', 4), '…def');
    assert.equal(fitEndTo('评分评分', 4), '…分');
    assert.equal(fitEndTo('abc', 3), 'abc');
    assert.equal(fitEndTo('abc', 0), '');
    assert.equal(fitEndTo(`${'x'.repeat(1_000_000)}end`, 4), '…end');
    assert.equal(pad('评', 4), '评  ');
  });

  it('measures a long line in a time that grows with its length, and no character falls apart between two pieces', () => {
    const family = '👩‍👩‍👧‍👦';
    for (let before = 240; before <= 260; before++) {
      const text = 'x'.repeat(before) + family.repeat(50);
      assert.equal(displayWidth(text), before + 100);
      assert.equal(fitTo(text, before + 3), `${'x'.repeat(before)}${family}…`);
    }
    assert.equal(displayWidth(`e${'\u0301'.repeat(300)}x`), 2);
    const line = 'x'.repeat(200_000);
    const before = process.cpuUsage();
    assert.equal(displayWidth(line), 200_000);
    assert.equal(fitTo(line, 80), `${'x'.repeat(79)}…`);
    assert.equal(fitTo(line, Number.MAX_SAFE_INTEGER), line);
    // In one segmentation it takes a minute.
    assert.ok(process.cpuUsage(before).user < 10_000_000);
  });

  it('gives the first lines of a text and counts the rest', () => {
    assert.deepEqual(head('a\nb\nc\n\n', 2, 10), { lines: ['a', 'b'], left: 1 });
    assert.deepEqual(head('a', 2, 10), { lines: ['a'], left: 0 });
  });

  it('colours only a terminal that takes colours, and never against NO_COLOR', () => {
    assert.equal(createStyle(false).red('x'), 'x');
    assert.equal(createStyle(true).red('x'), '\u001b[31mx\u001b[39m');
    assert.equal(wantsColours({}, true), true);
    assert.equal(wantsColours({}, false), false);
    assert.equal(wantsColours({ NO_COLOR: '1' }, true), false);
    assert.equal(wantsColours({ NO_COLOR: '' }, true), true);
    assert.equal(wantsColours({ TERM: 'dumb' }, true), false);
  });
});
