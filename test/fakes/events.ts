/** Logs of runs for tests: stamped as the event log stamps them, with a clock that ticks 100 ms an event. */
import type { AgentRef, Usage } from '../../src/shared/agentEvents.ts';
import type { LoopEvent, LoopEventBody, RunHeader } from '../../src/shared/events.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';
import type { Verdict } from '../../src/shared/review.ts';

export const CLAUDE: AgentRef = {
  id: 'claude',
  name: 'Claude Code',
  protocol: 'claude-stream-json',
  version: '2.1.197',
};

export const GEMINI: AgentRef = { id: 'gemini', name: 'Gemini CLI', protocol: 'acp', version: '0.61.0' };

/** 2026-01-01T00:00:00Z, the time of a fixture's first event. */
export const START = Date.UTC(2026, 0, 1);

export const HEADER: RunHeader = {
  id: '20260101-000000-abcd',
  task: 'Make the sum test pass',
  folder: '/home/me/project',
  rounds: 3,
  threshold: 9,
  turnLimitSeconds: 3600,
  permissionMode: 'ask',
  trusted: true,
  executor: CLAUDE,
  reviewer: GEMINI,
};

/** Stamps bodies as the log does: seq from 1, `round.started` raises the round. */
export function stamp(bodies: readonly LoopEventBody[]): LoopEvent[] {
  let round = 0;
  return bodies.map((body, index) => {
    if (body.type === 'round.started') round += 1;
    return { ...body, seq: index + 1, at: START + index * 100, round };
  });
}

/** The question of the two-round run: an edit, with the agent's three options. */
export const EDIT_REQUEST: PermissionRequest = {
  toolCallId: 'toolu_edit',
  title: 'src/sum.ts',
  kind: 'edit',
  options: [
    { optionId: 'once', name: 'Yes', kind: 'allow_once' },
    {
      optionId: 'session',
      name: 'Yes, and allow edits for this session',
      kind: 'allow_always',
      scope: 'All edits of this session',
    },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ],
  content: [
    {
      type: 'diff',
      path: '/home/me/project/src/sum.ts',
      oldText: 'export const sum = (a, b) =>\n  a - b;\n',
      newText: 'export const sum = (a, b) =>\n  a + b;\n',
    },
  ],
  paths: ['/home/me/project/src/sum.ts'],
  takesMessage: true,
};

const usage = (inputTokens: number, outputTokens: number, costUsd: number | null): Usage => ({
  inputTokens,
  outputTokens,
  cachedTokens: null,
  costUsd,
});

/** Two findings and 6 of 10: not approved. */
export const FIRST_VERDICT: Verdict = {
  status: 'not_approved',
  approved: false,
  score: 6,
  source: 'json',
  reason: 'json_not_approved',
  warnings: [],
  summary: 'The sum is right, but nothing guards against text.',
  findings: [
    {
      id: 'F1',
      severity: 'major',
      file: 'src/sum.ts',
      line: 2,
      title: 'Strings are joined, not added',
      detail: 'sum("1", 2) gives "12".',
      suggestion: 'Refuse what is no number.',
    },
    { id: 'F2', severity: 'nit', title: 'The test has no name', detail: 'Give it one.' },
  ],
  previous: [],
  suggestions: [],
};

/** 9 of 10, approved, nothing open. */
export const SECOND_VERDICT: Verdict = {
  status: 'approved',
  approved: true,
  score: 9,
  source: 'json',
  reason: 'ok',
  warnings: [],
  summary: 'Right and guarded.',
  findings: [],
  previous: [
    { id: 'F1', status: 'fixed' },
    { id: 'F2', status: 'fixed' },
  ],
  suggestions: ['Consider rounding.'],
};

const inTurn = (turn: number, role: 'execute' | 'review') => ({ turn, role, wire: {} });

