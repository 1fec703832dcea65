import assert from 'node:assert/strict';
import { composerDefaults, readSettings, runOptions } from '../../src/host/settings.ts';
import { DEFAULTS } from '../../src/loop/options.ts';

/** Settings of the person, and of the workspace on top of them. */
const read = (user: Record<string, unknown>, workspace: Record<string, unknown> = {}) =>
  readSettings((name) => ({ effective: workspace[name] ?? user[name], user: user[name] }));

describe('readSettings', () => {
  it('gives the defaults when nothing is set', () => {
    const { settings, problems } = read({});
    assert.deepEqual(settings, {
      ...DEFAULTS,
      models: {},
      executablePaths: {},
      agents: {},
      notifyCommand: [],
      findingsInEditor: 'both',
      retentionDays: 30,
      warmStart: true,
      idleStopMinutes: 10,
      traceWire: false,
      dirtyFiles: 'ask',
      maxFileMegabytes: 10,
      checks: null,
      budget: {},
      askBetweenRounds: false,
    });
    assert.deepEqual(problems, []);
  });

  it('takes numbers and agents from a workspace', () => {
    const { settings } = read({ rounds: 2 }, { rounds: 7, threshold: 8.5, reviewer: 'claude' });
    assert.deepEqual([settings.rounds, settings.threshold, settings.reviewer], [7, 8.5, 'claude']);
  });

  it('never takes a program from a workspace', () => {
    const { settings } = read({ executablePaths: { claude: '/opt/claude' } }, { executablePaths: { claude: '/evil' } });
    assert.deepEqual(settings.executablePaths, { claude: '/opt/claude' });
    assert.deepEqual(read({}, { executablePaths: { gemini: '/evil' } }).settings.executablePaths, {});
  });

  it('takes a budget whose limits are numbers above zero, and no other', () => {
    const { settings } = read(
      {},
      { budget: { tokens: 500_000, money: 1.5 }, plateauRounds: 0, askBetweenRounds: true, language: 'zh-cn' },
    );
    assert.deepEqual(
      [settings.budget, settings.plateauRounds, settings.askBetweenRounds, settings.language],
      [{ tokens: 500_000, money: 1.5 }, 0, true, 'zh-cn'],
    );
    for (const budget of [{ tokens: 0 }, { minutes: '5' }, { euros: 1 }, { tokens: 1.5 }]) {
      const wrong = read({ budget });
      assert.deepEqual([wrong.settings.budget, wrong.problems.length], [{}, 1], JSON.stringify(budget));
    }
  });

  it('takes agents of the person’s own, never of a workspace', () => {
    const mine = { mine: { command: 'my-agent' } };
    assert.deepEqual(Object.keys(read({ agents: mine }).settings.agents), ['mine']);
    assert.deepEqual(read({}, { agents: mine }).settings.agents, {});
    const { settings, problems } = read({ agents: { 'Not a name': { command: 'x' } } });
    assert.deepEqual([settings.agents, problems.length], [{}, 1]);
  });

  it('takes the program to be told from the person only, by a name or an absolute path', () => {
    const command = ['/home/me/tell', '--loud'];
    assert.deepEqual(read({ notifyCommand: command }, { notifyCommand: ['/evil'] }).settings.notifyCommand, command);
    assert.deepEqual(read({}, { notifyCommand: ['/evil'] }).settings.notifyCommand, []);
    assert.deepEqual(read({ notifyCommand: ['tell'] }).problems, []);
    for (const wrong of [['./tell'], ['bin/tell'], [''], 'tell', [1]]) {
      const { settings, problems } = read({ notifyCommand: wrong });
      assert.deepEqual([settings.notifyCommand, problems[0]?.setting], [[], 'cgloop.notifyCommand'], String(wrong));
    }
  });

  it('takes checks as they are named, one line each, and leaves a choice of the composer on top', () => {
    const { settings } = read({}, { checks: ['npm test', 'go test -run "größer|测试"'], checkTimeoutSeconds: 30 });
    const of = (checks: ReturnType<typeof composerDefaults>['checks'], from = settings) => {
      const chosen = { ...composerDefaults(from), checks };
      const asked = { task: 't', folder: '/p', chosen, settings: from, stateFolder: '/s', secrets: {} };
      return runOptions(asked);
    };
    assert.deepEqual(of(null).checks, [
      { command: 'npm test', source: 'settings' },
      { command: 'go test -run "größer|测试"', source: 'settings' },
    ]);
    assert.equal(of(null).checkTimeoutSeconds, 30);
    assert.deepEqual(of([]).checks, []);
    assert.deepEqual(of([{ command: 'x', source: 'typed' }]).checks, [{ command: 'x', source: 'typed' }]);
    assert.equal('checks' in of(null, read({}).settings), false, 'the run looks for itself');
    assert.deepEqual(read({ checks: [] }).settings.checks, []);
    for (const wrong of ['npm test', [1], [''], ['a\nb'], ['a\u202eb']]) {
      const { settings, problems } = read({ checks: wrong });
      assert.deepEqual([settings.checks, problems[0]?.setting], [null, 'cgloop.checks'], String(wrong));
    }
  });

  it('lets a workspace make the permission mode stricter, never more permissive', () => {
    const modes = ['read-only', 'ask', 'edits', 'all'];
    for (const [user, own] of modes.entries())
      for (const [workspace, asked] of modes.entries()) {
        const { settings } = read({ permissionMode: own }, { permissionMode: asked });
        assert.equal(settings.permissionMode, modes[Math.min(user, workspace)], `${own}, then ${asked}`);
      }
    assert.equal(read({}, { permissionMode: 'all' }).settings.permissionMode, 'ask');
  });

  it('names every setting that cannot be used, once, and keeps its default', () => {
    const { settings, problems } = read({
      rounds: 0,
      threshold: 'high',
      permissionMode: 'yolo',
      models: { claude: '--dangerously-skip-permissions' },
      executablePaths: { claude: 1 },
    });
    assert.deepEqual(
      problems.map(({ setting }) => setting),
      ['permissionMode', 'rounds', 'threshold', 'models', 'executablePaths'].map((name) => `cgloop.${name}`),
    );
    assert.deepEqual(settings, {
      ...DEFAULTS,
      models: {},
      executablePaths: {},
      agents: {},
      notifyCommand: [],
      findingsInEditor: 'both',
      retentionDays: 30,
      warmStart: true,
      idleStopMinutes: 10,
      traceWire: false,
      dirtyFiles: 'ask',
      maxFileMegabytes: 10,
      checks: null,
      budget: {},
      askBetweenRounds: false,
    });
    assert.match(problems.find(({ setting }) => setting === 'cgloop.models')?.why ?? '', /claude.*no name of a model/);
  });
});

