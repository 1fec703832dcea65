import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { heldProblem, takeFolder } from '../../src/loop/takeFolder.ts';
import type { Face } from '../../src/workspace/claim.ts';

describe('taking the folder of a run', () => {
  let root: string;
  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-folder-')));
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));
  const asked = (runId: string, more: { face?: Face; wait?: boolean } = {}) => ({
    folder: root,
    stateFolder: path.join(root, 'state'),
    runId,
    ...more,
  });
  const never = new AbortController().signal;

  it('says where the other run is, and the ways out that this program has', async () => {
    const first = await takeFolder(asked('one', { face: 'editor' }), never);
    const second = await takeFolder(asked('two', { face: 'editor' }), never);
    assert.ok(first.type === 'acquired' && second.type === 'held');
    const { what, fix, held } = second.problem;
    assert.equal(what, `Another run is working in ${root}, in this window (run one, process ${process.pid}).`);
    assert.match(fix, /^Stop it there, or wait: this one then starts .* Or run in a new worktree, beside that one\.$/);
    assert.equal(held, true);
    await first.release();
    const owner = { pid: 7, started: null, runId: 'r', folder: '/p' };
    const told = (face: Face | undefined, pid: number) =>
      /\/p, (.*) \(/.exec(heldProblem(face === undefined ? owner : { ...owner, face }, 'terminal', pid).what)?.[1];
    assert.equal(told('editor', 1), 'in another VS Code window');
    assert.equal(told('terminal', 1), 'in a terminal');
    assert.equal(told('terminal', 7), 'in this terminal');
    assert.equal(told(undefined, 1), 'in another program');
    assert.match(heldProblem(owner, 'terminal').fix, /--wait.*--worktree/);
  });

  it('waits until the other run has ended, when it is asked to', async () => {
    const first = await takeFolder(asked('one'), never);
    assert.ok(first.type === 'acquired');
    let looks = 0;
    const second = await takeFolder(asked('two', { wait: true }), never, async () => {
      looks++;
      if (looks === 3) await first.release();
    });
    assert.equal(second.type, 'acquired');
    assert.equal(looks, 3);
    if (second.type === 'acquired') await second.release();
  });

  it('gives up when it is called off', async () => {
    const first = await takeFolder(asked('one'), never);
    assert.ok(first.type === 'acquired');
    const cancel = new AbortController();
    const waiting = takeFolder(asked('two', { wait: true }), cancel.signal);
    cancel.abort();
    assert.deepEqual(await waiting, { type: 'cancelled' });
    await first.release();
  });
});
