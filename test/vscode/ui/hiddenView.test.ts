import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type PeerStep, say } from '../../fakes/claudePeer.ts';
import { openSideBar, reloadWindow, runCommand, webview } from '../host/workbench.ts';
import { root, until, useWorkbench } from './ground.ts';
import { firstQuestion, type LoopView, openLoopView, runFromPalette, textOf } from './loopView.ts';

const UPDATES = 500;
const EDIT = { file_path: 'a.txt', old_string: 'a', new_string: 'b' };
const WORDS = Array.from({ length: UPDATES }, (_, index) => `word${index} `);
const changed = (id: string): PeerStep => ({
  send: {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Changed.' }] },
    parent_tool_use_id: null,
  },
});
const stream = (event: object): PeerStep => ({ send: { type: 'stream_event', event, parent_tool_use_id: null } });

/** A Claude Code that asks, tells 500 updates once it is answered, and asks again. */
const SCRIPT: readonly PeerStep[] = [
  { await: 'initialize' },
  { answer: {} },
  { await: 'user' },
  { send: say.init },
  { send: say.call('t1', 'Edit', EDIT) },
  { send: say.ask('r1', 't1', 'Edit', EDIT) },
  { await: 'answer' },
  changed('t1'),
  stream({ type: 'message_start', message: { id: 'm2' } }),
  stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ...WORDS.map((text) => stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  stream({ type: 'content_block_stop', index: 0 }),
  { send: say.text(WORDS.join(''), 'm2') },
  { send: say.call('t2', 'Edit', { ...EDIT, file_path: 'b.txt' }) },
  { send: say.ask('r2', 't2', 'Edit', { ...EDIT, file_path: 'b.txt' }) },
  { await: 'answer' },
  changed('t2'),
  { send: say.text('Both are changed.', 'm3') },
  { await: 'interrupt' },
  { send: say.aborted },
  { await: 'end' },
];

describe('a view whose script comes two seconds late, and that is hidden while much happens', () => {
  const peer = (folder: string) => path.join(path.dirname(folder), 'claude.mjs');
  const workbench = useWorkbench({
    // It is a module: what is imported is there, and the page begins two seconds later.
    beforePage: 'await new Promise((begin) => setTimeout(begin, 2000));',
    settings: { 'cgloop.reviewer': 'demo-reviewer', 'cgloop.warmStart': false, 'cgloop.checks': [] },
    prepare(folder) {
      const module = pathToFileURL(path.join(root, 'test/fakes/claudePeer.mjs')).href;
      const script = JSON.stringify(JSON.stringify(SCRIPT));
      const text = `#!${process.execPath}\nprocess.env.CLAUDE_PEER_SCRIPT = ${script};\nawait import('${module}');\n`;
      fs.writeFileSync(peer(folder), text, { mode: 0o755 });
    },
  });
  before(() => {
    const { server, folder } = workbench();
    server.writeSettings({ 'cgloop.executablePaths': { claude: peer(folder) } });
  });
  const logged = (type: string) => {
    const runs = path.join(workbench().stateFolder, 'runs');
    const [id = ''] = fs.readdirSync(runs);
    return fs.readFileSync(path.join(runs, id, 'log.jsonl'), 'utf8').split(`"type":"${type}"`).length - 1;
  };
  const words = WORDS.join('').trim();
  let view: LoopView;

  it('shows what happened before its script began (case C57)', async () => {
    view = await runFromPalette(workbench().page, 'Change two files');
    const question = await firstQuestion(view);
    assert.match(await textOf(question), /a\.txt/);
  });

  it('shows after 500 updates and a question what one shows that stayed open (case C56)', async () => {
    const { page } = workbench();
    await runCommand(page, 'Open Run in Editor');
    const editor = webview(page, 1).getByRole('main');
    await editor.waitFor();
    await openSideBar(page, 'Explorer');
    await page.locator('iframe.webview.ready').nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Alt+Enter');
    await until('the updates and the question', () => logged('permission.requested') === 2);
    assert.equal(logged('message.chunk'), UPDATES);
    view = await openLoopView(page);
    await firstQuestion(view);
    const [one, other] = await Promise.all([0, 1].map((nth) => textOf(webview(page, nth).getByRole('main'))));
    assert.equal(one, other);
    assert.ok(one?.replace(/\s+/g, ' ').includes(words));
    await view.questions.getByRole('button', { name: 'Allow', exact: true }).click();
    await view.timeline.getByText('Both are changed.').waitFor();
  });

  it('shows the same after the window was reloaded (case C57)', async () => {
    const { page } = workbench();
    await view.button('Stop').click();
    await view.ending.waitFor();
    await reloadWindow(page);
    view = await openLoopView(page);
    await view.ending.waitFor();
    assert.ok((await textOf(view.timeline)).replace(/\s+/g, ' ').includes(words));
  });

  it('broke no content policy on the way (case C58)', () => {
    const broken = workbench().consoleMessages.filter((text) => /Content Security Policy/.test(text));
    assert.deepEqual(broken, []);
  });
});
