import fs from 'node:fs';
import path from 'node:path';
import type { AgentRef } from '../shared/agentEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import type { AgentLaunch, McpServer } from './agent.ts';
import { CATALOG, type CatalogEntry } from './catalogEntries.ts';
import { type CustomAgent, type CustomAgents, customAgentsSchema } from './customAgents.ts';
import { type FindContext, type FoundCommand, findCommand } from './findCommand.ts';
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
  /** What the person set for agents, their own among them. */
  readonly agents?: CustomAgents;
  /** The embedded agents' script, which stands beside the running bundle. */
  readonly demoAgents: string;
  /** Says what is missing. Absent: in English. */
  readonly t?: Translate;
}

/** The ids of the product's own agents, that `--executor`, `--reviewer` and the settings may name. */
export const AGENT_IDS: readonly string[] = [...CATALOG.keys()];

/** Validates the setting `cgloop.agents`. */
export const AGENTS_SETTING = customAgentsSchema((id) => CATALOG.get(id)?.protocol ?? null);

/** The ids of all agents, those of the person's own last. */
export function agentIds(agents: CustomAgents = {}): readonly string[] {
  return [...AGENT_IDS, ...Object.keys(agents).filter((id) => !CATALOG.has(id))];
}

/** An agent as the catalog or the person names it, its version still unknown; null for an id that neither knows. */
export function agentRef(id: string, agents: CustomAgents = {}): AgentRef | null {
  const custom = Object.hasOwn(agents, id) ? agents[id] : undefined;
  const known = CATALOG.get(id) ?? custom;
  if (known === undefined) return null;
  return { id, name: custom?.name ?? known.name ?? id, protocol: known.protocol, version: null };
}

/** The command that installs the catalog's agent `id`; null for one that needs none, or is not of the catalog. */
export function installCommand(id: string): string | null {
  const entry = CATALOG.get(id);
  return entry?.type === 'cli' ? entry.install : null;
}

/** The company that gets what the agent is given; empty: nobody outside this machine. Null: not known. */
export function companyOf(id: string): string | null {
  return CATALOG.get(id)?.company ?? null;
}

/** Which of the agents' programs are where `deps` looks. Those without a program of their own name are left out. */
export function installedAgents(ids: readonly string[], deps: ResolveDeps): ReadonlyMap<string, boolean> {
  const programs = ids.flatMap((id): [string, string][] => {
    const program = programOf(id, deps.agents);
    return program === null ? [] : [[id, program]];
  });
  return new Map(
    programs.map(([id, program]) => {
      const shared = CATALOG.get(id)?.type === 'cli' && program === 'gemini' ? deps.executablePaths.gemini : undefined;
      return [id, findCommand(program, deps, deps.executablePaths[id] ?? shared).type === 'found'];
    }),
  );
}

/** The name of the program of the agent `id`; null for one that has none of its own. */
export function programOf(id: string, agents: CustomAgents = {}): string | null {
  const entry = CATALOG.get(id);
  if (entry !== undefined) return entry.type === 'cli' ? entry.program : null;
  const command = Object.hasOwn(agents, id) ? agents[id]?.command : undefined;
  return command === undefined || isPath(command) ? null : command;
}

/** Finds the program of the agent `id`. Starts nothing. */
export function resolveAgent(id: string, deps: ResolveDeps): ResolvedAgent {
  const { agents = {}, t = english } = deps;
  const custom = Object.hasOwn(agents, id) ? agents[id] : undefined;
  const entry = CATALOG.get(id);
  const ref = agentRef(id, agents);
  if (ref === null) {
    const what = t('There is no agent "{0}".', id);
    return missing(null, what, t('Name one of: {0}.', agentIds(agents).join(', ')));
  }
  if (entry === undefined) return resolveCustom(ref, custom, deps);
  if (entry.type === 'demo') {
    if (deps.probe.read(deps.demoAgents) === null) {
      const what = t('{0} is missing: there is no {1}.', ref.name, deps.demoAgents);
      return missing(ref, what, t('Install this program again.'));
    }
    const { command, env } = deps.node;
    return { type: 'found', launch: { ref, command, args: [deps.demoAgents, ...entry.args], env, onlyReads: true } };
  }
  // The two Gemini agents are one program: a path that is set for one is good for both.
  const shared = entry.isGemini === true ? deps.executablePaths.gemini : undefined;
  const found = findCommand(entry.program, deps, deps.executablePaths[id] ?? shared);
  if (found.type === 'missing') {
    return missing(
      ref,
      notFound(ref, entry.program, found.lookedIn, t),
      t(
        'Install it with "{0}", or put its folder on PATH (in VS Code also: the setting cgloop.executablePaths).',
        entry.install,
      ),
    );
  }
  return { type: 'found', launch: launchOf(ref, found, entry, custom, deps) };
}

