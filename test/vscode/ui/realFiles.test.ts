import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { needRealClis, type RealCli, realCli } from '../../e2e/harness/realCli.ts';
import { judge } from '../../e2e/loopStories.ts';
import { GEMINI_MODEL } from '../../e2e/loopWorld.ts';
import { startAnthropic } from '../../fakes/models/anthropic.ts';
import { startGemini } from '../../fakes/models/gemini.ts';
import type { ModelServer } from '../../fakes/models/modelServer.ts';
import { call, say, story } from '../../fakes/models/story.ts';
import { editorText, openSideBar } from '../host/workbench.ts';
import { screenshot, until, useWorkbench } from './ground.ts';
import { answerAll, firstQuestion, type LoopView, runFromPalette, textOf } from './loopView.ts';

const FILES = { 'notes.txt': 'on disk\n', 'crlf.txt': 'one\r\ntwo\r\n', 'bom.cs': '\uFEFFclass A {}\n' };
const AFTER = 'typed, not saved\nand the agent’s line\n';

async function openFile(page: Page, name: string): Promise<void> {
  await openSideBar(page, 'Explorer');
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).dblclick();
  await page.locator('.tab.active', { hasText: name }).waitFor();
}

describe('the real Gemini CLI writes files of this window', () => {
  let anthropic: ModelServer;
  let gemini: ModelServer;
  let clis: RealCli;
  let view: LoopView;

  before(async function () {
    await needRealClis(this);
    anthropic = await startAnthropic(story('the reviewer').next(...judge({ score: 9 })));
    gemini = await startGemini(story('nothing yet'));
    clis = await realCli({ anthropicUrl: anthropic.url, geminiUrl: gemini.url });
  });
  const workbench = useWorkbench(async () => ({
    env: clis.env,
    settings: {
      'cgloop.executablePaths': { claude: clis.claudePath, gemini: clis.geminiPath },
      // The browser's VS Code saves by itself otherwise.
      'files.autoSave': 'off',
      'cgloop.executor': 'gemini',
      'cgloop.reviewer': 'claude',
      'cgloop.rounds': 1,
      'cgloop.models': { gemini: GEMINI_MODEL },
      'cgloop.permissionMode': 'edits',
    },
    prepare(folder) {
      for (const [name, content] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), content);
      const at = (name: string) => path.join(folder, name);
      const replace = (name: string, before: string, after: string) =>
        call('replace', { file_path: at(name), old_string: before, new_string: after, instruction: 'As asked for.' });
      gemini.tell(
        story('edits what is unsaved, and makes a file')
          // Only the editor holds this text: on disk there is nothing to replace.
          .next(replace('notes.txt', 'typed, not saved', AFTER.trimEnd()))
          .when({ afterTool: 'replace', toolFailed: false })
          .reply(replace('crlf.txt', 'two', 'TWO'))
          .when({ afterTool: 'replace', toolFailed: false })
          .reply(call('write_file', { file_path: at('bom.cs'), content: 'class B {}\n' }))
          .when({ afterTool: 'write_file', toolFailed: false })
          .reply(call('write_file', { file_path: at('new/made.txt'), content: 'made' }))
          .when({ afterTool: 'write_file', toolFailed: false })
          .reply(say('All four are done.')),
      );
    },
  }));
  after(async () => {
    await clis?.dispose();
    for (const server of [anthropic, gemini]) await server?.close();
  });
  const disk = (name: string) => fs.readFileSync(path.join(workbench().folder, name), 'utf8');

  it('asks first what is to be done with the unsaved file, by its name', async () => {
    const { page } = workbench();
    await openFile(page, 'notes.txt');
    await page.locator('.editor-group-container.active .view-lines').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('typed, not saved\n');
    await page.locator('.tab.active.dirty', { hasText: 'notes.txt' }).waitFor();
    view = await runFromPalette(page, 'Edit my files.');
    await firstQuestion(view);
    assert.match(await textOf(view.questions), /1 file has unsaved changes.*notes\.txt/s);
    await screenshot(page, 'unsaved-question');
    await view.questions.getByRole('button', { name: 'Go On Without Saving', exact: true }).click();
  });

  it('edits the unsaved text, and keeps the form of each file (C62, P45, P48)', async () => {
    const { page } = workbench();
    await until('the last file', () => fs.existsSync(path.join(workbench().folder, 'new/made.txt')), 120_000);
    assert.equal(await answerAll(view, 'Allow'), 0, 'edits are allowed');
    assert.match(await textOf(view.ending), /Approved with 9\/10/);
    assert.equal(disk('notes.txt'), AFTER);
    assert.equal(disk('crlf.txt'), 'one\r\nTWO\r\n');
    assert.equal(disk('bom.cs'), '\uFEFFclass B {}\n');
    assert.equal(disk('new/made.txt'), 'made');
    await page.locator('.tab', { hasText: 'notes.txt' }).click();
    await until('the editor shows it', async () => (await editorText(page)).includes('agent’s line'));
    assert.match(await textOf(view.timeline), /Left unsaved, so the agents may not see it: notes\.txt/);
    assert.deepEqual([gemini.unplayed(), gemini.beyondScript()], [[], []]);
  });

  it('leaves what the person had typed one undo away', async () => {
    const { page } = workbench();
    await page.locator('.editor-group-container.active .view-lines').click();
    await page.keyboard.press('Control+Z');
    await until('the text as it was typed', async () => (await editorText(page)).trimEnd() === 'typed, not saved');
    assert.equal(disk('notes.txt'), AFTER);
  });
});
