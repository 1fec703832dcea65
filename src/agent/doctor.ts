import type { AgentRef } from '../shared/agentEvents.ts';
import type { DoctorAction, DoctorLevel, DoctorLine, DoctorReport, DoctorSection } from '../shared/doctor.ts';
import type { Translate } from '../shared/translate.ts';
import type { AgentStartError } from './agent.ts';
import type { GeminiCredentials } from './doctorGemini.ts';
import { notShown } from './doctorShown.ts';
import { judgeVersion } from './versions.ts';

/** What was found out about one agent; `doctorProbe` gathers it. */
export interface AgentFacts {
  /** With the version that the program told; null: it told none. */
  readonly agent: AgentRef;
  /** Takes a role. What is wrong with another agent is a warning at most. */
  readonly chosen: boolean;
  readonly program:
    | { readonly type: 'found'; readonly command: string }
    /** `install`: the command that gets it; null for one that nobody can install by a command. */
    | { readonly type: 'missing'; readonly what: string; readonly fix: string; readonly install: string | null };
  readonly start:
    | { readonly type: 'started' }
    | { readonly type: 'failed'; readonly reason: AgentStartError['reason']; readonly message: string }
    /** `browser`: its start would have opened a browser for a sign-in. */
    | { readonly type: 'notTried'; readonly why: 'missing' | 'untrusted' | 'browser' };
  readonly signIn:
    | { readonly type: 'claude'; readonly status: ClaudeAuth | null }
    | { readonly type: 'gemini'; readonly credentials: GeminiCredentials }
    | { readonly type: 'untold' };
  /** The command that signs in; null where the catalog knows none. */
  readonly signInCommand: string | null;
}

/** What `claude auth status` prints as JSON (00-auth-status-with-key, 00-auth-status-without). */
export interface ClaudeAuth {
  readonly loggedIn: boolean;
  readonly authMethod?: string | undefined;
  readonly apiProvider?: string | undefined;
  readonly apiKeySource?: string | undefined;
}

/** What was found out. */
export interface DoctorFacts {
  readonly agents: readonly AgentFacts[];
  readonly folder: string;
  /** Whether runs trust the folder. */
  readonly trusted: boolean;
  /** How the folder stands in Gemini CLI's own record; null when it was not looked up. */
  readonly geminiTrust: 'trusted' | 'notTrusted' | 'notSaid' | null;
  /** The version of git; null when there is none. */
  readonly git: string | null;
}

/** What stands between the person and a run. Pure: `t` gives the words. */
export function diagnose(facts: DoctorFacts, t: Translate): DoctorReport {
  const sections = [...facts.agents.map((agent) => agentSection(agent, t)), folderSection(facts, t)];
  const ok = sections.every(({ lines }) => lines.every(({ level }) => level !== 'problem'));
  return { ok, sections };
}

/** Only what is missing; ok when nothing is. */
export function diagnoseMissing(agents: readonly AgentFacts[], t: Translate): DoctorReport {
  return { ok: agents.length === 0, sections: agents.map((agent) => agentSection(agent, t)) };
}

function agentSection(facts: AgentFacts, t: Translate): DoctorSection {
  const { agent, chosen, program } = facts;
  const lines = [programLine(facts, t)];
  if (program.type === 'found') {
    lines.push(versionLine(facts, t), startLine(facts, t), signInLine(facts, t));
    const shown = notShown(agent, t);
    if (shown !== null) lines.push(good('shown', shown));
  }
  return { agent: agent.id, title: agent.name, lines: lines.map((line) => (chosen ? line : asWarning(line))) };
}

function asWarning(line: DoctorLine): DoctorLine {
  return line.level === 'problem' ? { ...line, level: 'warning' } : line;
}

function programLine({ agent, program }: AgentFacts, t: Translate): DoctorLine {
  if (program.type === 'found') return good('program', t('Found: {0}', program.command));
  const { what, fix, install } = program;
  const action: DoctorAction = install === null ? { type: 'openSettings' } : { type: 'install', agent: agent.id };
  return line('program', 'problem', what, fix, install, action);
}

