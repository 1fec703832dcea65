import {
  authenticate,
  closeSession,
  type InitializeResult,
  loadSession,
  type McpServerParams,
  newSession,
  resumeSession,
} from '../protocol/acpRequests.ts';
import { RPC_ERROR } from '../protocol/jsonrpc.ts';
import { isWireObject } from '../protocol/parseWire.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import type { Connection } from '../transport/connection.ts';
import { PeerError } from '../transport/rpcErrors.ts';
import { openWithServers, serversFor } from './acpMcp.ts';
import type { SessionState } from './acpOptions.ts';
import { failureOf } from './acpOutcome.ts';
import { signInHint, signInQuestion } from './acpSignIn.ts';
import type { AgentContext, HistoryEntry } from './agent.ts';
import type { Quirks } from './quirks.ts';

/** What the opening of a session needs beside the connection. */
export interface SessionParts {
  readonly context: AgentContext;
  readonly info: InitializeResult;
  readonly quirks: Quirks;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly after: (ms: number, callback: () => void) => () => void;
  /** For a server of the Model Context Protocol to start. */
  readonly mcpMs: number;
  /** Something that the person should know; the start goes on. */
  readonly warn: (text: string) => void;
  /** Runs what waits for a person: that time does not count. */
  readonly unhurried: <T>(work: () => Promise<T>) => Promise<T>;
  /** The session of this id is the one from now on, and what it tells is history until the result is asked for. */
  readonly replay: (sessionId: string) => (loaded: boolean) => Promise<readonly HistoryEntry[]>;
}

/** A session that is open. `wire` is the agent's answer. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly wire: WireObject;
  readonly history: readonly HistoryEntry[] | null;
}

/**
 * Opens the session in the run's folder: the earlier one where one is to go on, else a new one. Only when the agent asks
 * for a sign-in, the person is asked; after it there is one more try (case C06).
 */
export async function openSession(connection: Connection, parts: SessionParts): Promise<OpenedSession> {
  const open = async (): Promise<OpenedSession> =>
    (await takeUp(connection, parts)) ?? (await begin(connection, parts));
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof PeerError) || error.code !== RPC_ERROR.authRequired) throw error;
    if (!(await signIn(connection, parts, error))) throw error;
    return open();
  }
}

async function begin(connection: Connection, parts: SessionParts): Promise<OpenedSession> {
  const { value, wire } = await withServers(connection, parts, async (mcpServers, unwanted) => {
    const answer = await connection.request(newSession, { cwd: parts.context.folder, mcpServers }, unwanted);
    if (unwanted.aborted) closeUnused(connection, parts, answer.value.sessionId);
    return answer;
  });
  return { sessionId: value.sessionId, state: value, wire: objectOf(wire), history: null };
}

/** The earlier session; null when there is none to go on with, or it cannot go on. */
async function takeUp(connection: Connection, parts: SessionParts): Promise<OpenedSession | null> {
  const { context, info, warn } = parts;
  const { resume, folder, launch } = context;
  if (resume === undefined) return null;
  const { sessionId } = resume;
  const capabilities = info.agentCapabilities;
  const way = capabilities?.sessionCapabilities?.resume != null ? resumeSession : loadSession;
  if (way === loadSession && capabilities?.loadSession !== true) {
    warn(`${launch.ref.name} cannot go on with an earlier session: a new one is begun, which knows nothing of it.`);
    return null;
  }
  const history = parts.replay(sessionId);
  try {
    const { value, wire } = await withServers(connection, parts, (mcpServers, unwanted) =>
      connection.request(way, { sessionId, cwd: folder, mcpServers }, unwanted),
    );
    return { sessionId, state: value ?? {}, wire: objectOf(wire), history: await history(true) };
  } catch (error) {
    await history(false);
    if (!(error instanceof PeerError) || error.code === RPC_ERROR.authRequired) throw error;
    const { message } = failureOf(error.wire, launch.ref.name, signInHint(launch));
    warn(`The earlier session cannot go on, so a new one is begun, which knows nothing of it. ${message}`);
    return null;
  }
}

/** Whether the person chose a way to sign in, and the agent took it. */
async function signIn(connection: Connection, parts: SessionParts, asked: PeerError): Promise<boolean> {
  const { context, info, quirks, env } = parts;
  const { askSignIn, launch } = context;
  const question = signInQuestion(launch, asked.message, info.authMethods ?? [], quirks, env);
  if (askSignIn === undefined || question.choices.length === 0) return false;
  const chosen = await parts.unhurried(() => askSignIn(question));
  if (!question.choices.some(({ id }) => id === chosen) || chosen === null) return false;
  // An agent may wait for a page to be filled in.
  await parts.unhurried(() => connection.request(authenticate, { methodId: chosen }));
  return true;
}

function withServers<T>(
  connection: Connection,
  parts: SessionParts,
  open: (servers: readonly McpServerParams[], unwanted: AbortSignal) => Promise<T>,
): Promise<T> {
  const { context, info, warn, after, mcpMs } = parts;
  const { launch, role, folder } = context;
  const probe = async (mcpServers: readonly McpServerParams[], unwanted: AbortSignal): Promise<void> => {
    const { value } = await connection.request(newSession, { cwd: folder, mcpServers }, unwanted);
    closeUnused(connection, parts, value.sessionId);
  };
  const wanted = role === 'review' ? [] : (launch.mcpServers ?? []);
  const { servers, leftOut } = serversFor(wanted, info.agentCapabilities ?? null);
  if (leftOut.length > 0) warn(`${launch.ref.name} cannot reach servers of this type: ${leftOut.join(', ')}.`);
  return openWithServers(open, probe, servers, { ms: mcpMs, after }, (names) =>
    warn(
      `No answer within ${mcpMs / 1000} s from the server ${names.join(', ')}: ${launch.ref.name} works without it.`,
    ),
  );
}

/** Lets the agent end what it started for a session that nobody is going to use. */
function closeUnused(connection: Connection, { info }: SessionParts, sessionId: string): void {
  if (info.agentCapabilities?.sessionCapabilities?.close == null) return;
  connection.request(closeSession, { sessionId }).catch(() => undefined);
}

function objectOf(wire: Json): WireObject {
  return isWireObject(wire) ? wire : {};
}