function resolveCustom(ref: AgentRef, custom: CustomAgent | undefined, deps: ResolveDeps): ResolvedAgent {
  const { t = english } = deps;
  const command = custom?.command;
  if (custom === undefined || command === undefined) {
    return missing(ref, t('{0} has no command.', ref.name), t('Give it one in the setting cgloop.agents.'));
  }
  const found = isPath(command) ? findCommand(ref.id, deps, command) : findCommand(command, deps);
  if (found.type === 'missing') {
    const what = notFound(ref, command, found.lookedIn, t);
    return missing(ref, what, t('Correct its command in the setting cgloop.agents.'));
  }
  const isGemini = /^gemini(\.\w+)?$/i.test(command.split(/[\\/]/).at(-1) ?? '');
  // Claude Code's wire comes with a list of tools, and Gemini CLI with its mode. Of other agents nothing is known.
  const onlyReads = isGemini || ref.protocol === 'claude-stream-json';
  const entry = { args: [], ...(isGemini ? { isGemini } : {}), ...(onlyReads ? { onlyReads } : {}) };
  return { type: 'found', launch: launchOf(ref, found, entry, custom, deps) };
}

/** The program with its arguments, what the person set on top of the catalog's. */
function launchOf(
  ref: AgentRef,
  found: Extract<FoundCommand, { readonly type: 'found' }>,
  entry: Pick<Extract<CatalogEntry, { readonly type: 'cli' }>, 'args' | 'oldArgs' | 'isGemini' | 'onlyReads'>,
  custom: CustomAgent | undefined,
  deps: ResolveDeps,
): AgentLaunch {
  const gemini = entry.isGemini === true ? deps.geminiEnv() : {};
  const mcpServers = Object.entries(custom?.mcpServers ?? {}).map(([name, server]): McpServer => ({ name, ...server }));
  const oldArgs = custom?.args === undefined ? entry.oldArgs : undefined;
  return {
    ref,
    command: found.command,
    args: [...found.args, ...(custom?.args ?? entry.args)],
    env: { ...found.env, ...gemini, ...custom?.env },
    ...(entry.onlyReads === true ? { onlyReads: true } : {}),
    ...(oldArgs === undefined ? {} : { oldArgs: [...found.args, ...oldArgs] }),
    ...(mcpServers.length === 0 ? {} : { mcpServers }),
  };
}

function notFound({ name }: AgentRef, program: string, lookedIn: readonly string[], t: Translate): string {
  return lookedIn.length === 0
    ? t('{0} was not found: no program "{1}" (PATH is empty).', name, program)
    : t('{0} was not found: no program "{1}" (looked in {2}).', name, program, shortened(lookedIn, t));
}

function isPath(command: string): boolean {
  return /[\\/]/.test(command);
}

const SHOWN_FOLDERS = 4;

/** The first of many folders: with the usual ones there are dozens. */
function shortened(folders: readonly string[], t: Translate): string {
  const shown = folders.slice(0, SHOWN_FOLDERS).join(', ');
  const others = folders.length - SHOWN_FOLDERS;
  return others > 0 ? t('{0} and {1} more of PATH', shown, others) : shown;
}

/** The dependencies of this machine and process. Programs are looked for on `PATH` only; see `resolveDepsFor`. */
export function resolveDeps(options: {
  readonly executablePaths: Readonly<Record<string, string>>;
  readonly stateFolder: string;
  readonly trusted: boolean;
  readonly agents?: CustomAgents;
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
    agents: options.agents ?? {},
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
