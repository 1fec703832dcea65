import assert from 'node:assert/strict';
import path from 'node:path';
import { fileOf, lineNow, movedBy, placeBeside } from '../../src/host/findingPlaces.ts';
import { findingMarkdown, findingState, withoutPictures } from '../../src/host/findingWords.ts';
import type { Finding } from '../../src/shared/review.ts';
import { english } from '../../src/shared/translate.ts';

const FINDING: Finding = {
  id: 'F1',
  severity: 'major',
  title: 'Joins *text*',
  detail: 'See `vec![1]`.',
  openedInRound: 1,
  status: 'open',
};

describe('the places of findings', () => {
  it('takes files of the folder only, as the reviewer wrote them', () => {
    const folder = path.resolve('/p');
    assert.equal(fileOf({ file: 'src/a.ts' }, folder), path.resolve('/p/src/a.ts'));
    assert.equal(fileOf({ file: path.resolve('/p/src/a.ts') }, folder), path.resolve('/p/src/a.ts'));
    for (const file of ['', '..', '../q/a.ts', path.resolve('/q/a.ts'), '.', 'a\0b'])
      assert.equal(fileOf({ file }, folder), null, file);
    assert.equal(fileOf({}, folder), null);
  });

  it('finds the line by its text where it has moved, the nearest one, and never one beyond the end', () => {
    const lines = ['x', '}', 'y', 'z', '}'];
    assert.equal(lineNow({ line: 1, anchor: 'z' }, lines), 3);
    assert.equal(lineNow({ line: 5, anchor: '}' }, lines), 4);
    assert.equal(lineNow({ line: 2, anchor: 'gone' }, lines), 1);
    assert.equal(lineNow({ line: 99 }, lines), 4);
    assert.equal(lineNow({ line: 3 }, []), 0);
    assert.equal(lineNow({}, lines), 0);
  });

  it('moves with what is written and taken away before the line', () => {
    const write = (first: number, column: number, breaks: number) => ({ first, column, last: first, breaks });
    assert.equal(movedBy(5, write(2, 3, 1)), 6);
    assert.equal(movedBy(5, write(5, 0, 2)), 7, 'a line pushed down from its beginning');
    assert.equal(movedBy(5, write(5, 4, 1)), 5, 'a line split in its middle');
    assert.equal(movedBy(5, write(6, 0, 1)), 5);
    assert.equal(movedBy(5, { first: 1, column: 0, last: 3, breaks: 0 }), 3);
    assert.equal(movedBy(5, { first: 3, column: 0, last: 5, breaks: 0 }), 3, 'what stood before it on its line went');
    assert.equal(movedBy(4, { first: 3, column: 0, last: 5, breaks: 0 }), 3, 'it went with others');
  });

  it('goes through files and lines in order, and round at the ends', () => {
    const places = [
      { file: '/b', line: 3 },
      { file: '/a', line: 9 },
      { file: '/a', line: 1 },
    ];
    assert.deepEqual(placeBeside(places, null, 1), { file: '/a', line: 1 });
    assert.deepEqual(placeBeside(places, null, -1), { file: '/b', line: 3 });
    assert.deepEqual(placeBeside(places, { file: '/a', line: 1 }, 1), { file: '/a', line: 9 });
    assert.deepEqual(placeBeside(places, { file: '/a', line: 10 }, 1), { file: '/b', line: 3 });
    assert.deepEqual(placeBeside(places, { file: '/b', line: 3 }, 1), { file: '/a', line: 1 });
    assert.deepEqual(placeBeside(places, { file: '/a', line: 1 }, -1), { file: '/b', line: 3 });
    assert.equal(placeBeside([], null, 1), null);
  });
});

describe('the words of findings', () => {
  it('says how it stands', () => {
    assert.equal(
      findingState({ ...FINDING, disputed: 'No.', late: true }, english),
      'open · disputed by the executor · raised late',
    );
    const fixedBy = { round: 2, file: 'a', hunk: '@@' };
    assert.equal(findingState({ ...FINDING, status: 'fixed', fixedBy }, english), 'fixed in round 2');
    assert.equal(findingState({ ...FINDING, status: 'regressed' }, english), 'open again');
  });

  it('keeps the title as text, and the hunk in a fence that it cannot end', () => {
    const text = findingMarkdown(
      { ...FINDING, suggestion: 'Add.', fixedBy: { round: 2, file: 'a.md', hunk: '+```\n+x' } },
      english,
    );
    assert.match(text, /^\*\*Joins \\\*text\\\*\*\*\n\n/);
    assert.match(text, /\*\*Fix:\*\* Add\./);
    assert.match(text, /````diff\n\+```\n\+x\n````$/);
  });

  it('fetches no picture that a model names, and reads code as it is', () => {
    assert.equal(withoutPictures('![x](https://e.com/a.png)'), '!\\[x](https://e.com/a.png)');
    assert.equal(withoutPictures('`vec![1]`').replaceAll('\u200b', ''), '`vec![1]`');
    for (const text of ['`![x](u)', '``\n![x](u)\n``', '\\`![x](u)`'])
      assert.ok(!withoutPictures(text).includes('!['), text);
  });
});
