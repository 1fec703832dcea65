import assert from 'node:assert/strict';
import { pendingAddress, pendingDiffOf, pendingPlace } from '../../src/host/pendingDiff.ts';
import { runRow } from '../../src/host/runRows.ts';
import type { RunSummary } from '../../src/session/runs.ts';
import type { Ending } from '../../src/shared/ending.ts';
import { EDIT_REQUEST, HEADER } from '../fakes/events.ts';

describe('the diff of a pending edit', () => {
  it('is the one change that a question shows, read-only unless the agent takes another text', () => {
    const [part] = EDIT_REQUEST.content;
    assert.ok(part?.type === 'diff');
    const { type: _, ...diff } = part;
    assert.deepEqual(pendingDiffOf(EDIT_REQUEST), { ...diff, takesChange: false });
    assert.equal(pendingDiffOf({ ...EDIT_REQUEST, takesChange: true })?.takesChange, true);
    const text = { type: 'text', text: 'x' } as const;
    assert.notEqual(pendingDiffOf({ ...EDIT_REQUEST, content: [text, part] }), null);
    assert.equal(pendingDiffOf({ ...EDIT_REQUEST, content: [part, part] }), null, 'one of two is not the whole');
    assert.equal(pendingDiffOf({ ...EDIT_REQUEST, content: [text] }), null);
  });

  it('has an address that ends in the file’s name, and names its question', () => {
    const place = { runId: '20260101-000000-abcd', permissionId: 'p1', side: 'proposed' } as const;
    for (const [file, path] of [
      ['src/a.ts', '/src/a.ts'],
      ['/tmp/a b.ts', '/tmp/a b.ts'],
      ['C:\\proj\\a.ts', '/C:/proj/a.ts'],
    ] as const) {
      const address = pendingAddress(place, file);
      assert.equal(address.path, path);
      assert.deepEqual(pendingPlace(address.query), place);
    }
    for (const query of ['', 'a/b', 'a/b/other', '/b/proposed', 'a//current', 'a/b/current/d'])
      assert.equal(pendingPlace(query), null, query);
  });
});

describe('a row of the list of runs', () => {
  const summary: RunSummary = {
    id: HEADER.id,
    directory: '/state/runs/r',
    run: HEADER,
    startedAt: 0,
    state: 'ended',
    ending: null,
    undone: false,
  };
  const words = { label: 'Fix it', description: 'approved', outcome: 'approved' };

  it('has an icon of its own for every ending and state', () => {
    const endings: readonly Ending[] = [
      { type: 'approved', score: 9 },
      { type: 'failed', role: null, cause: 'loop', message: '' },
      { type: 'notApproved', cause: 'roundLimit', score: 6, bestRound: 1 },
      { type: 'noVerdict', message: '' },
      { type: 'stopped' },
    ];
    const icons = [
      ...endings.map((ending) => runRow({ ...summary, ending }, words).icon),
      ...(['running', 'interrupted'] as const).map((state) => runRow({ ...summary, state }, words).icon),
    ];
    assert.equal(new Set(icons).size, 7);
  });

  it('tells task and folder in full where the label is cut', () => {
    const row = runRow(summary, words);
    assert.deepEqual([row.label, row.description, row.directory], ['Fix it', 'approved', '/state/runs/r']);
    assert.equal(row.tooltip, `${HEADER.task}\n\n${HEADER.folder}`);
    assert.equal(runRow({ ...summary, run: null }, words).tooltip, '/state/runs/r');
  });
});