const START_OF_RUN: readonly LoopEventBody[] = [
  { type: 'run.started', run: { ...HEADER, executor: { ...CLAUDE, version: null } } },
  { type: 'agent.ready', role: 'execute', agent: CLAUDE },
  { type: 'agent.ready', role: 'review', agent: GEMINI },
  { type: 'checkpoint.created', checkpoint: { id: 'c0', tree: 't0', label: 'start' } },
];

const FIRST_TURN: readonly LoopEventBody[] = [
  { type: 'round.started' },
  {
    type: 'turn.started',
    turn: 1,
    role: 'execute',
    prompt: 'Task: Make the sum test pass',
    wire: { sessionId: 's1', model: 'opus' },
  },
  {
    type: 'message.chunk',
    ...inTurn(1, 'execute'),
    derived: { channel: 'thought', messageId: 'm0', text: 'The sign is wrong.' },
  },
  {
    type: 'message.chunk',
    ...inTurn(1, 'execute'),
    derived: { channel: 'message', messageId: 'm1', text: 'I will fix ' },
  },
  {
    type: 'message.chunk',
    ...inTurn(1, 'execute'),
    derived: { channel: 'message', messageId: 'm1', text: 'the sum.' },
  },
  {
    type: 'plan.updated',
    ...inTurn(1, 'execute'),
    derived: {
      entries: [
        { content: 'Fix the sum', status: 'in_progress' },
        { content: 'Run the test', status: 'pending' },
      ],
    },
  },
  {
    type: 'toolCall.started',
    ...inTurn(1, 'execute'),
    derived: {
      toolCallId: 'toolu_edit',
      toolName: 'Edit',
      title: 'src/sum.ts',
      kind: 'edit',
      state: 'awaitingApproval',
      content: EDIT_REQUEST.content,
      locations: [{ path: '/home/me/project/src/sum.ts', line: 2 }],
    },
  },
  {
    type: 'permission.requested',
    turn: 1,
    role: 'execute',
    permissionId: 'q1',
    wire: { request_id: 'r1' },
    derived: EDIT_REQUEST,
  },
];

/** The log up to an open question: the run waits for the person. */
export const WAITING_RUN: readonly LoopEvent[] = stamp([...START_OF_RUN, ...FIRST_TURN]);

