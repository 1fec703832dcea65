/** A run that has everything: every kind of card in every state, findings in every state, three scores. */
import type { Role, Usage } from '../../src/shared/agentEvents.ts';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import type { Finding, Verdict } from '../../src/shared/review.ts';
import type { ToolCallPatch } from '../../src/shared/toolCall.ts';
import { CLAUDE, EDIT_REQUEST, GEMINI, HEADER, START } from './events.ts';

const inTurn = (turn: number, role: Role) => ({ turn, role, wire: {} });

function tool(turn: number, patch: ToolCallPatch, role: Role = 'execute'): LoopEventBody {
  return { type: 'toolCall.started', ...inTurn(turn, role), derived: patch };
}

function said(turn: number, role: Role, text: string, channel: 'message' | 'thought' = 'message'): LoopEventBody {
  const messageId = `${channel}-${text.slice(0, 12)}`;
  return { type: 'message.chunk', ...inTurn(turn, role), derived: { channel, messageId, text } };
}

function began(turn: number, role: Role, more: object = {}): LoopEventBody {
  const prompt = role === 'execute' ? PROMPT : `You review the work of another agent.\n\n${PROMPT}`;
  const model = role === 'execute' ? 'claude-opus-4-8' : 'gemini-2.5-pro';
  return { type: 'turn.started', turn, role, prompt, ...more, wire: { sessionId: `s-${role}`, model } };
}

function ended(turn: number, role: Role, usage: Usage | null): LoopEventBody {
  const models = role === 'execute' ? ['claude-opus-4-8', 'claude-haiku-4-5'] : ['gemini-2.5-pro'];
  return { type: 'turn.ended', turn, role, wire: {}, derived: { outcome: { type: 'completed' }, usage, models } };
}

const spent = (inputTokens: number, outputTokens: number, cachedTokens: number, costUsd: number | null): Usage => ({
  inputTokens,
  outputTokens,
  cachedTokens,
  costUsd,
});

const PROMPT = `# Task

Make the importer accept CSV files with quoted fields.

# The change so far

${'diff --git a/src/parse.ts b/src/parse.ts\n@@ -1,3 +1,4 @@\n+import { quoted } from "./quoted.ts";\n'.repeat(8)}`;

const FOUND = {
  F1: {
    id: 'F1',
    severity: 'blocker',
    file: 'src/parse.ts',
    line: 12,
    title: 'A quote inside a field ends the row',
    detail: 'With `"a ""b"" c",2` the parser stops at the second quote, so that **every later field is lost**.',
    suggestion: 'Read `""` as one quote before looking for the end.',
    openedInRound: 1,
    status: 'open',
  },
  F2: {
    id: 'F2',
    severity: 'major',
    file: 'src/importer.ts',
    line: 40,
    title: 'A file of several gigabytes is read as a whole',
    detail: 'The importer calls `readFile`; the stream that stands beside it is not used.',
    openedInRound: 1,
    status: 'open',
  },
  F3: {
    id: 'F3',
    severity: 'minor',
    file: 'test/parse.test.ts',
    line: 8,
    title: 'No test has an empty field',
    detail: 'Add `a,,b`.',
    openedInRound: 1,
    status: 'open',
  },
  F4: {
    id: 'F4',
    severity: 'nit',
    title: 'The name `doIt` says nothing',
    detail: '',
    openedInRound: 1,
    status: 'open',
  },
  F5: {
    id: 'F5',
    severity: 'major',
    file: 'src/columns.ts',
    line: 3,
    title: 'Columns are found by position, not by name',
    detail: 'The header row is skipped without being read.',
    openedInRound: 2,
    status: 'open',
    late: true,
  },
} as const satisfies Record<string, Finding>;

const HUNK = `@@ -10,6 +10,7 @@ export function fields(line: string): string[] {
   const found: string[] = [];
   let at = 0;
-  while (line[at] !== '"') at++;
+  while (line[at] !== '"' || line[at + 1] === '"') {
+    at += line[at] === '"' ? 2 : 1;
+  }
   found.push(line.slice(0, at));
   return found;`;

