import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestPermissionParams } from '../protocol/acp.ts';
import { isWireObject } from '../protocol/parseWire.ts';
import type { PermissionAnswer, PermissionOption, PermissionRequest } from '../shared/permission.ts';
import type { ToolKind } from '../shared/toolCall.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import { contentOf, kindOf } from './acpCalls.ts';
import type { Quirks } from './quirks.ts';

/**
 * An agent's question in our words: its own options in its own order, never one of ours. `folder`: what relative paths
 * are meant from.
 */
export function permissionOf(
  params: RequestPermissionParams,
  wire: WireObject,
  quirks: Quirks,
  folder: string,
): PermissionRequest {
  const { toolCall: call } = params;
  const kind = kindOf(call.kind);
  const content = contentOf(call);
  const named = [
    ...(call.locations ?? []).map((location) => location.path),
    ...content.flatMap((item) => (item.type === 'diff' ? [item.path] : [])),
  ];
  const command = kind === 'execute' ? commandOf(params, wire, quirks) : null;
  const [title = ''] = (call.title ?? '').split(/[\r\n]/, 1);
  return {
    toolCallId: call.toolCallId,
    title: title === '' ? (call.name ?? 'Use a tool') : title,
    kind,
    options: params.options.map((option) => optionOf(option, kind, quirks)),
    content,
    paths: [...new Set(named.flatMap((one) => fileOf(one, folder)))],
    ...(command === null ? {} : { command }),
    takesMessage: false,
  };
}

/**
 * The file that an agent names. The protocol wants absolute paths; one that is left out would pass by the rules, so
 * another spelling is followed. None for an address that is no file's.
 */
function fileOf(named: string, folder: string): readonly string[] {
  if (path.isAbsolute(named) || !/^[a-z][a-z0-9+.-]+:/i.test(named)) return [path.resolve(folder, named)];
  try {
    return [fileURLToPath(named)];
  } catch {
    return [];
  }
}

/** What the answer is on the wire: one of the offered options, or `cancelled`. */
export function outcomeWire(request: PermissionRequest, answer: PermissionAnswer): WireObject {
  const offered = answer.outcome === 'selected' ? optionById(request, answer.optionId) : undefined;
  return offered === undefined
    ? { outcome: { outcome: 'cancelled' } }
    : { outcome: { outcome: 'selected', optionId: offered.optionId } };
}

/** Whether the answer lets the call run; null for an option of a kind that we do not know. */
export function allows(request: PermissionRequest, answer: PermissionAnswer): boolean | null {
  if (answer.outcome === 'cancelled') return false;
  switch (optionById(request, answer.optionId)?.kind) {
    case 'allow_once':
    case 'allow_always':
      return true;
    case 'unknown':
      return null;
    default:
      return false;
  }
}

function optionById(request: PermissionRequest, optionId: string): PermissionOption | undefined {
  return request.options.find((option) => option.optionId === optionId);
}

function optionOf(
  option: RequestPermissionParams['options'][number],
  kind: ToolKind,
  quirks: Quirks,
): PermissionOption {
  const scope = quirks.scope(option.optionId, kind);
  return {
    optionId: option.optionId,
    name: option.name,
    kind: optionKind(option.kind),
    ...(scope === null ? {} : { scope }),
  };
}

function optionKind(word: string): PermissionOption['kind'] {
  switch (word) {
    case 'allow_once':
    case 'allow_always':
    case 'reject_once':
    case 'reject_always':
      return word;
    default:
      return 'unknown';
  }
}

/** The whole command line, where the agent is known to tell it. */
function commandOf(params: RequestPermissionParams, wire: WireObject, quirks: Quirks): string | null {
  if (quirks.commandIsTitle) return params.toolCall.title ?? null;
  const input: Json | undefined = isWireObject(wire.toolCall) ? wire.toolCall.rawInput : undefined;
  return isWireObject(input) && typeof input.command === 'string' ? input.command : null;
}
