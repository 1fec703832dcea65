import assert from 'node:assert/strict';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';
import { HEADER, stamp, WAITING_RUN } from '../fakes/events.ts';
import { openPage } from './dom.ts';

const running = { phase: 'running' } as const;
const inTurn = { turn: 1, role: 'execute' } as const;

const served = (path: string, operation: 'read' | 'write', result: 'editor' | 'disk' | 'missing'): LoopEventBody => ({
  type: 'file.served',
  ...inTurn,
  path,
  operation,
  bytes: 1,
  result,
});

describe('files on the page', () => {
  it('that were served are one quiet row a turn, each file with what was done', () => {
    const page = openPage();
    const a = `${HEADER.folder}/a.txt`;
    page.show(
      running,
      stamp([
        ...WAITING_RUN,
        served(a, 'read', 'editor'),
        served(a, 'read', 'disk'),
        served(`${HEADER.folder}/new.txt`, 'read', 'missing'),
        served(`${HEADER.folder}/new.txt`, 'write', 'disk'),
        served(a, 'write', 'disk'),
      ]),
    );
    page.find('button', 'Served through this window: 2 files').click();
    assert.match(page.text(), /a\.txt.*read 2 times, written, with unsaved text.*new\.txt.*written/s);
    assert.doesNotMatch(page.text(), /new\.txt[^,]*read/);
  });

  it('that were unsaved are told, saved or left', () => {
    const page = openPage();
    page.show(
      running,
      stamp([...WAITING_RUN, { type: 'unsaved.settled', saved: ['a.txt'], left: ['b.txt', 'c.txt'] }]),
    );
    assert.match(page.text(), /Saved before the agents go on: a\.txt/);
    assert.match(page.text(), /Left unsaved, so the agents may not see it: b\.txt, c\.txt/);
  });

  const ask = (more: Partial<PermissionRequest>): LoopEventBody => ({
    type: 'permission.requested',
    ...inTurn,
    permissionId: 'p9',
    wire: {},
    derived: {
      toolCallId: 't9',
      title: 'Edit a.txt',
      kind: 'edit',
      options: [{ optionId: 'once', name: 'Allow', kind: 'allow_once' }],
      content: [],
      paths: [`${HEADER.folder}/a.txt`],
      takesMessage: false,
      ...more,
    },
  });

  it('with unsaved text in the editor are named in the question about an edit', () => {
    const page = openPage();
    page.show(running, stamp([...WAITING_RUN, ask({ unsaved: [`${HEADER.folder}/a.txt`] })]));
    assert.match(page.text(), /a\.txt has unsaved changes in the editor\. Claude writes the file on disk/);
    const without = openPage();
    without.show(running, stamp([...WAITING_RUN, ask({})]));
    assert.doesNotMatch(without.text(), /unsaved changes/);
  });

  it('ask in our own name, not in the agent’s', () => {
    const page = openPage();
    page.show(
      running,
      stamp([...WAITING_RUN, ask({ kind: 'ask', title: '2 files have unsaved changes', asker: 'loop' })]),
    );
    assert.match(page.text(), /2 files have unsaved changes/);
    assert.doesNotMatch(page.text(), /Claude asks: 2 files/);
  });
});
