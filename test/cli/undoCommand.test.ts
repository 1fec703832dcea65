import assert from 'node:assert/strict';
import { parseArguments } from '../../src/cli/parseArguments.ts';
import { renderUndo } from '../../src/cli/undoCommand.ts';
import type { UndoResult } from '../../src/loop/undoRun.ts';
import type { ConflictWay } from '../../src/shared/undo.ts';

const RESULT: Extract<UndoResult, { readonly type: 'undone' }> = {
  type: 'undone',
  runId: 'r',
  folder: '/p',
  scope: { type: 'run' },
  files: [],
  kept: [],
  merged: [],
  mixed: [],
  conflicts: [],
  ignored: [],
  beyond: { commands: [], commits: [] },
  replaced: { id: 'abc123', tree: 't', label: 'l' },
  findings: [],
};

describe('cgloop undo', () => {
  const parse = (...args: readonly string[]) => parseArguments(['undo', 'r', ...args], '0');
  const asked = (...args: readonly string[]) => {
    const invocation = parse(...args);
    assert.ok(invocation.type === 'undo', JSON.stringify(invocation));
    return invocation.asked;
  };

  it('takes back the run, a round, what came from a round on or after it, or the last undoing', () => {
    const plain = { run: 'r', scope: { type: 'run' }, files: null, conflicts: 'leave', preview: false };
    assert.deepEqual(asked(), plain);
    assert.deepEqual(asked('--round', '2', '--preview'), {
      ...plain,
      scope: { type: 'round', round: 2 },
      preview: true,
    });
    assert.deepEqual(asked('--before', '2').scope, { type: 'before', round: 2 });
    assert.deepEqual(asked('--after', '1', '--conflicts', 'mark'), {
      ...plain,
      scope: { type: 'after', round: 1 },
      conflicts: 'mark',
    });
    assert.deepEqual(asked('--redo').scope, { type: 'redo' });
    assert.deepEqual(asked('--file', 'a', 'b/c').files, ['a', 'b/c']);
    for (const args of [
      ['--round', '0'],
      ['--round', '1', '--redo'],
      ['--redo', '--file', 'a'],
      ['--conflicts', 'x'],
    ]) {
      assert.equal(parse(...args).type, 'usage', args.join(' '));
    }
  });

  it('tells what it did to each file, and where the rest is kept', () => {
    const text = renderUndo({
      ...RESULT,
      files: [
        { path: 'new.ts', status: 'deleted', added: 0, removed: 3 },
        { path: 'old.png', status: 'modified', added: null, removed: null },
      ],
      findings: ['F1', 'F3'],
    });
    assert.match(
      text,
      /^\/p is as before the run \(2 files \+0 −3\)\.\n {2}removed {2}new\.ts {2}\+0 −3\n {2}changed {2}old\.png {2}binary\n.*abc123\.\n2 findings are open again: F1, F3\.\n$/,
    );
    assert.match(renderUndo(RESULT), /^\/p was already as before the run\.\n$/);
  });

  it('tells before it does anything, in words of what would be', () => {
    const { replaced: _, findings: __, ...rest } = RESULT;
    const files = [{ path: 'a.ts', status: 'modified', added: 1, removed: 1 }] as const;
    const text = renderUndo({ ...rest, type: 'preview', scope: { type: 'round', round: 2 }, files });
    assert.match(
      text,
      /^\/p would be without what round 2 changed \(1 file \+1 −1\)\.\n {2}changed {2}a\.ts {2}\+1 −1\n$/,
    );
  });

  it('says of single files only what is true of them', () => {
    const files = [{ path: 'a.ts', status: 'modified', added: 1, removed: 1 }] as const;
    assert.match(
      renderUndo({ ...RESULT, files, only: ['a.ts'] }),
      /^In \/p, a\.ts is as before the run \(1 file \+1 −1\)\.\n/,
    );
    assert.equal(renderUndo({ ...RESULT, only: ['a', 'b'] }), 'In /p, a, b were already as before the run.\n');
  });

  it('says what became of conflicts, and what else can be done about those that stay', () => {
    const conflicts = [
      { path: 'c.ts', why: 'lines' },
      { path: 'd.png', why: 'binary' },
      { path: 'e', why: 'folder' },
    ] as const;
    const shown = (way: ConflictWay) => renderUndo({ ...RESULT, conflicts }, way);
    assert.match(shown('leave'), /left as they are \(--conflicts mark .*\):\n {2}c\.ts .*\n {2}d\.png .*\n {2}e /);
    assert.match(
      shown('mark'),
      /marked in the text:\n {2}c\.ts .*\n.*left as they are \(--conflicts take.*:\n {2}d\.png/,
    );
    assert.match(shown('take'), /taken all the same:\n {2}c\.ts .*\n {2}d\.png .*\n.*move it away first\):\n {2}e /);
  });

  it('calls nothing put back that is in conflict', () => {
    const conflicts = [{ path: 'c.ts', why: 'lines' }] as const;
    const files = [{ path: 'a.ts', status: 'modified', added: 1, removed: 1 }] as const;
    assert.match(renderUndo({ ...RESULT, conflicts }), /^Nothing was put back in \/p: all of it is in conflict/);
    assert.match(
      renderUndo({ ...RESULT, conflicts, files }),
      /^\/p is as before the run, but for what is in conflict \(1/,
    );
    assert.match(renderUndo({ ...RESULT, conflicts, files }, 'take'), /^\/p is as before the run \(1/);
  });

  it('names what stays, what is in conflict, and what no undoing reaches', () => {
    const text = renderUndo({
      ...RESULT,
      kept: ['notes.md'],
      mixed: ['both.ts'],
      merged: ['m.ts'],
      conflicts: [{ path: 'c.ts', why: 'lines' }],
      ignored: ['.env'],
      beyond: { commands: ['npm publish'], commits: [{ id: '0123456789abcdef', subject: 'Fix it' }] },
    });
    for (const pattern of [
      /you alone changed it during the run:\n {2}notes\.md\n/,
      /your part is in that checkpoint only:\n {2}both\.ts\n/,
      /put together:\n {2}m\.ts\n/,
      /--conflicts take.*:\n {2}c\.ts {2}\(the same lines\)\n/,
      /Ignored by git, and put back too:\n {2}\.env\n/,
      /commands did.*:\n {2}npm publish\n/,
      /commits.*:\n {2}0123456789 Fix it\n/,
    ]) {
      assert.match(text, pattern);
    }
  });
});
