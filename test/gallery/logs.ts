/** Logs of runs for the gallery, each with what the run of `galleryRun` has not. */
import type { Ending } from '../../src/shared/ending.ts';
import type { LoopEvent, LoopEventBody, RunHeader } from '../../src/shared/events.ts';
import type { Finding, Verdict } from '../../src/shared/review.ts';
import type { ToolCallPatch } from '../../src/shared/toolCall.ts';
import { CLAUDE, FIRST_VERDICT, GEMINI, HEADER, SECOND_VERDICT, START, stamp } from '../fakes/events.ts';

const executing = { turn: 1, role: 'execute', wire: {} } as const;

/** A run of this folder from its first event, twelve seconds an event. */
function run(folder: string, header: Partial<RunHeader>, bodies: readonly LoopEventBody[]): LoopEvent[] {
  const started: readonly LoopEventBody[] = [
    { type: 'run.started', run: { ...HEADER, folder, ...header } },
    { type: 'agent.ready', role: 'execute', agent: CLAUDE },
    { type: 'agent.ready', role: 'review', agent: GEMINI },
  ];
  return stamp([...started, ...bodies]).map((event, index) => ({ ...event, at: START + index * 12_000 }));
}

const call = (patch: ToolCallPatch): LoopEventBody => ({ type: 'toolCall.started', ...executing, derived: patch });

function executed(turn: number, text: string, costUsd: number | null = 0.084): readonly LoopEventBody[] {
  const at = { turn, role: 'execute', wire: {} } as const;
  const usage = { inputTokens: 14_200, outputTokens: 1_830, cachedTokens: 9_000, costUsd };
  return [
    { type: 'turn.started', turn, role: 'execute', prompt: 'The task.', wire: { sessionId: 's1', model: 'opus' } },
    { type: 'message.chunk', ...at, derived: { channel: 'message', messageId: `m${turn}`, text } },
    { type: 'turn.ended', ...at, derived: { outcome: { type: 'completed' }, usage, models: ['claude-opus-4-8'] } },
    { type: 'round.changes', files: [{ path: 'src/sum.ts', status: 'modified', added: 14, removed: 3 }] },
  ];
}

function reviewed(turn: number, verdict: Verdict, approved: boolean, blockedBy: readonly string[] = []) {
  const at = { turn, role: 'review', wire: {} } as const;
  const usage = { inputTokens: 21_000, outputTokens: 640, cachedTokens: null, costUsd: null };
  const bodies: LoopEventBody[] = [
    { type: 'turn.started', turn, role: 'review', prompt: 'Review it.', wire: { sessionId: 'g1', model: 'gemini' } },
    { type: 'turn.ended', ...at, derived: { outcome: { type: 'completed' }, usage, models: ['gemini-2.5-pro'] } },
    { type: 'review.scored', turn, verdict, approved, blockedBy },
  ];
  return bodies;
}

const opened = (findings: Verdict['findings']): readonly LoopEventBody[] =>
  findings.map((finding, index) => ({
    type: 'finding.opened',
    finding: { ...finding, id: `F${index + 1}`, openedInRound: 1, status: 'open' } satisfies Finding,
  }));

const firstRound: readonly LoopEventBody[] = [
  { type: 'round.started' },
  ...executed(1, 'The sign was wrong: `sum` now adds. The test passes.'),
  ...reviewed(2, FIRST_VERDICT, false),
  ...opened(FIRST_VERDICT.findings),
  { type: 'round.ended' },
];

const secondRound: readonly LoopEventBody[] = [
  { type: 'round.started' },
  ...executed(3, 'Text is refused, and the test has a name.'),
  ...reviewed(4, SECOND_VERDICT, true),
  { type: 'finding.updated', id: 'F1', status: 'fixed' },
  { type: 'finding.updated', id: 'F2', status: 'fixed' },
  { type: 'round.ended' },
];

