import * as z from 'zod';
import { parseWire } from '../protocol/parseWire.ts';
import type { Role } from '../shared/agentEvents.ts';
import { errorText } from '../shared/errors.ts';
import { childEnv } from '../transport/childEnv.ts';
import { runProgram } from '../transport/childProcess.ts';
import { type AgentContext, type AgentLaunch, AgentStartError } from './agent.ts';
import { type AgentProblem, agentRef, installCommand, type ResolveDeps, resolveAgent } from './catalog.ts';
import { programVersion } from './claudeStart.ts';
import { createAgent } from './createAgent.ts';
import type { AgentFacts, ClaudeAuth, DoctorFacts } from './doctor.ts';
import { type GeminiCredentials, type GeminiDisk, geminiCredentials, geminiTrust } from './doctorGemini.ts';
import { type FindContext, findCommand } from './findCommand.ts';
import { signInCommand } from './terminalCommand.ts';

/** What is to be looked at. */
export interface DoctorOptions {
  /** Catalog ids of the two that take the roles. */
  readonly executor: string;
  readonly reviewer: string;
  /** Further catalog ids. */
  readonly others: readonly string[];
  /** Absolute, links resolved: agents are started here, as a run would start them. */
  readonly folder: string;
  readonly trusted: boolean;
  /** False: programs are looked for and nothing is started. */
  readonly mayStart: boolean;
  /** Catalog id → variables that only this agent is given, such as keys. Their values are not told. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What the doctor works with; `doctorDeps` gives the machine's own. */
export interface DoctorDeps {
  readonly resolve: ResolveDeps;
  readonly disk: GeminiDisk;
  readonly home: string;
  readonly createAgent: typeof createAgent;
  readonly version: typeof programVersion;
  readonly claudeAuth: typeof claudeAuth;
  readonly gitVersion: typeof gitVersion;
}

/** The machine's own. */
export function doctorDeps(resolve: ResolveDeps, home: string, real: (file: string) => string): DoctorDeps {
  const disk: GeminiDisk = { read: resolve.probe.read, real };
  return { resolve, disk, home, createAgent, version: programVersion, claudeAuth, gitVersion };
}

/** Looks at everything at the same time. Starts each agent once, without a turn, and ends it. Never rejects. */
export async function examine(options: DoctorOptions, deps: DoctorDeps): Promise<DoctorFacts> {
  const { executor, reviewer, others, folder, trusted } = options;
  const ids = [...new Set([executor, reviewer, ...others])];
  const [git, ...agents] = await Promise.all([
    deps.gitVersion(folder, deps.resolve),
    ...ids.map((id) => examineAgent(id, options, deps)),
  ]);
  const hasGemini = agents.some(({ signIn }) => signIn.type === 'gemini');
  const record = hasGemini ? geminiTrust(folder, deps.resolve.env, deps.home, deps.disk) : null;
  return { agents, folder, trusted, geminiTrust: record, git };
}

async function examineAgent(id: string, options: DoctorOptions, deps: DoctorDeps): Promise<AgentFacts> {
  const chosen = id === options.executor || id === options.reviewer;
  const role: Role = id === options.executor ? 'execute' : 'review';
  const resolved = resolveAgent(id, deps.resolve);
  const known = agentRef(id, deps.resolve.agents) ?? { id, name: id, protocol: 'acp', version: null };
  const base = { agent: known, chosen, signInCommand: signInCommand(id) };
  if (resolved.type === 'missing') return missingFacts(id, chosen, resolved.problem, deps.resolve);
  const launch = { ...resolved.launch, env: { ...resolved.launch.env, ...options.secrets[id] } };
  const env = childEnv(deps.resolve.env, launch.env);
  const program = { type: 'found', command: [launch.command, ...scriptOf(launch)].join(' ') } as const;
  const gemini = isGemini(id) ? geminiCredentials(env, deps.home, deps.disk) : null;
  const wouldAsk = gemini !== null && opensBrowser(gemini);
  const signIn = async (): Promise<AgentFacts['signIn']> => {
    if (gemini !== null) return { type: 'gemini', credentials: gemini };
    if (id !== 'claude' || !options.mayStart) return { type: 'untold' };
    return { type: 'claude', status: await deps.claudeAuth(launch, options.folder, env) };
  };
  if (!options.mayStart || wouldAsk) {
    const start = { type: 'notTried', why: options.mayStart ? 'browser' : 'untrusted' } as const;
    return { ...base, program, start, signIn: await signIn() };
  }
  const [started, told] = await Promise.all([startOnce(launch, role, options, deps), signIn()]);
  // What did not come up does not tell its version, and that may be the reason; Claude Code tells it in turns only.
  const version =
    started.version ??
    (TELLS_VERSION.has(id) ? await deps.version(launch, options.folder, env, new AbortController().signal) : null);
  return { ...base, agent: { ...known, version }, program, start: started.start, signIn: told };
}

/** Which of these agents' programs are missing. Starts nothing. */
export function missingAgents(ids: readonly string[], deps: ResolveDeps): readonly AgentFacts[] {
  return [...new Set(ids)].flatMap((id) => {
    const resolved = resolveAgent(id, deps);
    return resolved.type === 'missing' ? [missingFacts(id, true, resolved.problem, deps)] : [];
  });
}

function missingFacts(id: string, chosen: boolean, { what, fix }: AgentProblem, deps: ResolveDeps): AgentFacts {
  return {
    agent: agentRef(id, deps.agents) ?? { id, name: id, protocol: 'acp', version: null },
    chosen,
    signInCommand: signInCommand(id),
    program: { type: 'missing', what, fix, install: installCommand(id) },
    start: { type: 'notTried', why: 'missing' },
    signIn: { type: 'untold' },
  };
}

/** Programs that print their version and end, given `--version`. */
const TELLS_VERSION = new Set(['claude', 'gemini', 'gemini-headless']);

function isGemini(id: string): boolean {
  return id === 'gemini' || id === 'gemini-headless';
}

/** Its start would sign in with Google in a browser, and over ACP even on our wire: there is nothing stored yet. */
function opensBrowser({ selectedType, stored }: GeminiCredentials): boolean {
  return selectedType === 'oauth-personal' && !stored;
}

/** The script, where the program is Node. */
function scriptOf({ args }: AgentLaunch): readonly string[] {
  return args.filter((arg) => /\.[cm]?js$/i.test(arg)).slice(0, 1);
}

async function startOnce(
  launch: AgentLaunch,
  role: Role,
  { folder, trusted }: DoctorOptions,
  deps: DoctorDeps,
): Promise<{ readonly start: AgentFacts['start']; readonly version: string | null }> {
  const context: AgentContext = {
    launch,
    role,
    folder,
    mode: 'read-only',
    trusted,
    model: null,
    permissions: { request: async () => ({ outcome: 'cancelled' }) },
    emit: () => {},
  };
  const agent = deps.createAgent(context);
  try {
    const { ref } = await agent.ready();
    return { start: { type: 'started' }, version: ref.version };
  } catch (error) {
    const reason = error instanceof AgentStartError ? error.reason : 'agentError';
    const message = errorText(error);
    return { start: { type: 'failed', reason, message }, version: null };
  } finally {
    await agent.dispose();
  }
}

const claudeAuthSchema = z.looseObject({
  loggedIn: z.boolean(),
  authMethod: z.string().optional(),
  apiProvider: z.string().optional(),
  apiKeySource: z.string().optional(),
});

/** Asks `claude auth status`, which makes no turn; null when its answer cannot be read. */
export async function claudeAuth(
  launch: AgentLaunch,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<ClaudeAuth | null> {
  const args = [...launch.args, 'auth', 'status'];
  const { stdout } = await runProgram({ command: launch.command, args, cwd, env, timeoutMs: 15_000 });
  let told: unknown;
  try {
    told = JSON.parse(stdout.toString('utf8'));
  } catch {
    return null;
  }
  const parsed = parseWire(claudeAuthSchema, null, told);
  return parsed.type === 'known' ? parsed.value : null;
}

/** The version of git on the `PATH`; null when there is none. */
export async function gitVersion(cwd: string, context: FindContext): Promise<string | null> {
  const found = findCommand('git', context);
  if (found.type === 'missing') return null;
  const { command, args } = found;
  const env = childEnv(context.env, found.env);
  const { exit, stdout } = await runProgram({ command, args: [...args, '--version'], cwd, env, timeoutMs: 10_000 });
  return exit.code === 0 ? (/\d+(?:\.\d+)+/.exec(stdout.toString('utf8'))?.[0] ?? null) : null;
}
