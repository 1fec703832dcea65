/** Folds what an agent does with tools: its calls, the files that it was served, what was refused to it. */
import { terminalsOf } from './foldOutput.ts';
import type { ToolCallPatch, ToolState } from './toolCall.ts';
import { isEnd, mayBecome } from './toolState.ts';
import type { FilesItem, ToolItem } from './view.ts';
import { type Draft, type EventOf, find, put, type RoundDraft, roundOf } from './viewDraft.ts';

type ToolEvent = EventOf<'toolCall.started' | 'toolCall.updated'>;

/** `toolCall.started` and `toolCall.updated`: one card a call. */
export function foldTool(draft: Draft, event: ToolEvent): void {
  const { at, turn, role, derived } = event;
  const round = roundOf(draft, event.round, at);
  const key = toolKey(round, event);
  const known = find(round, key);
  const item: ToolItem =
    known?.type === 'tool'
      ? { ...known, ...legalPart(known.state, derived) }
      : { type: 'tool', key, turn, role, at, state: 'scheduled', endedAt: null, ...derived };
  const ended = { ...item, endedAt: isEnd(item.state) ? (item.endedAt ?? at) : null };
  const terminals = derived.content === undefined ? undefined : terminalsOf(round, ended);
  put(round, terminals === undefined ? ended : { ...ended, terminals });
}

/** The key of the newest call of this id; of the next one when a call begins under the id of an ended one (acp-36). */
function toolKey(round: RoundDraft, { type, turn, role, derived }: ToolEvent): string {
  const keyOf = (count: number) => `t${count === 1 ? '' : count}/${turn}/${role}/${derived.toolCallId}`;
  let count = 1;
  while (round.index.has(keyOf(count + 1))) count++;
  const newest = find(round, keyOf(count));
  const begins = type === 'toolCall.started' && newest?.type === 'tool' && isEnd(newest.state);
  return keyOf(begins ? count + 1 : count);
}

/** The patch without a state that the table does not lead to: what has ended stays as it ended. */
function legalPart(from: ToolState, patch: ToolCallPatch): ToolCallPatch {
  if (patch.state === undefined || mayBecome(from, patch.state)) return patch;
  const { state: _state, reason: _reason, ...rest } = patch;
  return rest;
}

/** `file.served`: one row a turn for the files that were read and written for it. */
export function foldFile(draft: Draft, event: EventOf<'file.served'>): void {
  const { at, turn, role, path, operation, result } = event;
  // A file that is not there has been looked for; what was refused is told by the request.
  if (result !== 'editor' && result !== 'disk') return;
  const round = roundOf(draft, event.round, at);
  const key = `files/${turn}/${role}`;
  const known = find(round, key);
  const item: FilesItem = known?.type === 'files' ? known : { type: 'files', key, turn, role, at, files: [] };
  const before = item.files.find((file) => file.path === path) ?? { path, reads: 0, writes: 0, editor: false };
  const file = {
    path,
    reads: before.reads + (operation === 'read' ? 1 : 0),
    writes: before.writes + (operation === 'write' ? 1 : 0),
    editor: before.editor || result === 'editor',
  };
  const place = item.files.findIndex((one) => one.path === path);
  put(round, { ...item, files: place < 0 ? [...item.files, file] : item.files.with(place, file) });
}

/** `request.moved`: what was not carried out; what is shows in the cards of the agent's calls. */
export function foldRequest(draft: Draft, event: EventOf<'request.moved'>): void {
  const { at, round: number, turn, role, requestId, method, subject, state, reason, why = '' } = event;
  if ((state !== 'error' && state !== 'cancelled') || reason === undefined) return;
  const key = `request/${requestId}`;
  put(roundOf(draft, number, at), { type: 'request', key, turn, role, at, method, subject, state, reason, why });
}
