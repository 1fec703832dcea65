import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentLaunch } from '../../src/agent/agent.ts';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { WireObject } from '../../src/shared/wire.ts';

/** One step of a scripted peer; see `claudePeer.mjs`. */
export type PeerStep =
  | { readonly await: 'initialize' | 'user' | 'answer' | 'interrupt' | 'end' }
  | { readonly answer: object }
  | { readonly send: object }
  | { readonly raw: string }
  | { readonly stderr: string }
  | { readonly exit: number }
  | { readonly kill: 'SIGKILL' }
  | { readonly ignoreTerm: true }
  | { readonly grandchild: true }
  | { readonly unknownSession: true };

/** A scripted `claude` and what it received. */
export interface ClaudePeer {
  readonly launch: AgentLaunch;
  readonly folder: string;
  /** Everything received so far: first `{ argv, env }`, then the lines. */
  received(): readonly WireObject[];
  remove(): void;
}

/** The first steps of nearly every script. */
export const STARTED: readonly PeerStep[] = [{ await: 'initialize' }, { answer: {} }];

export function claudePeer(script: readonly PeerStep[]): ClaudePeer {
  const folder = mkdtempSync(path.join(tmpdir(), 'claude-peer-'));
  const log = path.join(folder, 'received.jsonl');
  return {
    launch: {
      ref: { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null },
      command: process.execPath,
      args: [fileURLToPath(new URL('./claudePeer.mjs', import.meta.url))],
      env: { CLAUDE_PEER_SCRIPT: JSON.stringify(script), CLAUDE_PEER_LOG: log },
    },
    folder,
    received() {
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
      return lines.map((line): unknown => JSON.parse(line)).filter(isWireObject);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Lines of the CLI, as short as the reader takes them. */
export const say = {
  init: { type: 'system', subtype: 'init', session_id: 's1', model: 'm' },
  state: (state: 'running' | 'idle') => ({ type: 'system', subtype: 'session_state_changed', state }),
  text: (text: string, id = 'm1') => ({
    type: 'assistant',
    message: { id, model: 'm', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
  }),
  call: (id: string, name: string, input: object) => ({
    type: 'assistant',
    message: { id: 'm0', model: 'm', content: [{ type: 'tool_use', id, name, input }] },
    parent_tool_use_id: null,
  }),
  ask: (requestId: string, toolUseId: string, name: string, input: object, more: object = {}) => ({
    type: 'control_request',
    request_id: requestId,
    request: { subtype: 'can_use_tool', tool_name: name, input, tool_use_id: toolUseId, ...more },
  }),
  withdraw: (requestId: string) => ({ type: 'control_cancel_request', request_id: requestId }),
  result: (fields: object = {}) => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    session_id: 's1',
    ...fields,
  }),
  aborted: {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: 'aborted_streaming',
    session_id: 's1',
  },
} as const;
