import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ResolveDeps } from '../agent/catalog.ts';
import { resumeStart, type TerminalStart } from '../agent/terminalCommand.ts';
import { resolveDepsFor } from '../agent/wideSearch.ts';
import { createEventLog } from '../session/eventLog.ts';
import { lastSessionOf } from '../session/lastSession.ts';
import { openLogFile } from '../session/logFile.ts';
import { PRODUCT } from '../session/product.ts';
import { readRun, runHeaderOf } from '../session/replay.ts';
import type { AgentRef, Role } from '../shared/agentEvents.ts';
import type { LoopEventBody } from '../shared/events.ts';
import { english, type Translate } from '../shared/translate.ts';
import { placeGone } from './endedRun.ts';

/** The agent's own interface on the session of a run, ready to be started by the one who has the terminal. */
export interface Continuation {
  readonly agent: AgentRef;
  readonly role: Role;
  /** Absolute; the session lives here. */
  readonly folder: string;
  readonly sessionId: string;
  readonly start: Extract<TerminalStart, { readonly type: 'found' }>;
}

export type ContinueResult =
  | { readonly type: 'ready'; readonly continuation: Continuation }
  /** What is in the way and the way out. */
  | { readonly type: 'problem'; readonly message: string };

export interface ContinueOptions {
  /** The run's folder on disk. */
  readonly directory: string;
  readonly role: Role;
  readonly stateFolder: string;
  /** Catalog id → absolute program path set by the person. */
  readonly executablePaths: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Says what is in the way. Absent: in English. */
  readonly t?: Translate;
}

/** How the person goes on with the session of a role. A run under way has its process on it, so it must end first. */
export async function prepareContinue(options: ContinueOptions): Promise<ContinueResult> {
  const { directory, role, stateFolder, executablePaths, secrets, t = english } = options;
  const { events, state } = await readRun(directory);
  if (state === 'running') return problem(t('The run is under way, and its agent is in the session: stop it first.'));
  const last = lastSessionOf(events, role);
  if (last === null) return problem(t('The log of the run tells no session of this agent: it never began a turn.'));
  const { agent, sessionId, folder } = last;
  if (!existsSync(folder)) {
    return problem(placeGone(path.basename(directory), folder, runHeaderOf(events) ?? {}, events, t));
  }
  const deps = await resolveDepsFor([agent.id], { executablePaths, stateFolder, trusted: true });
  const start = resumeStart(agent.id, sessionId, deps);
  if (start.type === 'missing') return problem(t('{0} cannot go on in a terminal. {1}', agent.name, start.what));
  const env = { ...start.env, ...ownSettings(agent, deps), ...secrets[agent.id] };
  return { type: 'ready', continuation: { agent, role, folder, sessionId, start: { ...start, env } } };
}

/** Notes in the run's log that the session went to the person, or came back. A run that is written elsewhere stays as it is. */
export async function noteHandover(directory: string, body: LoopEventBody): Promise<void> {
  const { events, state, readOnly } = await readRun(directory);
  if (state === 'running' || readOnly) return;
  const log = createEventLog({ now: Date.now, past: events });
  const file = await openLogFile({ directory, product: PRODUCT, onProblem: () => {} });
  file.append(log.append(body));
  await file.close();
}

/** Without our settings the next start of Gemini CLI may delete the history that it is to go on with (sj-09b-files). */
function ownSettings(agent: AgentRef, deps: ResolveDeps): Readonly<Record<string, string>> {
  if (agent.id !== 'gemini' && agent.id !== 'gemini-headless') return {};
  const { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: file } = deps.geminiEnv();
  return file === undefined ? {} : { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: file };
}

function problem(message: string): ContinueResult {
  return { type: 'problem', message };
}