function versionLine({ agent }: AgentFacts, t: Translate): DoctorLine {
  const { version } = agent;
  const judgement = judgeVersion(agent.id, version);
  switch (judgement.type) {
    case 'tested':
      return good('version', t('Version {0}, the one that this program is tested with', version ?? ''));
    case 'untested': {
      const words = judgement.newer
        ? t('Version {0}, newer than {1}, which this program is tested with', version ?? '', judgement.tested)
        : t('Version {0}, older than {1}, which this program is tested with', version ?? '', judgement.tested);
      return good('version', words);
    }
    case 'tooOld': {
      const what = t('Version {0} is too old: {1} is needed ({2}).', version ?? '', judgement.minimum, judgement.why);
      return line('version', 'problem', what, t('Update it.'), null, { type: 'install', agent: agent.id });
    }
    case 'bad': {
      const what = t('Version {0} has known faults: {1}.', version ?? '', judgement.why);
      const fix = t('Update it to {0} or later.', judgement.fixedIn);
      return line('version', 'warning', what, fix, null, { type: 'install', agent: agent.id });
    }
    case 'unknown':
      return version === null
        ? line('version', 'warning', t('It told no version.'), '', null, null)
        : good('version', t('Version {0}', version));
    default:
      return judgement satisfies never;
  }
}

function startLine({ agent, start, signInCommand }: AgentFacts, t: Translate): DoctorLine {
  switch (start.type) {
    case 'started':
      return good('start', t('It starts and answers'));
    case 'notTried':
      if (start.why === 'browser')
        return line('start', 'warning', t('Not started: it would open a browser to sign in.'), '', null, null);
      return line('start', 'warning', t('Not started: this workspace is not trusted.'), '', null, {
        type: 'manageTrust',
      });
    case 'failed': {
      // A process that asks for a sign-in has come up; the line about the sign-in says the rest.
      if (start.reason === 'signIn') return good('start', t('It starts and answers'));
      // Case C36: a program that waits for a browser or a key chain says nothing at all.
      const silent = start.reason === 'startLimit';
      const fix = silent
        ? t('Start it once in a terminal: it may be waiting there, such as for a sign-in.')
        : t('Start it in a terminal to see what is wrong with it.');
      const action: DoctorAction | null = silent ? { type: 'signIn', agent: agent.id } : null;
      return line('start', 'problem', start.message, fix, silent ? signInCommand : null, action);
    }
    default:
      return start satisfies never;
  }
}

function signInLine(facts: AgentFacts, t: Translate): DoctorLine {
  const { signIn } = facts;
  switch (signIn.type) {
    case 'claude':
      return claudeLine(facts, signIn.status, t);
    case 'gemini':
      return geminiLine(facts, signIn.credentials, t);
    case 'untold':
      return untoldLine(facts, t);
    default:
      return signIn satisfies never;
  }
}

function claudeLine(facts: AgentFacts, status: ClaudeAuth | null, t: Translate): DoctorLine {
  if (status === null) return untoldLine(facts, t);
  const { loggedIn, authMethod, apiProvider, apiKeySource } = status;
  if (apiProvider !== undefined && apiProvider !== 'firstParty') {
    return good('signIn', t('It works through {0}. Whether that lets it in shows in the first turn.', apiProvider));
  }
  if (!loggedIn) return signedOut(facts, t('It is not signed in.'), t('Sign in, or set ANTHROPIC_API_KEY.'));
  const how = apiKeySource ?? authMethod ?? t('by its own account');
  return good('signIn', t('Signed in ({0}). Whether that is accepted shows in the first turn.', how));
}

function geminiLine(facts: AgentFacts, credentials: GeminiCredentials, t: Translate): DoctorLine {
  const { start } = facts;
  const { keys, selectedType, project, baseUrl, settingsProblem } = credentials;
  const problem = start.type === 'failed' && start.reason === 'signIn' ? start.message : null;
  if (settingsProblem !== null) {
    const what = t('The settings of Gemini CLI cannot be read: {0}', settingsProblem);
    return line('signIn', 'problem', what, t('Correct the file.'), null, null);
  }
  if (selectedType === PERSONAL && !project) return personalLine(facts, credentials, t);
  const fix = t('Set a Gemini API key (aistudio.google.com/apikey), or choose another way in Gemini CLI with /auth.');
  if (problem !== null) return { ...signedOut(facts, problem, fix), action: { type: 'setKey' } };
  const [key] = keys;
  if (selectedType === 'vertex-ai') {
    return good('signIn', t('It works through {0}. Whether that lets it in shows in the first turn.', 'Vertex AI'));
  }
  if (key !== undefined) {
    return good('signIn', t('Key from {0}. Whether it is accepted shows in the first turn.', key));
  }
  if (start.type === 'started') {
    const words = baseUrl
      ? t('It opens a session without a key, for the server in GOOGLE_GEMINI_BASE_URL')
      : t('It opens a session');
    return good('signIn', words);
  }
  const untold = t('No key was found, and without a start it cannot be told whether it is signed in.');
  return line('signIn', 'warning', untold, fix, null, { type: 'setKey' });
}

