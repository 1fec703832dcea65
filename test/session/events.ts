import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LoopEvent, LoopEventBody, RunHeader } from '../../src/shared/events.ts';

export const PRODUCT = { name: 'cgloop', version: '0.0.1' };

export const RUN: RunHeader = {
  id: '20260131-142530-abc123',
  task: 'Fix the test',
  folder: '/project',
  rounds: 3,
  threshold: 9,
  turnLimitSeconds: 3600,
  permissionMode: 'ask',
  trusted: true,
  executor: { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: '2.1.197' },
  reviewer: { id: 'gemini', name: 'Gemini CLI', protocol: 'acp', version: null },
};

const checkpoint = { id: 'c0', tree: 't0', label: 'before round 1' };
const usage = { inputTokens: 1, outputTokens: 2, cachedTokens: null, costUsd: 0.25 };
const turn = { turn: 1, role: 'execute' } as const;

/** One event of every type, in an order that a run could have. */
export const STORY: readonly LoopEventBody[] = [
  { type: 'run.started', run: RUN },
  { type: 'agent.ready', role: 'review', agent: { ...RUN.reviewer, version: '0.61.0' } },
  { type: 'checkpoint.created', checkpoint },
  { type: 'round.started' },
  { ...turn, type: 'turn.started', prompt: 'Do it', wire: { sessionId: 's', model: null } },
  {
    ...turn,
    type: 'message.chunk',
    wire: { a: [1, null] },
    derived: { channel: 'message', messageId: 'm', text: 'ok' },
  },
  {
    ...turn,
    type: 'message.replaced',
    wire: {},
    derived: { channel: 'thought', messageId: 'm', text: '', reason: 'withdrawn' },
  },
  { ...turn, type: 'toolCall.started', wire: {}, derived: { toolCallId: 't', kind: 'edit', rawInput: { path: 'x' } } },
  {
    ...turn,
    type: 'toolCall.updated',
    wire: {},
    derived: {
      toolCallId: 't',
      state: 'success',
      locations: [{ path: '/project/x', line: 3 }],
      content: [{ type: 'diff', path: 'x', oldText: null, newText: 'new' }],
    },
  },
  { ...turn, type: 'plan.updated', wire: {}, derived: { entries: [{ content: 'one', status: 'pending' }] } },
  { ...turn, type: 'usage.updated', wire: {}, derived: usage },
  { ...turn, type: 'session.updated', wire: {}, derived: { sessionId: 's1', model: null } },
  { ...turn, type: 'session.updated', wire: {}, derived: { sessionId: 's1', model: 'm', version: '2.1.197' } },
  {
    ...turn,
    type: 'request.moved',
    requestId: 'r1',
    method: 'terminal/create',
    subject: 'npm test',
    state: 'cancelled',
    reason: 'denied',
    why: 'Not allowed.',
  },
  { ...turn, type: 'terminal.started', terminalId: 'x1', command: 'npm test', cwd: '/project' },
  { type: 'terminal.output', terminalId: 'x1', text: 'ok\n', skipped: 3 },
  { type: 'terminal.ended', terminalId: 'x1', end: { exitCode: null, signal: 'SIGTERM', by: 'agent' } },
  { ...turn, type: 'mode.updated', wire: {}, derived: { mode: 'plan' } },
  {
    ...turn,
    type: 'diagnostic',
    wire: null,
    derived: { source: 'agent', level: 'warning', code: 'agentWarning', text: 'careful' },
  },
  {
    ...turn,
    type: 'permission.requested',
    permissionId: 'p1',
    wire: {},
    derived: {
      toolCallId: 't',
      title: 'npm test',
      kind: 'execute',
      options: [{ optionId: 'o', name: 'Allow', kind: 'allow_once' }],
      content: [],
      paths: [],
      command: 'npm test',
      takesMessage: true,
    },
  },
  {
    type: 'permission.resolved',
    permissionId: 'p1',
    by: 'policy',
    answer: { outcome: 'selected', optionId: 'o' },
    why: 'it reads only',
  },
  {
    ...turn,
    type: 'turn.ended',
    wire: { stopReason: 'end_turn' },
    derived: { outcome: { type: 'completed' }, usage, models: ['m'] },
  },
  { type: 'round.changes', files: [{ path: 'x', status: 'added', added: 1, removed: null }] },
  {
    type: 'review.scored',
    turn: 2,
    verdict: {
      status: 'approved',
      approved: true,
      score: 9.5,
      source: 'json',
      reason: 'ok',
      warnings: [],
      summary: 'good',
      findings: [{ severity: 'nit', title: 't', detail: 'd', file: 'x', line: 1 }],
      previous: [{ id: 'F1', status: 'fixed' }],
      suggestions: [],
    },
    approved: true,
    blockedBy: [],
  },
  {
    type: 'finding.opened',
    finding: { id: 'F2', severity: 'nit', title: 't', detail: 'd', openedInRound: 1, status: 'open' },
  },
  { type: 'finding.updated', id: 'F2', status: 'withdrawn' },
  { type: 'round.ended' },
  { type: 'run.ended', ending: { type: 'approved', score: 9.5 } },
  { type: 'run.continued', run: RUN },
  { type: 'run.ended', ending: { type: 'approved', score: 9.5 } },
  { type: 'run.undone', restored: checkpoint, replaced: checkpoint },
  { type: 'handover.started', role: 'review', wire: { sessionId: 's' } },
  { type: 'handover.ended', role: 'review' },
];

/** Events in the log's own order, from their bodies. */
export function stamped(bodies: readonly LoopEventBody[]): LoopEvent[] {
  return bodies.map((body, index) => ({ seq: index + 1, at: 1_000 + index, round: index < 3 ? 0 : 1, ...body }));
}

export function chunk(text: string): Extract<LoopEventBody, { type: 'message.chunk' }> {
  return { ...turn, type: 'message.chunk', wire: { text }, derived: { channel: 'message', messageId: 'm', text } };
}

const made: string[] = [];

export function temporary(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-session-'));
  made.push(folder);
  return folder;
}

export function clear(): void {
  for (const folder of made.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
}
