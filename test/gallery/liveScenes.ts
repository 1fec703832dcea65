import path from 'node:path';
import { notification, openSideBar, runCommand } from '../vscode/host/workbench.ts';
import { root, until } from '../vscode/ui/ground.ts';
import { SCRIPTS } from './scripts.ts';
import { type Scene, type Stage, toComposer } from './stage.ts';

const TASK = 'Find columns by their names';

/** Writes a task and runs it, with whoever the settings name. */
async function start({ view }: Stage, task = TASK): Promise<void> {
  await view.task.fill(task);
  await view.button('Run').click();
}

/** Starts a run, lets it begin where that is asked, and waits for its first question. */
async function startToQuestion(stage: Stage, task = TASK): Promise<void> {
  const { view } = stage;
  await start(stage, task);
  await view.questions.or(view.consent).first().waitFor({ timeout: 120_000 });
  if (await view.consent.isVisible()) await view.button('Understood, Run').click();
  await view.questions.first().waitFor({ timeout: 120_000 });
}

/** A question of a scripted Claude Code. */
function question(name: string, script: Parameters<Stage['play']>[0], widths?: readonly number[]): Scene {
  return {
    name: `question-${name}`,
    of: 'view',
    ...(widths === undefined ? {} : { widths }),
    async show(stage) {
      stage.play(script);
      await stage.choose('claude', 'gemini');
      await startToQuestion(stage);
    },
  };
}