/** What Gemini CLI's settings call "Sign in with Google". */
const PERSONAL = 'oauth-personal';

/**
 * A Google account without a project of an organisation. Google has stopped serving these: "Gemini CLI will stop serving
 * requests for Google AI Pro, Google AI Ultra, and free tier individual accounts", while "Enterprise users with Gemini
 * Code Assist licenses and API key authentication remain completely unaffected"
 * (github.com/google-gemini/gemini-cli/discussions/28017, 18 June 2026).
 */
function personalLine(facts: AgentFacts, { keys, stored }: GeminiCredentials, t: Translate): DoctorLine {
  const [key] = keys;
  const what = [
    stored
      ? t('Gemini CLI is set to sign in with a Google account.')
      : t('Gemini CLI is set to sign in with a Google account, and no sign-in is stored.'),
    t(
      'Since 18 June 2026 Google no longer serves Gemini CLI to personal accounts, free or paid; API keys, Vertex AI and the Gemini Code Assist licences of organisations go on (github.com/google-gemini/gemini-cli/discussions/28017).',
    ),
    ...(key === undefined ? [] : [t('The key from {0} is not used while that setting stands.', key)]),
  ].join(' ');
  const fix = t(
    'Run "gemini", type /auth, and choose the API key or Vertex AI; with a licence of your organisation set GOOGLE_CLOUD_PROJECT; or choose another reviewer.',
  );
  // A session that came up may still be an organisation's, whose project stands somewhere that we do not read.
  const level: DoctorLevel = facts.start.type === 'started' ? 'warning' : 'problem';
  return { ...signedOut(facts, what, fix), level };
}

function untoldLine(facts: AgentFacts, t: Translate): DoctorLine {
  const { start, signInCommand } = facts;
  if (start.type === 'started') return good('signIn', t('It opens a session; a wrong key shows in the first turn'));
  if (start.type === 'failed' && start.reason === 'signIn') return signedOut(facts, start.message, t('Sign in once.'));
  const what = t('Whether it is signed in could not be found out.');
  return line('signIn', 'warning', what, '', signInCommand, null);
}

function signedOut({ agent, signInCommand }: AgentFacts, what: string, fix: string): DoctorLine {
  return line('signIn', 'problem', what, fix, signInCommand, { type: 'signIn', agent: agent.id });
}

function folderSection({ agents, folder, trusted, geminiTrust, git }: DoctorFacts, t: Translate): DoctorSection {
  // Case C34: Gemini CLI keeps a record of its own; a run says by itself whether the folder is trusted.
  const hasGemini = agents.some(({ signIn }) => signIn.type === 'gemini');
  const record =
    hasGemini && geminiTrust === 'notTrusted'
      ? [
          line(
            'trust',
            'warning',
            t(
              'Gemini CLI’s own record says not to trust this folder. It counts when you start Gemini CLI yourself; a run says it anew.',
            ),
            t('Change it with /permissions in Gemini CLI.'),
            null,
            null,
          ),
        ]
      : [];
  const trust = trusted
    ? good('trust', t('Trusted: the hooks, instructions and servers that lie in the folder are used'))
    : line(
        'trust',
        'warning',
        t('Not trusted: the hooks, instructions and servers that lie in the folder are not used.'),
        t('Trust it only if you know where it comes from.'),
        null,
        { type: 'manageTrust' },
      );
  const gitLine =
    git !== null
      ? good('git', t('git {0}', git))
      : line(
          'git',
          'problem',
          t('git was not found. It keeps the checkpoints that let a run be undone.'),
          t('Install it from https://git-scm.com/downloads.'),
          null,
          null,
        );
  return { agent: null, title: t('Folder {0}', folder), lines: [trust, ...record, gitLine] };
}

function good(topic: DoctorLine['topic'], what: string): DoctorLine {
  return line(topic, 'ok', what, '', null, null);
}

function line(
  topic: DoctorLine['topic'],
  level: DoctorLevel,
  what: string,
  fix: string,
  command: string | null,
  action: DoctorAction | null,
): DoctorLine {
  return { topic, level, what, fix, command, action };
}
