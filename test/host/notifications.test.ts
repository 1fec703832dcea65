import assert from 'node:assert/strict';
import { createNotifier, fitsOn, type NotifierParts, notificationText } from '../../src/host/notifications.ts';
import type { WaitingRequest } from '../../src/host/runDeck.ts';
import type { PermissionAnswer, PermissionRequest } from '../../src/shared/permission.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import { CLAUDE, EDIT_REQUEST, HEADER } from '../fakes/events.ts';
import { english } from './windowState.ts';

const COMMAND: PermissionRequest = {
  ...EDIT_REQUEST,
  kind: 'execute',
  content: [],
  paths: [],
  command: 'npm test',
};

function waiting(permissionId: string, request: PermissionRequest, runId = 'run'): WaitingRequest {
  const view = { ...EMPTY_VIEW, run: HEADER, agents: { execute: CLAUDE, review: null } };
  const header = { type: 'permission', key: permissionId, turn: 1, role: 'execute', at: 0, round: 1 } as const;
  return { runId, view, item: { ...header, permissionId, request, resolution: null } };
}

type Pauses = ReturnType<NotifierParts['pauses']>;

/** A window in which every notification is closed by hand. */
function ground() {
  const open: {
    readonly text: string;
    readonly buttons: readonly string[];
    readonly press: (word?: string) => void;
  }[] = [];
  const said: string[] = [];
  const state = { waiting: [] as WaitingRequest[], visible: [] as string[], late: false, pauses: [] as Pauses };
  const parts: NotifierParts = {
    pauses: () => state.pauses,
    waiting: () => state.waiting,
    isVisible: (runId) => state.visible.includes(runId),
    ask: (text, buttons) =>
      new Promise((resolve) => {
        const notification = {
          text,
          buttons,
          press(word?: string) {
            open.splice(open.indexOf(notification), 1);
            resolve(word);
          },
        };
        open.push(notification);
      }),
    tell: (text) => said.push(text),
    async answer({ item }, answer: PermissionAnswer) {
      said.push(`${item.permissionId} ${answer.outcome === 'selected' ? answer.optionId : 'cancelled'}`);
      state.waiting = state.waiting.filter((one) => one.item.permissionId !== item.permissionId);
      return !state.late;
    },
    async show(runId) {
      if (runId === 'gone') throw new Error('It is gone.');
      said.push(`show ${runId}`);
    },
    onFault: (error) => said.push(String(error)),
    t: english,
  };
  return { notifier: createNotifier(parts), open, said, state };
}

/** Lets what was settled be heard. */
const heard = () => new Promise((resolve) => setImmediate(resolve));

describe('the notifications of pauses between rounds', () => {
  it('come once for each pause, after what is asked, and show the run', async () => {
    const { notifier, open, said, state } = ground();
    state.pauses = [{ runId: 'run', since: 5, task: 'Fix it' }];
    state.visible = ['run'];
    notifier.changed();
    assert.equal(open.length, 0, 'who sees it is not told');
    state.visible = [];
    state.waiting = [waiting('p1', COMMAND, 'other')];
    notifier.changed();
    assert.equal(open.length, 1);
    open[0]?.press();
    await heard();
    assert.deepEqual([open[0]?.text, open[0]?.buttons], ['The run waits for you between two rounds: Fix it', ['Show']]);
    open[0]?.press('Show');
    await heard();
    assert.deepEqual([open.length, said], [0, ['show run']]);
    state.pauses = [{ runId: 'run', since: 9, task: 'Fix it' }];
    notifier.changed();
    assert.equal(open.length, 1, 'the next pause is another one');
  });
});

