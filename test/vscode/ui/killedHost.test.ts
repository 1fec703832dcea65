import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errors, type Locator, type Page } from 'playwright-core';
import { placesIn, UNWRITTEN, workOf } from '../../../src/demo/story.ts';
import { readRun } from '../../../src/session/replay.ts';
import type { LoopEvent } from '../../../src/shared/events.ts';
import { needRealClis, type RealCli, realCli, sessionIsKept } from '../../e2e/harness/realCli.ts';
import { verdict } from '../../e2e/loopStories.ts';
import { GEMINI_MODEL } from '../../e2e/loopWorld.ts';
import { startAnthropic } from '../../fakes/models/anthropic.ts';
import { startGemini } from '../../fakes/models/gemini.ts';
import type { ModelServer } from '../../fakes/models/modelServer.ts';
import { call, say, story } from '../../fakes/models/story.ts';
import { type Files, filesIn, sameFiles, statesOf } from '../../fakes/writtenStates.ts';
import type { Server } from '../host/server.ts';
import { notification, openSideBar } from '../host/workbench.ts';
import { extensionHosts, pidsIn, processesIn, root, screenshot, until, useWorkbench } from './ground.ts';
import { type LoopView, newRun, openLoopView, textOf } from './loopView.ts';

const isDeep = process.env.DEEP === '1';
/** What the agents have nothing to do with; git knows none of it. */
const MINE: Files = { 'mine.txt': 'mine, untracked\n', 'draft.md': 'on disk\n' };
/** Lies beside the folder: the check goes on as long as it is there. */
const HOLD = 'hold';

/** Whether the time has come, by what the log holds since the run began or went on, and by what is at work in the folder. */
type Reached = (events: readonly LoopEvent[], processes: number) => boolean;

