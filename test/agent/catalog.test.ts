import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  AGENT_IDS,
  AGENTS_SETTING,
  agentIds,
  agentRef,
  programOf,
  type ResolveDeps,
  resolveAgent,
  resolveDeps,
} from '../../src/agent/catalog.ts';
import { CATALOG } from '../../src/agent/catalogEntries.ts';
import { geminiEnv } from '../../src/agent/geminiEnv.ts';

function deps(files: readonly string[], more: Partial<ResolveDeps> = {}): ResolveDeps {
  return {
    env: { PATH: '/usr/bin:/opt/bin' },
    platform: 'linux',
    probe: { isProgram: (file) => files.includes(file), read: (file) => (files.includes(file) ? '' : null) },
    node: { command: '/usr/bin/node', env: {} },
    executablePaths: {},
    geminiEnv: () => ({ GEMINI_CLI_NO_RELAUNCH: '1' }),
    demoAgents: '/app/dist/demo-agents.cjs',
    ...more,
  };
}

describe('catalog', () => {
  it('starts Claude Code and Gemini CLI by their programs on PATH', () => {
    const claude = resolveAgent('claude', deps(['/opt/bin/claude']));
    assert.deepEqual(claude, {
      type: 'found',
      launch: {
        ref: { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null },
        command: '/opt/bin/claude',
        args: [],
        env: {},
        onlyReads: true,
      },
    });
    const gemini = resolveAgent('gemini', deps(['/usr/bin/gemini']));
    assert.deepEqual(gemini.type === 'found' && [gemini.launch.args, gemini.launch.env, gemini.launch.ref.protocol], [
      ['--acp'],
      { GEMINI_CLI_NO_RELAUNCH: '1' },
      'acp',
    ]);
  });

  it('says what is missing, where it was looked for and how to get it', () => {
    const result = resolveAgent('gemini', deps([]));
    assert.equal(result.type, 'missing');
    if (result.type !== 'missing') return;
    assert.equal(result.problem.agent?.id, 'gemini');
    assert.match(
      result.problem.what,
      /Gemini CLI was not found: no program "gemini" \(looked in \/usr\/bin, \/opt\/bin\)/,
    );
    assert.match(result.problem.fix, /npm i -g @google\/gemini-cli/);
    const claude = resolveAgent('claude', deps([]));
    assert.match(claude.type === 'missing' ? claude.problem.fix : '', /npm i -g @anthropic-ai\/claude-code/);
  });

  it('takes the path that the person set, and only that', () => {
    const found = deps(['/usr/bin/claude', '/my/claude'], { executablePaths: { claude: '/my/claude' } });
    const result = resolveAgent('claude', found);
    assert.equal(result.type === 'found' && result.launch.command, '/my/claude');
    const gone = resolveAgent('claude', deps(['/usr/bin/claude'], { executablePaths: { claude: '/gone' } }));
    assert.match(gone.type === 'missing' ? gone.problem.what : '', /looked in \/gone\)/);
  });

  it('C46: starts the demo agents with our own Node, told to be Node when it is the editor', () => {
    const node = { command: '/app/code', env: { ELECTRON_RUN_AS_NODE: '1' } };
    const result = resolveAgent('demo-executor', deps(['/app/dist/demo-agents.cjs'], { node }));
    assert.deepEqual(result.type === 'found' && result.launch, {
      ref: { id: 'demo-executor', name: 'Demo Executor', protocol: 'claude-stream-json', version: null },
      command: '/app/code',
      args: ['/app/dist/demo-agents.cjs', 'executor'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      onlyReads: true,
    });
    assert.equal(resolveAgent('demo-reviewer', deps([])).type, 'missing');
  });

  it('says of whom it is known that a reviewer only reads, and takes nobody else’s word for it', () => {
    const everything = deps([
      '/usr/bin/claude',
      '/usr/bin/gemini',
      '/usr/bin/codex-acp',
      '/usr/bin/qwen',
      '/usr/bin/mine',
    ]);
    const agents = {
      mine: { protocol: 'acp', command: 'mine', env: {}, mcpServers: {} },
      wrapper: { protocol: 'claude-stream-json', command: 'mine', env: {}, mcpServers: {} },
      other: { protocol: 'acp', command: '/usr/bin/gemini', env: {}, mcpServers: {} },
    } as const;
    const onlyReads = ['claude', 'gemini', 'gemini-headless', 'codex', 'qwen', 'mine', 'wrapper', 'other'].filter(
      (id) => {
        const found = resolveAgent(id, { ...everything, agents });
        assert.equal(found.type, 'found', id);
        return found.type === 'found' && found.launch.onlyReads === true;
      },
    );
    assert.deepEqual(onlyReads, ['claude', 'gemini', 'gemini-headless', 'wrapper', 'other']);
  });

  it('names the known ids for an unknown one', () => {
    const result = resolveAgent('copilot', deps([]));
    assert.equal(result.type === 'missing' && result.problem.agent, null);
    for (const id of AGENT_IDS) assert.ok(result.type === 'missing' && result.problem.fix.includes(id), id);
  });

  it('C04: knows the older name of a flag, after a script too', () => {
    const script = deps(['/usr/bin/gemini']);
    const { launch } = foundOf(resolveAgent('gemini', script));
    assert.deepEqual([launch.args, launch.oldArgs], [['--acp'], ['--experimental-acp']]);
  });

  it('starts Gemini CLI headless by the same program and path, as one process too', () => {
    const paths = { executablePaths: { gemini: '/my/gemini' } };
    const { launch } = foundOf(resolveAgent('gemini-headless', deps(['/my/gemini'], paths)));
    assert.deepEqual(launch.ref.protocol, 'gemini-stream-json');
    assert.deepEqual([launch.command, launch.args, launch.env.GEMINI_CLI_NO_RELAUNCH], ['/my/gemini', [], '1']);
  });

  it('names a program and an installation for each agent of others', () => {
    for (const [id, entry] of CATALOG) {
      if (entry.type === 'demo') continue;
      const result = resolveAgent(id, deps([`/usr/bin/${entry.program}`]));
      assert.equal(result.type, 'found', id);
      assert.match(entry.install, /^(npm i -g|brew install) \S+$/);
      assert.equal(programOf(id), entry.program);
    }
  });

  it('sees this machine: a program without its execute bit is none', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-catalog-'));
    try {
      const program = path.join(folder, 'claude');
      fs.writeFileSync(program, '', { mode: 0o644 });
      const { probe } = resolveDeps({ executablePaths: {}, stateFolder: folder, trusted: false });
      if (process.platform !== 'win32') assert.equal(probe.isProgram(program), false);
      fs.chmodSync(program, 0o755);
      assert.equal(probe.isProgram(program), true);
      assert.equal(probe.isProgram(folder), false);
      assert.equal(probe.read(path.join(folder, 'none')), null);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});

function foundOf(result: ReturnType<typeof resolveAgent>) {
  assert.ok(result.type === 'found', result.type === 'missing' ? result.problem.what : '');
  return result;
}

describe('agents of the person’s own', () => {
  const agents = AGENTS_SETTING.parse({
    mine: { name: 'Mine', command: 'my-agent', args: ['--acp'], env: { A: '1' } },
    wrapped: { command: '/opt/wrap/gemini' },
    gemini: {
      env: { GEMINI_MODEL: 'x' },
      mcpServers: { files: { type: 'stdio', command: '/bin/files' }, web: { type: 'http', url: 'http://localhost:1' } },
    },
  });

  it('are found and named beside the catalog’s', () => {
    assert.deepEqual(agentIds(agents), [...AGENT_IDS, 'mine', 'wrapped']);
    assert.deepEqual(agentRef('mine', agents), { id: 'mine', name: 'Mine', protocol: 'acp', version: null });
    assert.equal(agentRef('mine'), null);
    const { launch } = foundOf(resolveAgent('mine', deps(['/opt/bin/my-agent'], { agents })));
    assert.deepEqual([launch.command, launch.args, launch.env], ['/opt/bin/my-agent', ['--acp'], { A: '1' }]);
    assert.deepEqual([programOf('mine', agents), programOf('wrapped', agents)], ['my-agent', null]);
    const gone = resolveAgent('mine', deps([], { agents }));
    assert.match(gone.type === 'missing' ? gone.problem.fix : '', /cgloop\.agents/);
    const unknown = resolveAgent('toString', deps([], { agents }));
    assert.match(unknown.type === 'missing' ? unknown.problem.fix : '', /, mine, wrapped\./);
  });

  it('that are Gemini CLI are started as such', () => {
    const { launch } = foundOf(resolveAgent('wrapped', deps(['/opt/wrap/gemini'], { agents })));
    assert.deepEqual([launch.ref.name, launch.env.GEMINI_CLI_NO_RELAUNCH], ['wrapped', '1']);
  });

  it('add variables and servers to the catalog’s agents', () => {
    const { launch } = foundOf(resolveAgent('gemini', deps(['/usr/bin/gemini'], { agents })));
    assert.deepEqual(launch.args, ['--acp']);
    assert.equal(launch.env.GEMINI_MODEL, 'x');
    assert.deepEqual(launch.mcpServers, [
      { name: 'files', type: 'stdio', command: '/bin/files', args: [], env: {} },
      { name: 'web', type: 'http', url: 'http://localhost:1', headers: {} },
    ]);
  });

  it('are refused when they name no program, a relative one for a server, or what no protocol carries', () => {
    const wrong: [object, RegExp][] = [
      [{ mine: {} }, /mine.*has no command/s],
      [{ 'My Agent': { command: 'x' } }, /is no name/],
      [{ claude: { command: '/evil' } }, /executablePaths/],
      [{ mine: { command: 'x', shell: true } }, /shell/],
      [{ mine: { command: 'x', protocol: 'http' } }, /protocol/],
      [{ gemini: { mcpServers: { a: { type: 'stdio', command: 'files' } } } }, /is no absolute path/],
      [{ claude: { mcpServers: { a: { type: 'stdio', command: '/files' } } } }, /only ACP has a place/],
    ];
    for (const [value, words] of wrong) {
      const parsed = AGENTS_SETTING.safeParse(value);
      assert.match(JSON.stringify(parsed.error?.issues ?? []), words);
    }
  });
});

describe('geminiEnv', () => {
  let home = '';
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.homedir(), '.cgloop-test-'));
  });
  afterEach(() => {
    fs.rmSync(home, { recursive: true });
  });

  it('GEMINI.md 0.1, 0.7: asks for one process, text output, and trust only when the folder is trusted', () => {
    const env = geminiEnv(home, true, {}, process.platform);
    assert.equal(env.GEMINI_CLI_NO_RELAUNCH, '1');
    assert.equal(env.GEMINI_PTY_INFO, 'child_process');
    assert.equal(env.GEMINI_CLI_TRUST_WORKSPACE, 'true');
    assert.equal(geminiEnv(home, false, {}, process.platform).GEMINI_CLI_TRUST_WORKSPACE, 'false');
  });

  it('keeps histories and crash dumps in our own storage, and removes old dumps', () => {
    const temporary = path.join(home, 'gemini', 'tmp');
    fs.mkdirSync(temporary, { recursive: true });
    fs.writeFileSync(path.join(temporary, 'gemini-client-error-x.json'), 'a whole conversation');
    fs.writeFileSync(path.join(temporary, 'kept.txt'), '');
    const env = geminiEnv(home, false, {}, 'linux');
    assert.equal(env.TMPDIR, temporary);
    assert.deepEqual(fs.readdirSync(temporary), ['kept.txt']);
  });

  it('GEMINI.md 0.12: gives its settings file, which keeps histories, only where the CLI will take it, and never over the administrator’s', () => {
    const writable = fs.statSync(os.homedir()).mode & 0o022;
    const given = geminiEnv(home, false, {}, 'linux').GEMINI_CLI_SYSTEM_DEFAULTS_PATH;
    if (writable === 0 && given !== undefined) {
      assert.equal(JSON.parse(fs.readFileSync(given, 'utf8')).general.sessionRetention.enabled, false);
    }
    fs.chmodSync(home, 0o770);
    assert.equal(geminiEnv(home, false, {}, 'linux').GEMINI_CLI_SYSTEM_DEFAULTS_PATH, undefined);
    fs.chmodSync(home, 0o700);
    const theirs = { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/etc/gemini.json' };
    assert.equal(geminiEnv(home, false, theirs, 'linux').GEMINI_CLI_SYSTEM_DEFAULTS_PATH, undefined);
  });

  it('goes without files where the state folder cannot be written', () => {
    const blocked = path.join(home, 'file');
    fs.writeFileSync(blocked, '');
    const env = geminiEnv(blocked, false, {}, 'linux');
    assert.equal(env.TMPDIR, undefined);
    assert.equal(env.GEMINI_CLI_NO_RELAUNCH, '1');
  });
});