const REST: readonly LoopEventBody[] = [
  { type: 'permission.resolved', permissionId: 'q1', by: 'user', answer: { outcome: 'selected', optionId: 'once' } },
  {
    type: 'toolCall.updated',
    ...inTurn(1, 'execute'),
    derived: { toolCallId: 'toolu_edit', state: 'success' },
  },
  {
    type: 'toolCall.started',
    ...inTurn(1, 'execute'),
    derived: {
      toolCallId: 'toolu_test',
      toolName: 'Bash',
      title: 'npm test',
      kind: 'execute',
      state: 'executing',
      rawInput: { command: 'npm test' },
    },
  },
  {
    type: 'toolCall.updated',
    ...inTurn(1, 'execute'),
    derived: { toolCallId: 'toolu_test', state: 'success', content: [{ type: 'text', text: '1 passing\n' }] },
  },
  {
    type: 'diagnostic',
    ...inTurn(1, 'execute'),
    derived: { source: 'transport', level: 'info', code: 'stderr', text: 'warm' },
  },
  {
    type: 'turn.ended',
    turn: 1,
    role: 'execute',
    wire: { subtype: 'success' },
    derived: { outcome: { type: 'completed' }, usage: usage(1200, 300, 0.02), models: ['opus'] },
  },
  { type: 'checkpoint.created', checkpoint: { id: 'c1', tree: 't1', label: 'round 1' } },
  {
    type: 'round.changes',
    files: [{ path: 'src/sum.ts', status: 'modified', added: 1, removed: 1 }],
  },
  {
    type: 'turn.started',
    turn: 2,
    role: 'review',
    prompt: 'Review this.',
    wire: { sessionId: 'g1', model: 'gemini-pro' },
  },
  {
    type: 'message.chunk',
    ...inTurn(2, 'review'),
    derived: { channel: 'message', messageId: 'g-m1', text: '```json\n{"score":6}\n```' },
  },
  {
    type: 'turn.ended',
    turn: 2,
    role: 'review',
    wire: { stopReason: 'end_turn' },
    derived: { outcome: { type: 'completed' }, usage: usage(4000, 200, null), models: ['gemini-pro'] },
  },
  { type: 'review.scored', turn: 2, verdict: FIRST_VERDICT, approved: false, blockedBy: [] },
  ...FIRST_VERDICT.findings.map(
    (finding, index): LoopEventBody => ({
      type: 'finding.opened',
      finding: { ...finding, id: `F${index + 1}`, openedInRound: 1, status: 'open' },
    }),
  ),
  { type: 'round.ended' },
  { type: 'round.started' },
  {
    type: 'turn.started',
    turn: 3,
    role: 'execute',
    prompt: 'Revise.',
    wire: { sessionId: 's1', model: 'opus' },
  },
  {
    type: 'message.chunk',
    ...inTurn(3, 'execute'),
    derived: { channel: 'message', messageId: 'm2', text: 'Guarded.' },
  },
  {
    type: 'turn.ended',
    turn: 3,
    role: 'execute',
    wire: { subtype: 'success' },
    derived: { outcome: { type: 'completed' }, usage: usage(800, 100, 0.01), models: ['opus'] },
  },
  { type: 'round.changes', files: [{ path: 'src/sum.ts', status: 'modified', added: 3, removed: 0 }] },
  {
    type: 'turn.started',
    turn: 4,
    role: 'review',
    prompt: 'Review again.',
    wire: { sessionId: 'g1', model: 'gemini-pro' },
  },
  {
    type: 'message.chunk',
    ...inTurn(4, 'review'),
    derived: { channel: 'message', messageId: 'g-m2', text: 'APPROVED' },
  },
  {
    type: 'turn.ended',
    turn: 4,
    role: 'review',
    wire: { stopReason: 'end_turn' },
    derived: { outcome: { type: 'completed' }, usage: null, models: [] },
  },
  { type: 'review.scored', turn: 4, verdict: SECOND_VERDICT, approved: true, blockedBy: [] },
  { type: 'finding.updated', id: 'F1', status: 'fixed' },
  { type: 'finding.updated', id: 'F2', status: 'fixed' },
  { type: 'round.ended' },
  { type: 'run.ended', ending: { type: 'approved', score: 9 } },
];

/** The whole log of a run of two rounds, 6 then 9 of 10, with one permission, approved. */
export const TWO_ROUND_RUN: readonly LoopEvent[] = stamp([...START_OF_RUN, ...FIRST_TURN, ...REST]);

/** A log of `count` events in one turn: text in chunks, with a tool call every ten events. */
export function longRun(count: number): LoopEvent[] {
  const bodies: LoopEventBody[] = [...START_OF_RUN, ...FIRST_TURN.slice(0, 2)];
  for (let n = 0; bodies.length < count; n++) {
    const toolCallId = `t${Math.floor(n / 10)}`;
    if (n % 10 === 8)
      bodies.push({
        type: 'toolCall.started',
        ...inTurn(1, 'execute'),
        derived: { toolCallId, title: `file${n}.ts`, kind: 'read', state: 'executing' },
      });
    else if (n % 10 === 9)
      bodies.push({
        type: 'toolCall.updated',
        ...inTurn(1, 'execute'),
        derived: { toolCallId, state: 'success' },
      });
    else
      bodies.push({
        type: 'message.chunk',
        ...inTurn(1, 'execute'),
        derived: { channel: 'message', messageId: `m${Math.floor(n / 10)}`, text: `word${n} ` },
      });
  }
  return stamp(bodies);
}
