import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { attachedLines, attachedTo, attachmentsFor } from '../../src/loop/attachments.ts';
import type { FileSession } from '../../src/scheduler/fileService.ts';

const IMAGE = { name: 'shot.png', mimeType: 'image/png', data: 'AAAA' };

describe('what goes with a task', () => {
  let scratch = '';
  let folder = '';
  before(() => {
    scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-attached-')));
    folder = path.join(scratch, 'project');
    fs.mkdirSync(path.join(folder, 'src'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'src/a.ts'), 'one\ntwo\r\nthree\nfour\n');
    fs.writeFileSync(path.join(folder, 'my notes.md'), 'notes');
    fs.writeFileSync(path.join(scratch, 'secret.txt'), 'secret');
    fs.symlinkSync(path.join(scratch, 'secret.txt'), path.join(folder, 'link.txt'));
  });
  after(() => fs.rmSync(scratch, { recursive: true }));

  it('is each file of the folder that it names, once, and the images', async () => {
    const task = 'See @src/a.ts:2-3, @"my notes.md", @src/a.ts:2-3 and @src/a.ts.';
    const attached = await attachedTo(task, folder, [IMAGE]);
    assert.deepEqual(attached, [
      { type: 'file', path: 'src/a.ts', lines: { from: 2, to: 3 } },
      { type: 'file', path: 'my notes.md' },
      { type: 'file', path: 'src/a.ts' },
      { type: 'image', name: 'shot.png', mimeType: 'image/png', bytes: 3 },
    ]);
    assert.deepEqual(attachedLines(attached), ['src/a.ts:2-3', 'my notes.md', 'src/a.ts', 'shot.png (image/png)']);
  });

  it('is nothing outside the folder, no folder, and nothing that is not there', async () => {
    fs.symlinkSync('circle', path.join(folder, 'circle'));
    const task = '@../secret.txt @link.txt @src @gone.ts @types/node me@src/a.ts @circle @circle/a.ts';
    assert.deepEqual(await attachedTo(task, folder), []);
  });

  it('goes to the executor by its path, named lines with their text', async () => {
    const attached = await attachedTo('@src/a.ts:2-3 @"my notes.md"', folder);
    assert.deepEqual(await attachmentsFor(attached, folder, [IMAGE], null), [
      { type: 'text', path: path.join(folder, 'src/a.ts'), text: 'two\nthree', lines: { from: 2, to: 3 } },
      { type: 'file', path: path.join(folder, 'my notes.md') },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ]);
  });

  it('gives the whole file where the lines are not there, or cannot be read', async () => {
    const attached = await attachedTo('@src/a.ts:40-50', folder);
    const file = [{ type: 'file', path: path.join(folder, 'src/a.ts') }];
    assert.deepEqual(await attachmentsFor(attached, folder, [], null), file);
    const files = { open: () => assert.fail('closed'), unsaved: () => [] };
    assert.deepEqual(await attachmentsFor(await attachedTo('@src/a.ts:1', folder), folder, [], files), file);
  });

  it('takes the lines that an editor holds unsaved', async () => {
    const session: FileSession = {
      locate: (file) => file,
      look: async () => 'typed\nin the editor',
      read: () => assert.fail('to look is no reading by the agent'),
      write: () => assert.fail('nothing is written'),
    };
    const files = { open: () => session, unsaved: () => [] };
    const [given] = await attachmentsFor(await attachedTo('@src/a.ts:2', folder), folder, [], files);
    assert.equal(given?.type === 'text' && given.text, 'in the editor');
  });
});