interface Moment {
  readonly name: string;
  /** More than one: the run that went on is killed again. */
  readonly kills: readonly Reached[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the person presses on the way, once. */
  readonly presses?: string;
  /** The Loop view is out of sight when it happens. */
  readonly isHidden?: boolean;
}

const told =
  (type: LoopEvent['type']): Reached =>
  (events) =>
    events.some((event) => event.type === type);
const speaks =
  (role: 'execute' | 'review', round: number): Reached =>
  (events) =>
    events.some((event) => event.type === 'message.chunk' && event.role === role && event.round === round);
const wrote: Reached = (events) => statesOf({}, events, '/').length > 1;

/** The first one is enough to know that it works at all. */
const MOMENTS: readonly Moment[] = [
  {
    name: 'while a question is open',
    kills: [told('permission.requested')],
    settings: { 'cgloop.permissionMode': 'ask' },
  },
  { name: 'while the agents are being started', kills: [(_, processes) => processes > 0] },
  { name: 'while the executor speaks', kills: [speaks('execute', 1)] },
  { name: 'when the executor has written', kills: [wrote] },
  {
    name: 'while a check is running',
    kills: [told('check.output')],
    settings: { 'cgloop.checks': [`echo begun; while test -e ../${HOLD}; do sleep 0.2; done`] },
    presses: 'Always Run It in This Folder',
    isHidden: true,
  },
  { name: 'while the reviewer speaks', kills: [speaks('review', 1)] },
  {
    name: 'while the run waits between two rounds',
    kills: [told('run.paused')],
    settings: { 'cgloop.askBetweenRounds': true },
  },
  { name: 'while the run is paused by the person', kills: [told('run.paused')], presses: 'Pause After This Round' },
  { name: 'while the executor works on a review', kills: [speaks('execute', 2)] },
  { name: 'twice: in a run that went on, too', kills: [speaks('execute', 1), speaks('review', 1)] },
];

describe('the extension host, killed with SIGKILL (E2)', function () {
  this.timeout(300_000);
  const settings = {
    'cgloop.executor': 'demo-executor',
    'cgloop.reviewer': 'demo-reviewer',
    'cgloop.permissionMode': 'edits',
    'cgloop.askBetweenRounds': false,
    'cgloop.checks': [],
    'cgloop.dirtyFiles': 'ignore',
    'files.autoSave': 'off',
  };
  const workbench = useWorkbench({
    settings,
    env: { ...process.env, CGLOOP_DEMO_SPEED: '0.5' },
    prepare(folder) {
      reset(folder);
      const who = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
      for (const args of [
        ['init', '--quiet'],
        ['add', 'src'],
        [...who, 'commit', '--quiet', '--message=Begin'],
      ])
        execFileSync('git', args, { cwd: folder });
    },
  });

  for (const [index, moment] of (isDeep ? MOMENTS : MOMENTS.slice(0, 1)).entries()) {
    it(`${moment.name}: nothing is lost, and the run goes on to its end`, async () => {
      const { page, server, folder, stateFolder } = workbench();
      const hold = path.join(path.dirname(folder), HOLD);
      fs.writeFileSync(hold, '');
      reset(folder);
      let before = filesIn(folder);
      let earlier = runsIn(stateFolder);
      const directory = () => runsIn(stateFolder).find((one) => !earlier.includes(one)) ?? null;

      const rounds = 4 + index;
      server.writeSettings({ ...settings, ...moment.settings, 'cgloop.rounds': rounds });
      let view = await openLoopView(page);
      if (earlier.length > 0) await newRun(view);
      const shown = view.frame.getByRole('combobox', { name: 'Rounds' });
      // The settings are heard of together.
      await until('the settings in the window', async () => (await shown.inputValue()) === `${rounds}`);
      const typed = `typed before moment ${index}\n`;
      await type(page, 'draft.md', typed);
      view = await openLoopView(page);
      const task = `Make slugify work, ${index}`;
      await start(view, task);

      if (index === 0) await stop(page).waitFor();
      for (const [nth, reached] of moment.kills.entries()) {
        const [host = 0, ...others] = extensionHosts(server);
        assert.deepEqual(others, [], 'one extension host');
        if (moment.presses !== undefined && nth === 0) await view.button(moment.presses).click();
        if (moment.isHidden === true) await openSideBar(page, 'Explorer');
        await killWhen(host, () => reached(sinceBegin(eventsIn(directory())), processesIn(folder).length));
        // A run of which nothing was told yet is no run; the next one is another.
        const begun = eventsIn(directory()).length > 0;
        if (!begun) earlier = runsIn(stateFolder);
        const log = logIn(directory());
        const left = pidsIn(folder);
        await restarted(page, server, host);
        const survivors = () => [...pidsIn(folder).keys()].filter((pid) => left.has(pid));
        await until('the killed run’s processes ended', () => survivors().length === 0);

        view = await openLoopView(page);
        await view.task.waitFor();
        await until('no Stop for a run that is not', async () => (await stop(page).count()) === 0);
        if (!begun) {
          assert.equal(await view.task.inputValue(), task, 'the task is still there');
          assert.deepEqual(filesIn(folder), before);
        } else {
          await view.ending.waitFor();
          assert.match(await textOf(view.ending), /Interrupted/);
          assert.match(await textOf(view.timeline), new RegExp(task));
          assert.equal(await view.questions.count(), 0, 'no question is left open');
          assert.equal(logIn(directory()), log, 'looking at it writes nothing');
          await assertReadBack(directory(), log);
          assert.equal(stateOf(stateFolder, directory()), 'interrupted');
          const events = eventsIn(directory());
          const states = statesOfStory(before);
          const at = (files: Files) => states.findIndex((state) => sameFiles(state, files));
          const logged = at(statesOf(before, events, folder).at(-1) ?? {});
          // An agent may be ahead of what the host has read of it.
          assert.ok(logged >= 0 && at(filesIn(folder)) >= logged, 'the folder is as the executor left it');
          if (nth === 0) await screenshot(page, `killed-${index}`);
        }
        if (nth === 0) {
          await page.locator('.tab', { hasText: 'draft.md' }).click();
          await page.keyboard.press('Control+s');
          await until('what was typed on disk', () => filesIn(folder)['draft.md'] === typed);
          before = { ...before, 'draft.md': typed };
        }
        if (begun) await view.ending.getByRole('button', { name: 'Go On' }).click();
        else await start(view, task);
        await until('the run under way', () => linesOf(logIn(directory())).length > linesOf(log).length);
        assert.ok(logIn(directory()).startsWith(wholeOf(log)), 'the log goes on behind what was told');
      }

      fs.rmSync(hold);
      await toTheEnd(view);
      assert.match(await textOf(view.ending), /Approved with 9\.5\/10/);
      assert.deepEqual(processesIn(folder), []);
      const events = eventsIn(directory());
      const settledAs = (id: string) =>
        events.filter((event) => event.type === 'permission.resolved' && event.permissionId === id).length;
      for (const event of events)
        if (event.type === 'permission.requested') assert.equal(settledAs(event.permissionId), 1, 'settled once');
      await assertReadBack(directory(), logIn(directory()));
      assert.deepEqual(
        filesIn(folder),
        statesOfStory(before).at(-1),
        'the whole work, and the person’s files as they are',
      );
    });
  }
});

if (isDeep) {
  describe('the extension host, killed while the real Claude Code works for it (E2)', function () {
    this.timeout(300_000);
    let anthropic: ModelServer;
    let gemini: ModelServer;
    let clis: RealCli;

    before(async function () {
      await needRealClis(this);
      anthropic = await startAnthropic(story('nothing yet'));
      gemini = await startGemini(story('content').next(say(verdict({ score: 9 }))));
      clis = await realCli({ anthropicUrl: anthropic.url, geminiUrl: gemini.url });
    });
    const workbench = useWorkbench(async () => ({
      env: clis.env,
      settings: {
        'cgloop.executablePaths': { claude: clis.claudePath, gemini: clis.geminiPath },
        'cgloop.models': { gemini: GEMINI_MODEL },
        'cgloop.permissionMode': 'all',
        'cgloop.rounds': 1,
        'cgloop.checks': [],
      },
      prepare(folder) {
        for (const [name, text] of Object.entries(MINE)) fs.writeFileSync(path.join(folder, name), text);
        anthropic.tell(
          story('killed while a command runs')
            .next(say('I begin.'), call('Write', { file_path: path.join(folder, 'half.txt'), content: 'half\n' }))
            .next(call('Bash', { command: 'exec sleep 600', description: 'Wait' }))
            .when({ prompt: /^Your work on this was interrupted/, afterTool: false })
            .reply(say('All of it is done.')),
        );
      },
    }));
    after(async () => {
      await clis?.dispose();
      for (const server of [anthropic, gemini]) await server?.close();
    });

    it('ends it and its command, shows the run as interrupted, and goes on with its session', async () => {
      const { page, server, folder, stateFolder } = workbench();
      const directory = () => runsIn(stateFolder)[0] ?? null;
      let view = await openLoopView(page);
      await start(view, 'Work for long.');
      await until('the command at work', () => processesIn(folder).some((one) => one.includes('sleep 600')), 120_000);
      await sessionIsKept(clis);
      const [host = 0] = extensionHosts(server);
      await killWhen(host, () => true);
      const log = logIn(directory());
      await restarted(page, server, host);
      await notification(page, 'was still at work for a run that was killed: it was ended.').waitFor();
      await until('nothing at work', () => processesIn(folder).length === 0);
      view = await openLoopView(page);
      await view.ending.waitFor();
      assert.match(await textOf(view.ending), /Interrupted/);
      assert.equal(logIn(directory()), log, 'looking at it writes nothing');
      await assertReadBack(directory(), log);
      assert.equal(stateOf(stateFolder, directory()), 'interrupted');
      assert.deepEqual(filesIn(folder), { ...MINE, 'half.txt': 'half\n' });
      await view.ending.getByRole('button', { name: 'Go On' }).click();
      await until('the run under way', () => linesOf(logIn(directory())).length > linesOf(log).length);
      await toTheEnd(view);
      assert.match(await textOf(view.ending), /Approved with 9\/10/);
      assert.ok(logIn(directory()).startsWith(wholeOf(log)), 'the log goes on behind what was told');
      assert.deepEqual(filesIn(folder), { ...MINE, 'half.txt': 'half\n' });
      assert.deepEqual(processesIn(folder), []);
      const [first, second] = (await clis.sessions()).filter(({ program }) => program === 'claude');
      assert.match(second?.args ?? '', /--resume [0-9a-f-]{36}/);
      assert.ok(first !== undefined && !first.args.includes('--resume'));
      assert.deepEqual([anthropic.unplayed(), gemini.unplayed()], [[], []]);
      assert.deepEqual([anthropic.beyondScript(), gemini.beyondScript()], [[], []]);
    });
  });
}

/** The project as it was before any agent, with the person's files. */
function reset(folder: string): void {
  fs.rmSync(path.join(folder, 'test'), { recursive: true, force: true });
  fs.mkdirSync(path.join(folder, 'src'), { recursive: true });
  for (const [name, text] of Object.entries({ ...MINE, 'src/slugify.mjs': UNWRITTEN }))
    fs.writeFileSync(path.join(folder, name), text);
}

/** The folder before the demo executor's work, and after each of its edits of three rounds. */
function statesOfStory(before: Files): Files[] {
  const places = placesIn((relative) => relative in before);
  const states = [before];
  for (const turn of [1, 2, 3]) {
    const { [places.code]: code = null, [places.test]: test = null } = states.at(-1) ?? before;
    for (const step of workOf(turn, { code, test }, places).steps) {
      const last = states.at(-1) ?? before;
      const text = step.tool === 'Write' ? step.content : (last[step.path] ?? '').replace(step.old, () => step.new);
      states.push({ ...last, [step.path]: text });
    }
  }
  return states;
}

/** Absolute, in no order. */
function runsIn(stateFolder: string): string[] {
  const runs = path.join(stateFolder, 'runs');
  return fs.existsSync(runs) ? fs.readdirSync(runs).map((id) => path.join(runs, id)) : [];
}

/** Empty as long as there is none. */
function logIn(directory: string | null): string {
  const file = path.join(directory ?? '', 'log.jsonl');
  return directory !== null && fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}

/** Without what a killed writer left of a last line. */
function wholeOf(log: string): string {
  return log.slice(0, log.lastIndexOf('\n') + 1);
}

function linesOf(log: string): string[] {
  return wholeOf(log).split('\n').slice(0, -1);
}

/** What the log tells; its first line is no event. */
function eventsIn(directory: string | null): LoopEvent[] {
  return linesOf(logIn(directory))
    .slice(1)
    .map((line) => JSON.parse(line));
}

function sinceBegin(events: readonly LoopEvent[]): readonly LoopEvent[] {
  return events.slice(events.findLastIndex(({ type }) => type === 'run.continued') + 1);
}

/** What was written is what the product reads. Long texts lie beside the log, and are not compared here. */
async function assertReadBack(directory: string | null, log: string): Promise<void> {
  const { events, problems } = await readRun(directory ?? '');
  assert.deepEqual(problems, []);
  const written = linesOf(log)
    .slice(1)
    .map((line): LoopEvent & { bodies?: unknown } => JSON.parse(line));
  assert.deepEqual(
    events.map(({ seq, type }) => [seq, type]),
    written.map(({ seq, type }) => [seq, type]),
  );
  for (const [index, event] of written.entries())
    if (event.bodies === undefined) assert.deepEqual(events[index], event);
}

/** What `cgloop runs` says of the run. */
function stateOf(stateFolder: string, directory: string | null): string {
  const told = execFileSync(process.execPath, [path.join(root, 'dist/cgloop.cjs'), 'runs', '--json'], {
    env: { ...process.env, CGLOOP_HOME: stateFolder },
    encoding: 'utf8',
  });
  const runs: { readonly id: string; readonly state: string }[] = JSON.parse(told);
  return runs.find(({ id }) => id === path.basename(directory ?? ''))?.state ?? 'not listed';
}

/** Writes in the editor, and does not save. */
async function type(page: Page, name: string, text: string): Promise<void> {
  await openSideBar(page, 'Explorer');
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).dblclick();
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.locator('.editor-group-container.active .view-lines').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
  await page.locator('.tab.active.dirty', { hasText: name }).waitFor();
}