/** States before a run, and of a run that is under way. */
export const LIVE_SCENES: readonly Scene[] = [
  {
    name: 'empty',
    of: 'view',
    widths: [250, 300, 520],
    async show({ choose }) {
      await choose('claude', 'gemini');
    },
  },
  {
    name: 'missing',
    of: 'view',
    widths: [250, 300, 520],
    async show({ choose, view }) {
      await choose('claude', 'gemini', {
        'cgloop.executablePaths': { claude: '/opt/tools/bin/claude', gemini: '/opt/tools/bin/gemini' },
      });
      await view.frame.getByRole('region', { name: 'Setup' }).getByText('was not found').first().waitFor();
    },
  },
  {
    name: 'doctor',
    of: 'view',
    async show({ page, choose, view }) {
      await choose('demo-executor', 'demo-reviewer');
      await runCommand(page, 'Check Setup');
      await view.frame.getByText('Nothing is in the way of a run.').waitFor({ timeout: 120_000 });
    },
    async leave({ view }) {
      const card = view.frame.getByRole('region', { name: 'Setup' });
      await card.getByRole('button', { name: 'Close' }).click();
      await card.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'consent',
    of: 'view',
    async show(stage) {
      stage.play(SCRIPTS.streaming);
      await stage.choose('claude', 'gemini');
      await start(stage);
      await stage.view.consent.waitFor();
    },
    async leave({ view }) {
      await view.consent.getByRole('button', { name: 'Understood, Run' }).click();
      await view.consent.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'streaming',
    after: 'consent',
    of: 'view',
    widths: [250, 300, 520],
    async show({ view }) {
      await view.timeline.getByText('One separator').waitFor({ timeout: 120_000 });
    },
  },
  {
    name: 'mention',
    of: 'view',
    async show({ view }) {
      await view.task.fill('');
      await view.task.pressSequentially('Explain @src/');
      await view.frame.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'composing',
    of: 'view',
    widths: [250, 300, 520],
    async show({ view, t }) {
      await view.task.fill(
        'Find columns by their names, not by their positions, as @src/columns.ts:1-3 says.\n\nKeep files without a header working, and say in @docs/notes-on-the-format-of-files-that-people-send-us.md what changed.',
      );
      await view.frame.getByRole('combobox', { name: t('Permissions') }).selectOption('edits');
      const [image] = [{ name: 'Screenshot of the import dialog.png', mimeType: 'image/png', buffer: ONE_PIXEL }];
      await view.frame.locator('input[type=file]').setInputFiles(image ?? []);
      await view.frame.locator('.images, .image').first().waitFor();
    },
    async leave({ view, t }) {
      await view.frame.getByRole('combobox', { name: t('Permissions') }).selectOption('ask');
      await view.frame.locator('.images button').click();
      await view.frame.locator('.images').waitFor({ state: 'detached' });
      await view.task.fill('');
    },
  },
  question('edit', SCRIPTS.edit, [250, 300, 520]),
  question('command', SCRIPTS.command, [250, 300, 520]),
  question('choices', SCRIPTS.question, [250, 300, 520]),
  {
    // The last with Claude Code: the program that is started ahead here would be the one of the next run.
    name: 'commands',
    of: 'view',
    async show({ play, choose, view }) {
      play(SCRIPTS.streaming);
      await choose('claude', 'gemini', { 'cgloop.warmStart': true });
      // Typed again until the setting has come to the window: agents are started ahead when one begins to type.
      await until('the commands of Claude', async () => {
        await view.task.fill('');
        await view.task.pressSequentially('/');
        return view.frame.getByRole('listbox').getByRole('option').first().isVisible();
      });
    },
  },
  {
    name: 'question-form',
    of: 'view',
    widths: [250, 300, 520],
    async show(stage) {
      const releaser = {
        name: 'Releaser',
        command: process.execPath,
        args: [path.join(root, 'test/gallery/formAgent.mjs')],
      };
      await stage.choose('releaser', 'demo-reviewer', { 'cgloop.agents': { releaser } });
      await startToQuestion(stage, 'Release it');
    },
  },
  {
    name: 'hidden',
    of: 'window',
    async show(stage) {
      const { page } = stage;
      stage.play(SCRIPTS.command);
      await stage.choose('claude', 'gemini');
      await startToQuestion(stage);
      await openSideBar(page, 'Explorer');
      await page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
      await notification(page, /wants/).waitFor();
    },
    async leave(stage) {
      await notification(stage.page, /wants/).getByRole('button', { name: 'Deny', exact: true }).click();
      await toComposer(stage);
    },
  },
  {
    name: 'question-check',
    of: 'view',
    async show(stage) {
      const more = { 'cgloop.askBetweenRounds': true, 'cgloop.checks': ['node --test'] };
      await stage.choose('demo-executor', 'demo-reviewer', more);
      await startToQuestion(stage, 'Make slugify work');
    },
    async leave({ view }) {
      await view.questions.getByRole('button', { name: 'Run It in This Run' }).click();
      await view.questions.getByRole('button', { name: 'Allow edits for this run' }).click();
    },
  },
  {
    name: 'between-rounds',
    after: 'question-check',
    of: 'view',
    widths: [250, 300, 520],
    async show({ view }) {
      await view.frame.getByRole('region', { name: 'Between two rounds' }).waitFor({ timeout: 120_000 });
    },
    async leave({ view }) {
      const goOn = view.button('Go On');
      while (!(await view.ending.isVisible())) {
        await goOn.click();
        await goOn.waitFor({ state: 'detached' });
        await goOn.or(view.ending).first().waitFor({ timeout: 120_000 });
      }
    },
  },
  {
    name: 'demo-approved',
    after: 'between-rounds',
    of: 'view',
    widths: [250, 300, 520],
    async show({ view }) {
      await view.ending.waitFor();
    },
    leave: async () => {},
  },
  {
    name: 'undo-panel',
    after: 'demo-approved',
    of: 'view',
    async show({ view }) {
      await view.button('Undo…').click();
      await view.frame.getByText('Would change').waitFor();
    },
    async leave({ view }) {
      await view.button('Cancel').click();
    },
  },
  {
    name: 'changes-of-a-run',
    after: 'demo-approved',
    of: 'window',
    widths: [300],
    async show({ page, view }) {
      await view.button('Open All Changes').click();
      await page.locator('.multiDiffEditor, .multi-diff-editor').first().waitFor();
      await page.locator('.monaco-diff-editor .line-insert').first().waitFor();
    },
    async leave(stage) {
      await runCommand(stage.page, 'View: Close All Editors');
      await toComposer(stage);
    },
  },
];

const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