describe('the notifications of waiting questions', () => {
  it('come one at a time, each question once, and only for what nobody sees', async () => {
    const { notifier, open, state } = ground();
    state.waiting = [waiting('p1', COMMAND), waiting('p2', COMMAND), waiting('p3', COMMAND, 'other')];
    state.visible = ['run', 'other'];
    notifier.changed();
    assert.equal(open.length, 0);
    state.visible = ['other'];
    notifier.changed();
    notifier.changed();
    assert.equal(open.length, 1);
    open[0]?.press();
    await heard();
    assert.equal(open.length, 1, 'the second question follows when the first notification is closed');
    open[0]?.press();
    await heard();
    assert.equal(open.length, 0, 'what was closed does not come again');
    state.visible = ['run'];
    notifier.changed();
    assert.equal(open.length, 1, 'a run that is not shown is seen by nobody');
  });

  it('tell what goes wrong after a click, and the next question all the same', async () => {
    const { notifier, open, said, state } = ground();
    state.waiting = [waiting('p1', EDIT_REQUEST, 'gone'), waiting('p2', COMMAND)];
    notifier.changed();
    open[0]?.press('Show');
    await heard();
    assert.deepEqual(said, ['Error: It is gone.']);
    assert.deepEqual(open[0]?.buttons, ['Allow', 'Deny']);
  });

  it('allow or deny a command that stands on them whole', async () => {
    for (const [button, option] of [
      ['Allow', 'once'],
      ['Deny', 'no'],
    ] as const) {
      const { notifier, open, said, state } = ground();
      state.waiting = [waiting('p1', COMMAND)];
      notifier.changed();
      assert.deepEqual(open[0]?.buttons, ['Allow', 'Deny']);
      assert.equal(open[0]?.text, 'Claude wants to run: npm test');
      open[0]?.press(button);
      await heard();
      assert.deepEqual(said, [`p1 ${option}`]);
    }
  });

  it('show what cannot be judged there: an edit, a long command, a choice, a form', async () => {
    const field = { id: 'a', label: 'A', required: true, type: 'text' } as const;
    const once = { optionId: 'also', name: 'Also', kind: 'allow_once' } as const;
    for (const request of [
      EDIT_REQUEST,
      { ...COMMAND, command: `echo ${'x'.repeat(200)}` },
      { ...COMMAND, options: [...COMMAND.options, once] },
      { ...COMMAND, form: { message: '', fields: [field] } },
    ]) {
      const { notifier, open, said, state } = ground();
      state.waiting = [waiting('p1', request)];
      notifier.changed();
      assert.deepEqual(open[0]?.buttons, ['Show', 'Deny']);
      open[0]?.press('Show');
      await heard();
      assert.deepEqual(said, ['show run']);
    }
    const { notifier, open, state } = ground();
    state.waiting = [waiting('p1', { ...EDIT_REQUEST, options: [once] })];
    notifier.changed();
    assert.deepEqual(open[0]?.buttons, ['Show'], 'nothing to deny with');
  });

  it('say that a late click comes late, and go on with what waits now', async () => {
    const { notifier, open, said, state } = ground();
    state.waiting = [waiting('p1', COMMAND)];
    notifier.changed();
    state.late = true;
    state.waiting = [waiting('p2', EDIT_REQUEST)];
    notifier.changed();
    assert.equal(open.length, 1);
    open[0]?.press('Allow');
    await heard();
    assert.deepEqual(said, ['p1 once', 'This was already answered.']);
    assert.deepEqual(open[0]?.buttons, ['Show', 'Deny']);
    state.waiting = [];
    open[0]?.press('Show');
    await heard();
    assert.deepEqual(said.slice(2), ['This was already answered.', 'show run']);
  });
});

describe('what fits on a line', () => {
  it('is a short command of one line that is drawn as it stands', () => {
    for (const command of ['npm test', "grep -n 'a b' src/größe.ts | head -3", 'echo "$HOME" && ls', 'a'.repeat(120)])
      assert.equal(fitsOn(command), true, command);
  });

  it('is nothing that a reader would not see, or see otherwise', () => {
    for (const command of [
      undefined,
      '',
      'a'.repeat(121),
      'npm test\nrm -rf ~',
      'npm test\u2028rm',
      'rm\u202e txt.exe',
      'rm a\u200bb',
      'echo a\u00a0b',
      'echo  two',
      ' npm test',
      'npm test ',
      'echo a\tb',
      'echo [x](command:workbench.action.quit)',
      'echo $(trash)',
      'echo $(sync~spin)',
    ])
      assert.equal(fitsOn(command), false, JSON.stringify(command));
  });

  it('leaves the file to be named where there is no such command', () => {
    assert.equal(notificationText(waiting('p1', EDIT_REQUEST), english), 'Claude wants to edit src/sum.ts');
    const long = { ...COMMAND, command: 'x\ny' };
    assert.equal(notificationText(waiting('p1', long), english), 'Claude wants to run a command');
  });
});