const STREAM_HUNK = `@@ -38,5 +38,6 @@ export async function importFile(file: string): Promise<Row[]> {
   const rows: Row[] = [];
-  const text = await readFile(file, 'utf8');
-  for (const line of text.split('\\n')) rows.push(rowOf(line));
+  for await (const line of linesOf(createReadStream(file))) {
+    rows.push(rowOf(line));
+  }
   return rows;
 }`;

function now(finding: Finding): LoopEventBody {
  return { type: 'finding.updated', id: finding.id, status: finding.status, finding };
}

function verdict(score: number, summary: string, more: Partial<Verdict>): Verdict {
  const findings = more.findings ?? [];
  return {
    status: 'not_approved',
    approved: false,
    score,
    source: 'json',
    reason: 'json_not_approved',
    warnings: [],
    summary,
    previous: [],
    suggestions: [],
    ...more,
    findings,
  };
}

const CHECK_OUTPUT = [
  '\u001b[1m> importer@1.4.0 test\u001b[22m\n',
  ...Array.from({ length: 9 }, (_, index) => `  \u001b[32m✔\u001b[0m row ${index + 1}\n`),
].join('');

const FIRST_ROUND: readonly LoopEventBody[] = [
  { type: 'round.started' },
  began(1, 'execute'),
  said(1, 'execute', '**Reading the parser**\n\nThe state machine has no state for quotes.', 'thought'),
  said(1, 'execute', 'The parser knows no quotes. I read it first, then add a state for them in `src/parse.ts`.'),
  {
    type: 'plan.updated',
    ...inTurn(1, 'execute'),
    derived: {
      entries: [
        { content: 'Read the parser and its tests', status: 'completed' },
        { content: 'Add a state for quoted fields', status: 'in_progress' },
        { content: 'Run the tests', status: 'pending' },
      ],
    },
  },
  tool(1, {
    toolCallId: 'read',
    toolName: 'Read',
    title: 'Read src/parse.ts',
    kind: 'read',
    state: 'success',
    locations: [{ path: 'src/parse.ts', line: 1 }],
    rawInput: { file_path: 'src/parse.ts' },
  }),
  tool(1, {
    toolCallId: 'grep',
    toolName: 'Grep',
    title: 'Search for "quote"',
    kind: 'search',
    state: 'success',
    content: [
      {
        type: 'text',
        text: 'src/parse.ts:12:  while (line[at] !== quote) at++;\ntest/parse.test.ts:8:it("reads a quote", () => {',
      },
    ],
    rawInput: { pattern: 'quote', output_mode: 'content' },
  }),
  tool(1, {
    toolCallId: 'fetch',
    toolName: 'WebFetch',
    title: 'Fetch https://www.rfc-editor.org/rfc/rfc4180',
    kind: 'fetch',
    state: 'success',
    content: [{ type: 'text', text: 'Common Format and MIME Type for Comma-Separated Values (CSV) Files' }],
    rawInput: { url: 'https://www.rfc-editor.org/rfc/rfc4180', prompt: 'How are quotes escaped?' },
  }),
  tool(1, {
    toolCallId: 'agent',
    toolName: 'Task',
    title: 'Look for callers of the parser',
    kind: 'think',
    state: 'success',
    content: [{ type: 'text', text: 'Two callers: the importer and the preview.' }],
  }),
  tool(1, { toolCallId: 'inner', title: 'Read src/importer.ts', kind: 'read', state: 'success', parentId: 'agent' }),
  tool(1, {
    toolCallId: 'edit',
    toolName: 'Edit',
    title: 'Edit src/parse.ts',
    kind: 'edit',
    state: 'awaitingApproval',
    content: EDIT_REQUEST.content,
  }),
  {
    type: 'permission.requested',
    turn: 1,
    role: 'execute',
    permissionId: 'q1',
    wire: {},
    derived: { ...EDIT_REQUEST, toolCallId: 'edit', title: 'src/parse.ts' },
  },
  { type: 'permission.resolved', permissionId: 'q1', by: 'user', answer: { outcome: 'selected', optionId: 'once' } },
  { type: 'toolCall.updated', ...inTurn(1, 'execute'), derived: { toolCallId: 'edit', state: 'success' } },
  tool(1, {
    toolCallId: 'denied',
    title: 'rm -rf build',
    kind: 'execute',
    state: 'cancelled',
    reason: 'denied',
    rawInput: { command: 'rm -rf build' },
  }),
  tool(1, {
    toolCallId: 'failed',
    title: 'npm run lint',
    kind: 'execute',
    state: 'error',
    reason: 'failed',
    content: [{ type: 'text', text: 'src/parse.ts:3:1 Unexpected any.\n' }],
  }),
  tool(1, { toolCallId: 'stopped', title: 'npm run dev', kind: 'execute', state: 'cancelled', reason: 'stopped' }),
  tool(1, { toolCallId: 'lost', title: 'Read the wiki', kind: 'read', state: 'cancelled', reason: 'noResult' }),
  said(1, 'execute', 'Quoted fields are read now, and two tests hold it.'),
  ended(1, 'execute', spent(18_400, 2_210, 12_000, 0.118)),
  {
    type: 'round.changes',
    files: [
      { path: 'src/parse.ts', status: 'modified', added: 42, removed: 10 },
      { path: 'src/quoted.ts', status: 'added', added: 31, removed: 0 },
      { path: 'test/parse.test.ts', status: 'modified', added: 18, removed: 0 },
    ],
  },
  { type: 'check.started', checkId: 'c1', command: 'npm test', cwd: '/home/me/project', limitSeconds: 600 },
  { type: 'check.output', checkId: 'c1', text: `${CHECK_OUTPUT}  \u001b[31m✘ an empty field\u001b[39m\n`, skipped: 0 },
  { type: 'check.ended', checkId: 'c1', end: { passed: false, exitCode: 1, signal: null, by: 'itself' } },
  began(2, 'review', { withheld: ['.env'], shortened: ['package-lock.json'] }),
  said(2, 'review', 'The state machine is right for plain quotes. An escaped quote breaks it.'),
  ended(2, 'review', spent(31_000, 900, 0, null)),
  {
    type: 'review.scored',
    turn: 2,
    verdict: verdict(4.5, 'Plain quotes work; **an escaped one loses the rest of the row**, and a test fails.', {
      findings: Object.values(FOUND).filter(({ openedInRound }) => openedInRound === 1),
      suggestions: ['Name the states of the parser.'],
    }),
    approved: false,
    blockedBy: [],
  },
  ...Object.values(FOUND)
    .filter(({ openedInRound }) => openedInRound === 1)
    .map((finding): LoopEventBody => ({ type: 'finding.opened', finding })),
  { type: 'round.ended' },
];