/** Every ending but the stopped one of a run without any round, by name. */
export const ENDINGS: Readonly<Record<string, Ending>> = {
  approved: { type: 'approved', score: 9 },
  'round-limit': { type: 'notApproved', cause: 'roundLimit', score: 6, bestRound: 1 },
  plateau: {
    type: 'notApproved',
    cause: 'plateau',
    score: 6,
    bestRound: 1,
    message: 'Two findings were open after round 1, two after round 2, and two after round 3.',
  },
  oscillation: {
    type: 'notApproved',
    cause: 'oscillation',
    score: 6,
    bestRound: 1,
    message: 'After round 2 the folder is as it was after round 1.',
  },
  'no-verdict': { type: 'noVerdict', message: 'Gemini gave no score, also when it was asked once more.' },
  failed: {
    type: 'failed',
    role: 'execute',
    cause: 'agentExit',
    message: "Claude Code ended with exit code 1.\n\nError: Cannot find module '@anthropic-ai/claude-code/cli.js'",
  },
  'sign-in': { type: 'failed', role: 'review', cause: 'signIn', message: 'Gemini CLI: no way to sign in is set.' },
  stopped: { type: 'stopped' },
  'over-budget': { type: 'overBudget', limit: 'money', used: 1.04, allowed: 1, score: 6, bestRound: 1 },
};

/** A short run that ended so. */
export function endedRun(folder: string, name: string, ending: Ending): LoopEvent[] {
  const rounds = ending.type === 'approved' ? [...firstRound, ...secondRound] : firstRound;
  return run(folder, { task: `Make the sum test pass (${name})` }, [...rounds, { type: 'run.ended', ending }]);
}

/** A run whose window was closed while the executor worked. */
export function interruptedRun(folder: string): LoopEvent[] {
  return run(folder, { task: 'Make the sum test pass (interrupted)' }, [
    ...firstRound,
    { type: 'round.started' },
    ...executed(3, 'I look for every caller first').slice(0, 2),
    call({ toolCallId: 't', title: 'npm test', kind: 'execute', state: 'executing' }),
  ]);
}

/** An approval that the gate does not take: a blocker in it, and a red check. */
export function contradictionRun(folder: string): LoopEvent[] {
  const verdict: Verdict = {
    ...FIRST_VERDICT,
    status: 'approved',
    approved: true,
    score: 10,
    reason: 'open_blocker',
    summary: 'Excellent work.',
    warnings: ['The JSON verdict approves and holds a blocker.'],
    findings: [
      {
        severity: 'blocker',
        file: 'src/sum.ts',
        line: 2,
        title: 'Negative numbers are dropped',
        detail: 'See line 2.',
      },
    ],
  };
  return run(folder, { task: 'Make the sum test pass (contradiction)' }, [
    { type: 'round.started' },
    ...executed(1, 'Done.'),
    { type: 'check.started', checkId: 'c1', command: 'npm test', cwd: folder, limitSeconds: 600 },
    { type: 'check.output', checkId: 'c1', text: '\u001b[31m1 failing\u001b[39m\n', skipped: 0 },
    { type: 'check.ended', checkId: 'c1', end: { passed: false, exitCode: 1, signal: null, by: 'itself' } },
    ...reviewed(2, verdict, false, ['The check "npm test" is red: exit code 1.', 'A blocker is open: F1.']),
    ...opened(verdict.findings),
    { type: 'round.ended' },
    { type: 'run.ended', ending: { type: 'notApproved', cause: 'roundLimit', score: 10, bestRound: 1 } },
  ]);
}