describe('runOptions', () => {
  it('joins the person’s choices with the settings, each agent with its model', () => {
    const { settings } = read({ models: { gemini: 'gemini-3-pro' }, turnLimitSeconds: 60 });
    const options = runOptions({
      task: 'Fix it',
      folder: '/p',
      chosen: {
        ...composerDefaults(settings),
        rounds: 5,
        executor: 'gemini',
        reviewer: 'claude',
        permissionMode: 'edits',
      },
      settings,
      stateFolder: '/s',
      secrets: { gemini: { GEMINI_API_KEY: 'k' } },
    });
    assert.deepEqual(options, {
      task: 'Fix it',
      folder: '/p',
      rounds: 5,
      executor: 'gemini',
      reviewer: 'claude',
      permissionMode: 'edits',
      executorModel: 'gemini-3-pro',
      reviewerModel: null,
      threshold: 9,
      turnLimitSeconds: 60,
      budget: {},
      plateauRounds: 2,
      language: 'auto',
      askBetweenRounds: false,
      newWorktree: false,
      trusted: true,
      interactive: true,
      checkTimeoutSeconds: 600,
      face: 'editor',
      stateFolder: '/s',
      executablePaths: {},
      agents: {},
      secrets: { gemini: { GEMINI_API_KEY: 'k' } },
      retentionDays: 30,
      trace: false,
    });
  });

  it('takes the model that was chosen for the run, and none that could be an option of a command line', () => {
    const { settings } = read({ models: { gemini: 'gemini-3-pro', claude: 'opus' } });
    const of = (models: Readonly<Record<string, string>>) => {
      const chosen = { ...composerDefaults(settings), models };
      const options = runOptions({ task: 'x', folder: '/p', chosen, settings, stateFolder: '/s', secrets: {} });
      return [options.executorModel, options.reviewerModel];
    };
    assert.deepEqual(of(settings.models), ['opus', 'gemini-3-pro']);
    assert.deepEqual(of({ claude: 'opus[1m]' }), ['opus[1m]', null]);
    assert.deepEqual(of({ claude: '--dangerous' }), [null, null]);
  });
});