const SECOND_ROUND: readonly LoopEventBody[] = [
  { type: 'user.note', text: 'Why must it be streamed?', finding: 'F2' },
  { type: 'round.started' },
  began(3, 'execute'),
  said(3, 'execute', '**Reading quotes in pairs**', 'thought'),
  said(3, 'execute', 'Escaped quotes are read in pairs now. F2 is by design: files are small here.'),
  now({ ...FOUND.F2, disputed: 'Files are small here: the upload is limited to 2 MB.' }),
  ended(3, 'execute', spent(9_800, 1_400, 8_000, 0.061)),
  { type: 'round.changes', files: [{ path: 'src/parse.ts', status: 'modified', added: 3, removed: 1 }] },
  { type: 'check.started', checkId: 'c2', command: 'npm test', cwd: '/home/me/project', limitSeconds: 600 },
  { type: 'check.output', checkId: 'c2', text: CHECK_OUTPUT, skipped: 0 },
  { type: 'check.ended', checkId: 'c2', end: { passed: true, exitCode: 0, signal: null, by: 'itself' } },
  began(4, 'review'),
  ended(4, 'review', spent(34_000, 700, 0, null)),
  {
    type: 'review.scored',
    turn: 4,
    verdict: verdict(7.5, 'Escaped quotes are right. About F2: a limit on the upload is no limit on the importer.', {
      findings: [FOUND.F5],
      previous: [
        { id: 'F1', status: 'fixed' },
        { id: 'F2', status: 'open' },
        { id: 'F4', status: 'withdrawn' },
      ],
    }),
    approved: false,
    blockedBy: [],
  },
  now({ ...FOUND.F1, status: 'fixed', fixedBy: { round: 2, file: 'src/parse.ts', hunk: HUNK } }),
  now({ ...FOUND.F4, status: 'withdrawn' }),
  { type: 'finding.opened', finding: FOUND.F5 },
  { type: 'round.ended' },
];