/** A review that cannot be read, twice. */
export function noVerdictRun(folder: string): LoopEvent[] {
  const verdict: Verdict = {
    status: 'unparsable',
    approved: false,
    score: null,
    source: 'none',
    reason: 'no_score',
    warnings: [],
    summary: '',
    findings: [],
    previous: [],
    suggestions: [],
  };
  return run(folder, { task: 'Make the sum test pass (no verdict)' }, [
    { type: 'round.started' },
    ...executed(1, 'Done.'),
    ...reviewed(2, verdict, false),
    ...reviewed(3, { ...verdict, reason: 'score_out_of_range' }, false),
    { type: 'round.ended' },
    { type: 'run.ended', ending: ENDINGS['no-verdict'] ?? { type: 'stopped' } },
  ]);
}

/** Checks that were changed, skipped and killed, and what else a log tells of a round. */
export function marksRun(folder: string): LoopEvent[] {
  return run(folder, { task: 'Make the sum test pass (marks)' }, [
    { type: 'round.started' },
    ...executed(1, 'Done.', null),
    { type: 'user.edited', path: 'README.md' },
    {
      type: 'head.moved',
      by: 'agent',
      from: 'a'.repeat(40),
      to: 'b'.repeat(40),
      commits: [{ id: 'b'.repeat(40), subject: 'Add the sum of a list' }],
    },
    {
      type: 'checks.changed',
      changes: [
        { type: 'definition', command: 'npm test', file: 'package.json', before: 'mocha', after: 'true' },
        { type: 'testsRemoved', files: ['test/sum.test.ts'] },
      ],
    },
    { type: 'check.skipped', command: 'npm test', why: 'What it runs was changed, and nobody confirmed it.' },
    {
      type: 'check.started',
      checkId: 'c1',
      command: 'npm run build -- --all --verbose',
      cwd: folder,
      limitSeconds: 60,
    },
    { type: 'check.output', checkId: 'c1', text: 'Building packages/core\nBuilding packages/web\n', skipped: 2048 },
    { type: 'check.ended', checkId: 'c1', end: { passed: false, exitCode: null, signal: 'SIGTERM', by: 'limit' } },
    { type: 'checks.wrote', files: [{ path: 'coverage/index.html', status: 'added', added: 120, removed: 0 }] },
    ...reviewed(2, FIRST_VERDICT, false),
    ...opened(FIRST_VERDICT.findings),
    { type: 'run.paused', reason: 'user', why: 'You asked for it.' },
    { type: 'run.resumed', feedback: { findings: ['F1'], text: null, instruction: 'Leave the interface as it is.' } },
    { type: 'user.note', text: 'Keep the test quick.' },
    { type: 'round.ended' },
    { type: 'run.ended', ending: { type: 'stopped' } },
  ]);
}

const checkpoint = (label: string) => ({ id: label.repeat(40).slice(0, 40), tree: `t-${label}`, label });

/** A run of two rounds whose second was undone, done again, and undone. */
export function undoneRun(folder: string): LoopEvent[] {
  const files = [{ path: 'src/sum.ts', status: 'modified', added: 3, removed: 14 }] as const;
  const undone: LoopEventBody = {
    type: 'run.undone',
    scope: { type: 'round', round: 2 },
    restored: checkpoint('a'),
    replaced: checkpoint('b'),
    files,
    conflicts: [],
  };
  return run(folder, { task: 'Make the sum test pass (undone)' }, [
    ...firstRound,
    ...secondRound,
    { type: 'run.ended', ending: { type: 'approved', score: 9 }, tree: 't2' },
    undone,
    { ...undone, scope: { type: 'redo' }, restored: checkpoint('b'), replaced: checkpoint('a') },
    { ...undone, scope: { type: 'run' }, conflicts: ['README.md'] },
  ]);
}

/** A run in a worktree of its own. */
export function worktreeRun(folder: string): LoopEvent[] {
  const worktree = { path: folder, branch: 'cgloop/sum-of-a-list', origin: folder, base: 'c'.repeat(40) };
  return run(folder, { task: 'Make the sum test pass (worktree)', worktree }, [
    ...firstRound,
    ...secondRound,
    { type: 'run.ended', ending: { type: 'approved', score: 9 } },
  ]);
}
