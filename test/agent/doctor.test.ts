import assert from 'node:assert/strict';
import { type AgentFacts, type DoctorFacts, diagnose } from '../../src/agent/doctor.ts';
import { type GeminiCredentials, geminiCredentials, geminiTrust } from '../../src/agent/doctorGemini.ts';
import type { DoctorLine } from '../../src/shared/doctor.ts';
import { english } from '../../src/shared/translate.ts';

const CLAUDE: AgentFacts = {
  agent: { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: '2.1.197' },
  chosen: true,
  program: { type: 'found', command: '/bin/claude' },
  start: { type: 'started' },
  signIn: { type: 'claude', status: { loggedIn: true, authMethod: 'api_key', apiKeySource: 'ANTHROPIC_API_KEY' } },
  signInCommand: 'claude auth login',
};
const WITH_KEY: GeminiCredentials = {
  keys: ['GEMINI_API_KEY'],
  selectedType: 'gemini-api-key',
  stored: false,
  project: false,
  baseUrl: false,
  settingsProblem: null,
};
const GEMINI: AgentFacts = {
  agent: { id: 'gemini', name: 'Gemini CLI', protocol: 'acp', version: '0.61.0' },
  chosen: true,
  program: { type: 'found', command: '/bin/gemini' },
  start: { type: 'started' },
  signIn: { type: 'gemini', credentials: WITH_KEY },
  signInCommand: 'gemini',
};
const FACTS: DoctorFacts = {
  agents: [CLAUDE, GEMINI],
  folder: '/project',
  trusted: true,
  geminiTrust: 'notSaid',
  git: '2.43.0',
};

const lineOf = (facts: Partial<DoctorFacts>, topic: DoctorLine['topic']): DoctorLine => {
  const lines = diagnose({ ...FACTS, ...facts }, english).sections.flatMap((section) => section.lines);
  const found = lines.find((line) => line.topic === topic);
  assert.ok(found, topic);
  return found;
};
const gemini = (facts: Partial<AgentFacts>, credentials: Partial<GeminiCredentials> = {}) =>
  lineOf(
    {
      agents: [{ ...GEMINI, signIn: { type: 'gemini', credentials: { ...WITH_KEY, ...credentials } }, ...facts }],
    },
    'signIn',
  );