const THIRD_ROUND: readonly LoopEventBody[] = [
  now({ ...FOUND.F3, status: 'dismissed', reason: 'The grammar has no empty fields.' }),
  { type: 'round.started' },
  began(5, 'execute'),
  said(5, 'execute', 'The importer streams now, and columns go by name.'),
  ended(5, 'execute', spent(12_000, 3_100, 9_000, 0.094)),
  { type: 'round.changes', files: [{ path: 'src/importer.ts', status: 'modified', added: 24, removed: 9 }] },
  { type: 'check.started', checkId: 'c3', command: 'npm test', cwd: '/home/me/project', limitSeconds: 600 },
  { type: 'check.output', checkId: 'c3', text: CHECK_OUTPUT, skipped: 0 },
  { type: 'check.ended', checkId: 'c3', end: { passed: true, exitCode: 0, signal: null, by: 'itself' } },
  began(6, 'review'),
  said(6, 'review', 'Looks fine to me.'),
  ended(6, 'review', spent(33_000, 20, 0, null)),
  {
    type: 'review.scored',
    turn: 6,
    verdict: { ...verdict(1, '', { status: 'unparsable', source: 'none', reason: 'no_score' }), score: null },
    approved: false,
    blockedBy: [],
  },
  began(7, 'review'),
  ended(7, 'review', spent(33_500, 640, 0, null)),
  {
    type: 'review.scored',
    turn: 7,
    verdict: verdict(6.5, 'Streaming brought the old fault back: a quote at the border of two chunks ends the row.', {
      findings: [FOUND.F1, FOUND.F5],
      previous: [{ id: 'F2', status: 'fixed' }],
    }),
    approved: false,
    blockedBy: [],
  },
  now({
    ...FOUND.F2,
    disputed: 'Files are small here: the upload is limited to 2 MB.',
    status: 'fixed',
    fixedBy: { round: 3, file: 'src/importer.ts', hunk: STREAM_HUNK },
  }),
  now({ ...FOUND.F1, status: 'regressed', line: 31, file: 'src/importer.ts' }),
  { type: 'round.ended' },
  { type: 'run.ended', ending: { type: 'notApproved', cause: 'roundLimit', score: 6.5, bestRound: 2 } },
];

/** The whole run in this folder, four seconds an event. */
export function galleryRun(folder: string): LoopEvent[] {
  const run = { ...HEADER, folder, task: 'Make the importer accept CSV files with quoted fields.' };
  const bodies: readonly LoopEventBody[] = [
    { type: 'run.started', run },
    { type: 'agent.ready', role: 'execute', agent: CLAUDE },
    { type: 'agent.ready', role: 'review', agent: GEMINI },
    ...FIRST_ROUND,
    ...SECOND_ROUND,
    ...THIRD_ROUND,
  ];
  let round = 0;
  return bodies.map((body, index) => {
    if (body.type === 'round.started') round += 1;
    return { ...body, seq: index + 1, at: START + index * 4_000, round };
  });
}
