import type { AgentCapabilities, McpServerParams } from '../protocol/acpRequests.ts';
import type { McpServer } from './agent.ts';

/** The servers as the agent takes them, and those that it cannot reach, by name. */
export function serversFor(
  servers: readonly McpServer[],
  capabilities: AgentCapabilities | null,
): { readonly servers: readonly McpServerParams[]; readonly leftOut: readonly string[] } {
  const reaches = capabilities?.mcpCapabilities;
  const taken = servers.filter(({ type }) => type === 'stdio' || reaches?.[type] === true);
  return {
    servers: taken.map(paramsOf),
    leftOut: servers.filter((server) => !taken.includes(server)).map(({ name }) => name),
  };
}

function paramsOf(server: McpServer): McpServerParams {
  const { name } = server;
  if (server.type === 'stdio') {
    return { name, command: server.command, args: server.args, env: pairs(server.env) };
  }
  return { type: server.type, name, url: server.url, headers: pairs(server.headers) };
}

function pairs(record: Readonly<Record<string, string>>): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}

export interface ServerLimit {
  readonly ms: number;
  readonly after: (ms: number, callback: () => void) => () => void;
}

/**
 * Opens a session with servers. An agent waits for each of them, and one that never answers would hold it for ever
 * (acp-50-mcp-hung), while other sessions open as usual: so after the limit each server is tried in a session of its
 * own (`probe`), and the session is opened without the silent ones, which are named. Both are given a signal that is
 * aborted when nobody waits for their session any more.
 */
export async function openWithServers<T>(
  open: (servers: readonly McpServerParams[], unwanted: AbortSignal) => Promise<T>,
  probe: (servers: readonly McpServerParams[], unwanted: AbortSignal) => Promise<unknown>,
  servers: readonly McpServerParams[],
  limit: ServerLimit,
  onSilent: (names: readonly string[]) => void,
): Promise<T> {
  const attempt = async <S>(
    some: readonly McpServerParams[],
    by: (servers: readonly McpServerParams[], unwanted: AbortSignal) => Promise<S>,
  ): Promise<{ readonly session: S } | null> => {
    const unwanted = new AbortController();
    const opened = by(some, unwanted.signal).then((session) => ({ session }));
    if (some.length === 0) return opened;
    let takeBack = (): void => undefined;
    const late = new Promise<null>((resolve) => {
      takeBack = limit.after(limit.ms, () => resolve(null));
    });
    try {
      const first = await Promise.race([opened, late]);
      if (first === null) {
        // What it still answers or fails with is of no use.
        opened.catch(() => undefined);
        unwanted.abort();
      }
      return first;
    } finally {
      takeBack();
    }
  };

  const all = await attempt(servers, open);
  if (all !== null) return all.session;
  const heard = servers.length === 1 ? [null] : await Promise.all(servers.map((server) => attempt([server], probe)));
  const answering = servers.filter((_server, place) => heard[place] != null);
  onSilent(servers.filter((server) => !answering.includes(server)).map(({ name }) => name));
  const rest = await attempt(answering, open);
  if (rest !== null) return rest.session;
  onSilent(answering.map(({ name }) => name));
  return open([], new AbortController().signal);
}
