import assert from 'node:assert/strict';
import { type Agent, type AgentContext, AgentStartError } from '../../src/agent/agent.ts';
import type { ResolveDeps } from '../../src/agent/catalog.ts';
import { type DoctorDeps, type DoctorOptions, examine } from '../../src/agent/doctorProbe.ts';

const OPTIONS: DoctorOptions = {
  executor: 'claude',
  reviewer: 'gemini',
  others: [],
  folder: '/project',
  trusted: true,
  mayStart: true,
  secrets: {},
};

interface Seen {
  readonly contexts: AgentContext[];
  disposed: number;
  versions: number;
}

function machine(options: {
  readonly programs?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly fails?: Readonly<Record<string, AgentStartError>>;
}): { readonly deps: DoctorDeps; readonly seen: Seen } {
  const { programs = ['claude', 'gemini', 'git'], files = {}, env = {}, fails = {} } = options;
  const seen: Seen = { contexts: [], disposed: 0, versions: 0 };
  const resolve: ResolveDeps = {
    env: { PATH: '/bin', ...env },
    platform: 'linux',
    probe: { isProgram: (file) => programs.includes(file.replace('/bin/', '')), read: (file) => files[file] ?? null },
    node: { command: '/bin/node', env: {} },
    executablePaths: {},
    geminiEnv: () => ({ GEMINI_CLI_NO_RELAUNCH: '1' }),
    demoAgents: '/dist/demo-agents.cjs',
  };
  const createAgent = (context: AgentContext): Agent => {
    seen.contexts.push(context);
    const { ref } = context.launch;
    return {
      ready: async () => {
        const failure = fails[ref.id];
        if (failure !== undefined) throw failure;
        return { ref: { ...ref, version: '1.2.3' }, sessionId: 's', model: null };
      },
      prompt: () => assert.fail('the doctor makes no turn'),
      dispose: async () => {
        seen.disposed += 1;
      },
    };
  };
  const deps: DoctorDeps = {
    resolve,
    disk: { read: resolve.probe.read, real: (file) => file },
    home: '/home/me',
    createAgent,
    version: async () => {
      seen.versions += 1;
      return '0.9.0';
    },
    claudeAuth: async () => ({ loggedIn: true }),
    gitVersion: async () => '2.43.0',
  };
  return { deps, seen };
}

describe('examine', () => {
  it('starts each chosen agent once as a run would, without a turn, and ends it', async () => {
    const { deps, seen } = machine({ env: { GEMINI_API_KEY: 'k' } });
    const facts = await examine(OPTIONS, deps);
    assert.deepEqual(
      facts.agents.map(({ agent, start, chosen }) => [agent.id, agent.version, start.type, chosen]),
      [
        ['claude', '1.2.3', 'started', true],
        ['gemini', '1.2.3', 'started', true],
      ],
    );
    assert.deepEqual(
      seen.contexts.map(({ role, folder, trusted, mode }) => [role, folder, trusted, mode]),
      [
        ['execute', '/project', true, 'read-only'],
        ['review', '/project', true, 'read-only'],
      ],
    );
    assert.deepEqual([seen.disposed, seen.versions], [2, 0]);
    assert.deepEqual([facts.git, facts.geminiTrust], ['2.43.0', 'notSaid']);
  });

  it('asks for the version of a program that did not come up, and ends it too', async () => {
    const failure = new AgentStartError('agentExit', 'unknown option --acp');
    const { deps, seen } = machine({ fails: { gemini: failure } });
    const { agents } = await examine(OPTIONS, deps);
    assert.deepEqual(agents[1]?.start, { type: 'failed', reason: 'agentExit', message: 'unknown option --acp' });
    assert.equal(agents[1]?.agent.version, '0.9.0');
    assert.equal(seen.disposed, 2);
  });

  it('starts nothing where it may not, and still says what is there', async () => {
    const { deps, seen } = machine({ programs: ['gemini'] });
    const { agents } = await examine({ ...OPTIONS, mayStart: false }, deps);
    assert.deepEqual(
      agents.map(({ program, start }) => [program.type, start.type === 'notTried' && start.why]),
      [
        ['missing', 'missing'],
        ['found', 'untrusted'],
      ],
    );
    assert.deepEqual([seen.contexts.length, seen.versions], [0, 0]);
  });

  it('does not start Gemini CLI where that would open a browser', async () => {
    const auth = '{"security":{"auth":{"selectedType":"oauth-personal"}}}';
    const { deps, seen } = machine({ files: { '/home/me/.gemini/settings.json': auth } });
    const { agents } = await examine(OPTIONS, deps);
    assert.deepEqual(agents[1]?.start, { type: 'notTried', why: 'browser' });
    assert.deepEqual(
      seen.contexts.map(({ launch }) => launch.ref.id),
      ['claude'],
    );
  });

  it('gives a key to its agent only, and tells its name but never its value', async () => {
    const { deps, seen } = machine({});
    const secrets = { gemini: { GEMINI_API_KEY: 'planted-key-0123456789' } };
    const facts = await examine({ ...OPTIONS, secrets }, deps);
    assert.deepEqual(
      seen.contexts.map(({ launch }) => launch.env.GEMINI_API_KEY),
      [undefined, 'planted-key-0123456789'],
    );
    const signIn = facts.agents[1]?.signIn;
    assert.deepEqual(signIn?.type === 'gemini' && signIn.credentials.keys, ['GEMINI_API_KEY']);
    assert.doesNotMatch(JSON.stringify(facts), /planted/);
  });

  it('looks at an agent in both roles once, and at the others as such', async () => {
    const { deps } = machine({});
    const { agents } = await examine({ ...OPTIONS, reviewer: 'claude', others: ['claude', 'gemini'] }, deps);
    assert.deepEqual(
      agents.map(({ agent, chosen }) => [agent.id, chosen]),
      [
        ['claude', true],
        ['gemini', false],
      ],
    );
  });
});