describe('diagnose', () => {
  it('is ok with both agents found, tested, started and signed in, and says what it cannot know', () => {
    const report = diagnose(FACTS, english);
    assert.equal(report.ok, true);
    assert.deepEqual(
      report.sections.map(({ agent, lines }) => [agent, lines.map(({ topic, level }) => `${topic} ${level}`)]),
      [
        ['claude', ['program ok', 'version ok', 'start ok', 'signIn ok']],
        ['gemini', ['program ok', 'version ok', 'start ok', 'signIn ok', 'shown ok']],
        [null, ['trust ok', 'git ok']],
      ],
    );
    for (const facts of [CLAUDE, GEMINI])
      assert.match(lineOf({ agents: [facts] }, 'signIn').what, /shows in the first turn/);
  });

  it('says what is not shown of an agent because its wire does not carry it, from its fidelity record', () => {
    assert.equal(lineOf({}, 'shown').what, 'Sent in part: progress of tools, usage, questions.');
    const headless = { ...GEMINI.agent, id: 'gemini-headless', protocol: 'gemini-stream-json' } as const;
    assert.equal(
      lineOf({ agents: [{ ...GEMINI, agent: headless }] }, 'shown').what,
      'Not sent by this transport: thoughts, diffs, questions, its own commands. Sent in part: progress of tools, usage.',
    );
  });

  it('says where a missing program was looked for, and how to get it (case C47)', () => {
    const what = 'Claude Code was not found: no program "claude" (looked in /usr/bin, /bin).';
    const missing: AgentFacts = {
      ...CLAUDE,
      program: { type: 'missing', what, fix: 'cgloop.executablePaths', install: 'npm i -g @anthropic-ai/claude-code' },
      start: { type: 'notTried', why: 'missing' },
    };
    const line = lineOf({ agents: [missing] }, 'program');
    assert.deepEqual(
      [line.level, line.what, line.command, line.action],
      ['problem', what, 'npm i -g @anthropic-ai/claude-code', { type: 'install', agent: 'claude' }],
    );
    assert.equal(diagnose({ ...FACTS, agents: [missing] }, english).ok, false);
    assert.equal(diagnose({ ...FACTS, agents: [CLAUDE, { ...missing, chosen: false }] }, english).ok, true);
  });

  it('calls a version too old a problem and a known fault a warning, with the way out', () => {
    const at = (version: string) => lineOf({ agents: [{ ...CLAUDE, agent: { ...CLAUDE.agent, version } }] }, 'version');
    assert.equal(at('2.0.0').level, 'problem');
    assert.match(at('2.0.0').what, /2\.1\.41 is needed/);
    assert.equal(at('2.1.150').level, 'warning');
    assert.match(at('2.1.150').fix, /2\.1\.186 or later/);
    assert.match(at('2.2.0').what, /newer than 2\.1\.197/);
    assert.equal(at('2.2.0').level, 'ok');
  });

  it('tells a silent start with the sign-in command (case C36)', () => {
    const start = { type: 'failed', reason: 'startLimit', message: 'Gemini CLI did not start: no answer' } as const;
    const line = lineOf({ agents: [{ ...GEMINI, start }] }, 'start');
    assert.deepEqual(
      [line.level, line.command, line.action],
      ['problem', 'gemini', { type: 'signIn', agent: 'gemini' }],
    );
    assert.match(line.fix, /waiting there/);
  });

  it('does not blame the start when only the sign-in is missing, and shows the agent’s own words (case C06)', () => {
    const message = 'Gemini CLI answered with error -32000: Gemini API key is missing or not configured.';
    const facts = { start: { type: 'failed', reason: 'signIn', message } } as const;
    assert.equal(lineOf({ agents: [{ ...GEMINI, ...facts }] }, 'start').level, 'ok');
    const line = gemini(facts, { keys: [] });
    assert.deepEqual([line.level, line.what, line.action], ['problem', message, { type: 'setKey' }]);
    const claude = lineOf(
      { agents: [{ ...CLAUDE, signIn: { type: 'claude', status: { loggedIn: false } } }] },
      'signIn',
    );
    assert.deepEqual(
      [claude.level, claude.command, claude.action],
      ['problem', 'claude auth login', { type: 'signIn', agent: 'claude' }],
    );
  });

  it('names a personal Google login as the only credential, with its ways out', () => {
    const line = gemini({}, { keys: [], selectedType: 'oauth-personal', stored: true });
    assert.equal(line.level, 'warning');
    assert.match(line.what, /18 June 2026 .*personal accounts.*discussions\/28017/);
    for (const way of [/API key/, /Vertex AI/, /GOOGLE_CLOUD_PROJECT/, /another reviewer/]) assert.match(line.fix, way);
    const refused = { type: 'failed', reason: 'signIn', message: 'This client is no longer supported' } as const;
    assert.equal(
      gemini({ start: refused }, { keys: [], selectedType: 'oauth-personal', stored: true }).level,
      'problem',
    );
    const browser = { type: 'notTried', why: 'browser' } as const;
    const none = gemini({ start: browser }, { keys: [], selectedType: 'oauth-personal' });
    assert.equal(none.level, 'problem');
    assert.match(none.what, /no sign-in is stored/);
  });

  it('says that a key is not used while Gemini CLI is set to another way, and takes an organisation’s project', () => {
    assert.match(gemini({}, { selectedType: 'oauth-personal', stored: true }).what, /GEMINI_API_KEY is not used/);
    const licence = gemini({}, { keys: [], selectedType: 'oauth-personal', stored: true, project: true });
    assert.equal(licence.level, 'ok');
    assert.match(gemini({}, { keys: ['GOOGLE_API_KEY'], selectedType: 'vertex-ai' }).what, /Vertex AI/);
    assert.match(gemini({}, { keys: [], selectedType: null, baseUrl: true }).what, /GOOGLE_GEMINI_BASE_URL/);
  });

  it('has a warning, no problem, for an untrusted folder, and names Gemini CLI’s own record (case C34)', () => {
    const untrusted = lineOf({ trusted: false }, 'trust');
    assert.deepEqual([untrusted.level, untrusted.action], ['warning', { type: 'manageTrust' }]);
    const { sections } = diagnose({ ...FACTS, geminiTrust: 'notTrusted' }, english);
    assert.match(sections.at(-1)?.lines[1]?.what ?? '', /own record says not to trust/);
    assert.equal(diagnose({ ...FACTS, git: null }, english).ok, false);
  });
});

describe('Gemini CLI’s own files', () => {
  const disk = (files: Record<string, string>) => ({
    read: (file: string) => files[file] ?? null,
    real: (file: string) => file,
  });
  const settings = (text: string) =>
    geminiCredentials({}, '/home/me', disk({ '/home/me/.gemini/settings.json': text }));

  it('are read with comments, and a broken one is named', () => {
    const text =
      '{ // mine\n "security": { "auth": { /* "x" */ "selectedType": "oauth-personal" } }, "url": "http://x" }';
    assert.equal(settings(text).selectedType, 'oauth-personal');
    assert.equal(settings('{}').selectedType, null);
    assert.match(settings('{').settingsProblem ?? '', /settings\.json is not as it should be/);
    assert.equal(geminiCredentials({}, '/home/me', disk({})).settingsProblem, null);
  });

  it('lie below GEMINI_CLI_HOME where it is set, and empty variables count as unset', () => {
    const env = { GEMINI_CLI_HOME: '/other', GEMINI_API_KEY: '', GOOGLE_API_KEY: 'k', GOOGLE_CLOUD_PROJECT: 'p' };
    const files = { '/other/.gemini/oauth_creds.json': '{}' };
    const { keys, stored, project } = geminiCredentials(env, '/home/me', disk(files));
    assert.deepEqual([keys, stored, project], [['GOOGLE_API_KEY'], true, true]);
  });

  it('say of a folder what the longest entry that holds it says', () => {
    const rules = JSON.stringify({
      '/projects': 'TRUST_FOLDER',
      '/projects/bad': 'DO_NOT_TRUST',
      '/home/me/a/b': 'TRUST_PARENT',
    });
    const at = (folder: string) =>
      geminiTrust(folder, {}, '/home/me', disk({ '/home/me/.gemini/trustedFolders.json': rules }));
    assert.equal(at('/projects/project'), 'trusted');
    assert.equal(at('/projects/bad/deep'), 'notTrusted');
    assert.equal(at('/home/me/a/c'), 'trusted');
    assert.equal(at('/projectsX'), 'notSaid');
  });
});