async function start(view: LoopView, task: string): Promise<void> {
  await view.task.fill(task);
  await view.task.press('Control+Enter');
  await view.consent.or(view.frame.locator('.footer')).first().waitFor();
  if (await view.consent.isVisible()) await view.consent.getByRole('button', { name: 'Understood, Run' }).click();
}

/** Looks every few milliseconds, so that the process dies where it is at work. */
async function killWhen(pid: number, reached: () => boolean): Promise<void> {
  const end = performance.now() + 120_000;
  while (!reached()) {
    if (performance.now() > end) throw new Error('The moment to kill the extension host did not come');
    await wait(2);
  }
  process.kill(pid, 'SIGKILL');
  await until('the extension host dead', () => !fs.existsSync(`/proc/${pid}/cwd`));
}

/** VS Code restarts an extension host that died; one that dies again and again, when the person says so. */
async function restarted(page: Page, server: Server, dead: number): Promise<void> {
  const again = notification(page, 'terminated unexpectedly 3 times').getByRole('button', { name: /Restart/ });
  await until(
    'a new extension host',
    async () => {
      if (await again.isVisible()) await again.click();
      return extensionHosts(server).some((pid) => pid !== dead);
    },
    120_000,
  );
}

/** In the title of the Loop view. */
function stop(page: Page): Locator {
  return page.locator('.pane-header .action-label[aria-label^="Stop"]');
}

/** Answers whatever is asked until the run ends. */
async function toTheEnd(view: LoopView): Promise<void> {
  const goOn = view.frame.getByRole('region', { name: 'Between two rounds' }).getByRole('button', { name: 'Go On' });
  const allow = view.questions.first().getByRole('button', { name: /^(Allow|Always Run It in This Folder)$/ });
  for (;;) {
    const next = goOn.or(allow).or(view.ending).first();
    await next.waitFor({ timeout: 120_000 });
    if (await view.ending.isVisible()) return;
    // What was just answered may still stand there, and be gone before it is clicked again.
    const clicked = goOn.or(allow).first().click({ timeout: 3_000 });
    await clicked.catch((error: unknown) => {
      if (!(error instanceof errors.TimeoutError)) throw error;
    });
  }
}
