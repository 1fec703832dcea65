import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { FAILING_TEST } from '../../e2e/harness/project.ts';
import { needRealClis, type RealCli, realCli } from '../../e2e/harness/realCli.ts';
import { startAnthropic } from '../../fakes/models/anthropic.ts';
import { startGemini } from '../../fakes/models/gemini.ts';
import type { ModelServer } from '../../fakes/models/modelServer.ts';
import { call, say, story } from '../../fakes/models/story.ts';
import { editorText, reloadWindow, setSideBarWidth, setTheme } from '../host/workbench.ts';
import { screenshot, until, useWorkbench } from './ground.ts';
import {
  answerAll,
  firstQuestion,
  type LoopView,
  newRun,
  openLoopView,
  recreateLoopView,
  runFromPalette,
  textOf,
} from './loopView.ts';

const TASK = 'Make the failing test pass';
const FIXED = 'export function add(a, b) {\n  return Number(a) + Number(b);\n}\n';

function verdict(value: object, last = ''): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n${last}`;
}

/** Claude's part: two rounds, one edit each. */
function executorStory(file: string) {
  return story('fixes the test in two rounds')
    .when({ prompt: TASK, afterTool: false })
    .reply(say('I look at the code first.'), call('Read', { file_path: file }))
    .when({ afterTool: 'Read' })
    .reply(
      say('`add` subtracts. I turn the sign.'),
      call('Edit', { file_path: file, old_string: 'a - b', new_string: 'a + b' }),
    )
    .when({ afterTool: 'Edit', toolFailed: false })
    .reply(say('The function adds now, so the test passes.'))
    .when({ prompt: /joins text/, afterTool: false })
    .reply(
      say('The review is right: text would be joined.'),
      call('Edit', { file_path: file, old_string: 'a + b', new_string: 'Number(a) + Number(b)' }),
    )
    .when({ afterTool: 'Edit', toolFailed: false })
    .reply(say('Both arguments are read as numbers now.'));
}

/** Gemini's part: 6 with two findings, then 9 and approved. */
function reviewerStory() {
  const first = {
    score: 6,
    approved: false,
    summary: 'The test passes, but the function is fragile.',
    findings: [
      {
        severity: 'major',
        file: 'add.js',
        line: 2,
        title: 'The function joins text',
        detail: 'add("2", 3) gives "23".',
        suggestion: 'Read both arguments as numbers.',
      },
      { severity: 'nit', file: 'add.js', line: 1, title: 'No comment', detail: 'The export says nothing of itself.' },
    ],
    previous: [],
    suggestions: [],
  };
  const second = { ...first, score: 9, approved: true, summary: 'Right, also for text.', findings: [] };
  return story('two reviews')
    .next(say(`I read the change.\n\n${verdict(first)}`))
    .next(say(`Better.\n\n${verdict(second, 'APPROVED\n')}`));
}

describe('a run with the real Claude Code and Gemini CLI in the workbench', () => {
  let anthropic: ModelServer;
  let gemini: ModelServer;
  let clis: RealCli;
  let view: LoopView;

  before(async function () {
    await needRealClis(this);
    anthropic = await startAnthropic(story('nothing yet'));
    gemini = await startGemini(reviewerStory());
    clis = await realCli({ anthropicUrl: anthropic.url, geminiUrl: gemini.url });
  });
  const workbench = useWorkbench(async () => ({
    env: clis.env,
    // By the setting: VS Code takes PATH from the login shell, which does not know this home's programs.
    settings: { 'cgloop.executablePaths': { claude: clis.claudePath, gemini: clis.geminiPath } },
    prepare(folder) {
      for (const [name, content] of Object.entries(FAILING_TEST)) fs.writeFileSync(path.join(folder, name), content);
      anthropic.tell(executorStory(path.join(folder, 'add.js')));
    },
  }));
  after(async () => {
    await clis?.dispose();
    for (const server of [anthropic, gemini]) await server?.close();
  });
  const alive = async () => (await clis.sessions()).filter(({ pid }) => fs.existsSync(`/proc/${pid}`));
  const code = () => fs.readFileSync(path.join(workbench().folder, 'add.js'), 'utf8');

  it('asks before Claude edits, in a view that may be hidden and re-created meanwhile (case C56)', async () => {
    const { page } = workbench();
    view = await runFromPalette(page, TASK);
    await firstQuestion(view);
    assert.match(await textOf(view.questions), /Run this check.*npm test.*"test": "node --test"/s);
    await view.questions.getByRole('button', { name: 'Always Run It in This Folder' }).click();
    await view.questions.filter({ hasText: 'add.js' }).waitFor();
    assert.match(await textOf(view.questions), /Claude.*add\.js/s);
    const before = await textOf(view.timeline);
    view = await recreateLoopView(page);
    await firstQuestion(view);
    assert.equal(await textOf(view.timeline), before);
    assert.equal(code(), FAILING_TEST['add.js']);
  });

  it('edits once it is allowed by the button, shows both scores, and ends approved', async () => {
    await view.questions.getByRole('button', { name: 'Allow', exact: true }).click();
    await until('the allowed edit on disk', () => code() !== FAILING_TEST['add.js']);
    assert.equal(await answerAll(view, 'Allow'), 1);
    assert.match(await textOf(view.ending), /Approved with 9\/10/);
    const rounds = await view.rounds.allTextContents();
    assert.equal(rounds.length, 2);
    assert.match(rounds[0] ?? '', /Claude → .*Gemini 6\/10.*2 findings/);
    assert.match(rounds[1] ?? '', /Claude → .*Gemini 9\/10/);
    assert.match(await textOf(view.timeline), /npm test.*passed/s);
    assert.equal(code(), FIXED);
  });

  it('spawned one process an agent, asked its model nothing beyond the story, and left nothing alive', async () => {
    const sessions = await clis.sessions();
    assert.deepEqual(sessions.map(({ program }) => program).sort(), ['claude', 'gemini']);
    assert.deepEqual([anthropic.unplayed(), gemini.unplayed()], [[], []]);
    assert.deepEqual([anthropic.beyondScript(), gemini.beyondScript()], [[], []]);
    assert.deepEqual(await alive(), []);
  });

  it('opens the changed file in an editor', async () => {
    const { page, server } = workbench();
    await view.button('add.js').last().click();
    await page.locator('.tab.active', { hasText: 'add.js' }).waitFor();
    await page.locator('.view-line', { hasText: 'Number' }).waitFor();
    assert.equal(`${(await editorText(page)).trimEnd()}\n`, FIXED);
    await setTheme(page, server, 'dark');
    await setSideBarWidth(page, 460);
    await screenshot(page, 'real-ended');
  });

  it('shows a run as interrupted after the window was reloaded, its agents gone (case C54)', async () => {
    const { page, folder } = workbench();
    fs.writeFileSync(path.join(folder, 'add.js'), FAILING_TEST['add.js'] ?? '');
    anthropic.tell(executorStory(path.join(folder, 'add.js')));
    await newRun(view);
    await view.task.fill(TASK);
    await view.task.press('Control+Enter');
    await firstQuestion(view);
    await reloadWindow(page);
    view = await openLoopView(page);
    await view.ending.waitFor();
    assert.match(await textOf(view.ending), /Interrupted/);
    assert.match(await textOf(view.timeline), /I look at the code first/);
    assert.equal(await view.questions.count(), 0);
    await until('no agent alive', async () => (await alive()).length === 0);
  });
});
