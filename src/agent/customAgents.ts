import path from 'node:path';
import * as z from 'zod';
import type { AgentProtocol } from '../shared/agentEvents.ts';

const absolute = z
  .string()
  .refine((text) => path.posix.isAbsolute(text) || path.win32.isAbsolute(text), 'is no absolute path');
const words = z.record(z.string(), z.string());

const mcpServer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('stdio'),
    command: absolute,
    args: z.array(z.string()).default([]),
    env: words.default({}),
  }),
  z.object({ type: z.enum(['http', 'sse']), url: z.url(), headers: words.default({}) }),
]);

/** One entry of the setting `cgloop.agents`: an agent of the person's own, or more for one of the catalog's. */
const customAgent = z
  .object({
    /** For people; the entry's key when absent. */
    name: z.string().min(1).optional(),
    protocol: z.enum(['acp', 'claude-stream-json', 'gemini-stream-json']).default('acp'),
    /** A program on PATH, or its absolute path. Absent: the catalog's own. */
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: words.default({}),
    mcpServers: z.record(z.string(), mcpServer).default({}),
  })
  .strict();
export type CustomAgent = z.output<typeof customAgent>;

/** Catalog id → what the person set for it. From machine settings only: it names programs. */
export type CustomAgents = Readonly<Record<string, CustomAgent>>;

/** Validates the setting; `protocolOf` tells the catalog's agents, which need no command of their own, from the others (null). */
export function customAgentsSchema(protocolOf: (id: string) => AgentProtocol | null) {
  return z
    .record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'is no name: use a–z, 0–9 and -'), customAgent)
    .superRefine((agents, context) => {
      for (const [id, agent] of Object.entries(agents)) {
        const problem = problemOf(protocolOf(id), agent);
        if (problem !== null) context.addIssue({ code: 'custom', path: [id], message: problem });
      }
    });
}

function problemOf(builtIn: AgentProtocol | null, { command, protocol, mcpServers }: CustomAgent): string | null {
  if (builtIn === null && command === undefined) return 'has no command';
  if (builtIn !== null && command !== undefined) {
    return 'is an agent of the catalog: set its program in cgloop.executablePaths';
  }
  const hasServers = Object.keys(mcpServers).length > 0;
  return hasServers && (builtIn ?? protocol) !== 'acp' ? 'gets no servers: only ACP has a place for them' : null;
}
