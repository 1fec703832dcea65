import fs from 'node:fs';
import path from 'node:path';
import type { AgentRef } from '../shared/events.ts';
import type { AgentLaunch } from './agent.ts';
import { type FindContext, findCommand } from './findCommand.ts';
import { geminiEnv } from './geminiEnv.ts';

/** Why an agent cannot take its role, for people: what is wrong and the way out. */
export interface AgentProblem {
  readonly agent: AgentRef | null;
  readonly what: string;
  readonly fix: string;
}

export type ResolvedAgent =
  | { readonly type: 'found'; readonly launch: AgentLaunch }
  | { readonly type: 'missing'; readonly problem: AgentProblem };

/** What finding the agents' programs depends on; `resolveDeps` gives the one of this machine. */
export interface ResolveDeps extends FindContext {
  /** Catalog id → absolute program path set by the person. */
  readonly executablePaths: Readonly<Record<string, string>>;
  /** Variables for Gemini CLI; writes its settings file, so it is asked only when Gemini was found. */
  readonly geminiEnv: () => Readonly<Record<string, string>>;
  /** The embedded agents' script, which stands beside the running bundle. */
  readonly demoAgents: string;
}

type Entry = { readonly name: string; readonly protocol: AgentRef['protocol'] } & (
  | { readonly type: 'cli'; readonly program: string; readonly args: readonly string[]; readonly install: string }
  | { readonly type: 'demo'; readonly args: readonly string[] }
);

const ENTRIES: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  [
    'claude',
    {
      type: 'cli',
      name: 'Claude Code',
      protocol: 'claude-stream-json',
      program: 'claude',
      args: [],
      install: 'npm i -g @anthropic-ai/claude-code',
    },
  ],
  [
    'gemini',
    {
      type: 'cli',
      name: 'Gemini CLI',
      protocol: 'acp',
      program: 'gemini',
      args: ['--acp'],
      install: 'npm i -g @google/gemini-cli',
    },
  ],
  ['demo-executor', { type: 'demo', name: 'Demo Executor', protocol: 'claude-stream-json', args: ['executor'] }],
  ['demo-reviewer', { type: 'demo', name: 'Demo Reviewer', protocol: 'acp', args: ['reviewer'] }],
]);

/** The ids that `--executor`, `--reviewer` and the settings may name. */
export const AGENT_IDS: readonly string[] = [...ENTRIES.keys()];

/** An agent as the catalog knows it, its version still unknown; null for an id that the catalog does not hold. */
export function agentRef(id: string): AgentRef | null {
  const entry = ENTRIES.get(id);
  return entry === undefined ? null : { id, name: entry.name, protocol: entry.protocol, version: null };
}

/** The command that installs the catalog's agent `id`; null for one that needs none. */
export function installCommand(id: string): string | null {
  const entry = ENTRIES.get(id);
  return entry?.type === 'cli' ? entry.install : null;
}

/** The name of the program of the catalog's agent `id`; null for one that has none of its own. */
export function programOf(id: string): string | null {
  const entry = ENTRIES.get(id);
  return entry?.type === 'cli' ? entry.program : null;
}

/** Finds the program of the catalog's agent `id`. Starts nothing. */
export function resolveAgent(id: string, deps: ResolveDeps): ResolvedAgent {
  const entry = ENTRIES.get(id);
  const ref = agentRef(id);
  if (entry === undefined || ref === null) {
    const what = `There is no agent "${id}".`;
    return missing(null, what, `Name one of: ${AGENT_IDS.join(', ')}.`);
  }
  if (entry.type === 'demo') {
    if (deps.probe.read(deps.demoAgents) === null) {
      return missing(ref, `${ref.name} is missing: there is no ${deps.demoAgents}.`, 'Install this program again.');
    }
    const { command, env } = deps.node;
    return { type: 'found', launch: { ref, command, args: [deps.demoAgents, ...entry.args], env } };
  }
  const found = findCommand(entry.program, deps, deps.executablePaths[id]);
  if (found.type === 'missing') {
    const where = found.lookedIn.length === 0 ? 'PATH is empty' : `looked in ${shortened(found.lookedIn)}`;
    return missing(
      ref,
      `${ref.name} was not found: no program "${entry.program}" (${where}).`,
      `Install it with "${entry.install}", or put its folder on PATH (in VS Code also: the setting cgloop.executablePaths).`,
    );
  }
  const env = id === 'gemini' ? { ...found.env, ...deps.geminiEnv() } : found.env;
  return { type: 'found', launch: { ref, command: found.command, args: [...found.args, ...entry.args], env } };
}

/** The first of many folders: with the usual ones there are dozens. */
function shortened(folders: readonly string[]): string {
  const shown = folders.slice(0, 12).join(', ');
  return folders.length > 12 ? `${shown} and ${folders.length - 12} more folders` : shown;
}

/** The dependencies of this machine and process. Programs are looked for on `PATH` only; see `resolveDepsFor`. */
export function resolveDeps(options: {
  readonly executablePaths: Readonly<Record<string, string>>;
  readonly stateFolder: string;
  readonly trusted: boolean;
}): ResolveDeps {
  const inElectron = process.versions.electron !== undefined;
  // From source, as in our own tests, the bundle is the one that was built into the project's folder.
  const dist = typeof __dirname === 'undefined' ? path.resolve('dist') : __dirname;
  return {
    env: process.env,
    platform: process.platform,
    probe: { isProgram, read },
    // Case C46: the editor's binary opens an editor unless it is told to be Node.
    node: { command: process.execPath, env: inElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {} },
    executablePaths: options.executablePaths,
    geminiEnv: () => geminiEnv(options.stateFolder, options.trusted, process.env, process.platform),
    demoAgents: path.join(dist, 'demo-agents.cjs'),
  };
}

function missing(agent: AgentRef | null, what: string, fix: string): ResolvedAgent {
  return { type: 'missing', problem: { agent, what, fix } };
}

function isProgram(file: string): boolean {
  try {
    if (!fs.statSync(file).isFile()) return false;
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function read(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
