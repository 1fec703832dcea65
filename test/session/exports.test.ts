import assert from 'node:assert/strict';
import { exportRun, type RunExport } from '../../src/session/exportJson.ts';
import { exportMarkdown } from '../../src/session/exportMarkdown.ts';
import { exportSarif } from '../../src/session/exportSarif.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import { reduce } from '../../src/shared/reduce.ts';
import type { Finding } from '../../src/shared/review.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import { HEADER, stamp, TWO_ROUND_RUN, WAITING_RUN } from '../fakes/events.ts';
import { STORY, stamped } from './events.ts';
import { sarifShape } from './sarifShape.ts';

const exported = (events: readonly LoopEvent[], state: RunExport['state'] = 'ended'): RunExport => {
  const run = exportRun(reduce(EMPTY_VIEW, events), state);
  assert.ok(run !== null);
  return run;
};
const markdown = (events: readonly LoopEvent[], state: RunExport['state'] = 'ended') =>
  exportMarkdown(reduce(EMPTY_VIEW, events), exported(events, state));

describe('a run as an object', () => {
  it('tells what was asked for, each round with turns, changes and review, the ledger and the ending', () => {
    const run = exported(TWO_ROUND_RUN);
    assert.deepEqual([run.format, run.version, run.id, run.kind], ['cgloop-export', 1, HEADER.id, 'task']);
    assert.equal(run.startedAt, '2026-01-01T00:00:00.000Z');
    assert.deepEqual(run.ending, { type: 'approved', score: 9 });
    assert.deepEqual(
      run.rounds.map(({ number, turns, changes, review }) => [
        number,
        turns.map(({ role }) => role),
        changes?.length,
        review?.score,
        review?.approved,
      ]),
      [
        [1, ['execute', 'review'], 1, 6, false],
        [2, ['execute', 'review'], 1, 9, true],
      ],
    );
    assert.deepEqual(run.rounds[1]?.turns[0]?.texts, ['Guarded.']);
    assert.equal(run.verdict?.round, 2);
    assert.deepEqual(
      run.findings.map(({ id, status, file, line }) => [id, status, file, line]),
      [
        ['F1', 'fixed', 'src/sum.ts', 2],
        ['F2', 'fixed', undefined, undefined],
      ],
    );
    assert.ok((run.executor?.usage.inputTokens ?? 0) > 0);
    assert.deepEqual(JSON.parse(JSON.stringify(run)), run, 'it is JSON as it stands');
  });

  it('takes a log of every kind of event, one that is still open, and refuses one without a header', () => {
    assert.equal(exported(stamped(STORY)).undone, true);
    const open = exported(WAITING_RUN, 'running');
    assert.deepEqual([open.state, open.ending, open.endedAt, open.verdict], ['running', null, null, null]);
    assert.equal(open.rounds[0]?.turns[0]?.outcome, null);
    assert.equal(exportRun(EMPTY_VIEW, 'interrupted'), null);
  });

  it('names no executor where nobody executed', () => {
    const run = exported(stamp([{ type: 'run.started', run: { ...HEADER, kind: 'review', range: 'main...HEAD' } }]));
    assert.deepEqual([run.executor, run.kind, run.range], [null, 'review', 'main...HEAD']);
  });
});

describe('a run as Markdown', () => {
  it('tells the whole story', () => {
    const text = markdown(TWO_ROUND_RUN);
    const inOrder = [
      /^# Make the sum test pass$/m,
      /^## Task\n\n> Make the sum test pass$/m,
      /^## Round 1 — 6\/10 · 1 file \+1 −1/m,
      /^### Claude Code worked$/m,
      /^- Asked: src\/sum\.ts → Yes \(user\)$/m,
      /^\| `src\/sum\.ts` \| modified \| \+1 −1 \|$/m,
      /^### Gemini CLI reviewed$/m,
      /^\*\*6\/10, not approved\*\* \(threshold 9\)$/m,
      /^## Round 2 — 9\/10/m,
      /^\| F1 \| major \| `src\/sum\.ts:2` \| Strings are joined, not added \| fixed \| 1 \|$/m,
      /^## Ending\n\n\*\*Approved with 9\/10 \(6 → 9\)\.\*\*$/m,
    ];
    let from = 0;
    for (const pattern of inOrder) {
      const at = text.slice(from).search(pattern);
      assert.ok(at >= 0, `${pattern} does not follow in:\n${text.slice(from)}`);
      from += at + 1;
    }
  });

  it('keeps what others wrote out of its own structure', () => {
    const hostile = '# Mine\n\n<script>alert(1)</script> | `x` | *y*';
    const [first, ...rest] = TWO_ROUND_RUN;
    assert.ok(first?.type === 'run.started');
    const chunk = rest.map((event) =>
      event.type === 'message.chunk' && event.role === 'execute'
        ? { ...event, derived: { ...event.derived, text: hostile } }
        : event,
    );
    const opened = chunk.map((event) =>
      event.type === 'finding.opened' ? { ...event, finding: { ...event.finding, title: hostile } } : event,
    );
    const text = markdown([{ ...first, run: { ...first.run, task: hostile } }, ...opened]);
    const structure = text.split('\n').filter((line) => !line.startsWith('>'));
    assert.deepEqual(
      structure.filter((line) => /^#+ Mine/.test(line)),
      [],
    );
    for (const line of structure) assert.ok(!line.includes('<script>'), line);
    const row = structure.find((line) => line.startsWith('| F1 ')) ?? '';
    assert.equal(row.replaceAll('\\|', '').split('|').length, 8, 'the cells of a row stay its cells');
  });

  it('says how a run stands that has no ending, and that one was undone', () => {
    assert.match(markdown(WAITING_RUN, 'interrupted'), /\*\*None: the run is interrupted\.\*\*/);
    assert.match(markdown(stamped(STORY)), /Afterwards the folder was put back as it was before the run\./);
  });
});

describe('findings as SARIF', () => {
  const finding = (more: Partial<Finding>): Finding => ({
    id: 'F1',
    severity: 'major',
    title: 'T',
    detail: 'D',
    openedInRound: 1,
    status: 'open',
    ...more,
  });
  const sarif = (findings: readonly Finding[], prefix = '', more: Partial<RunExport> = {}) => {
    const run = { ...exported(TWO_ROUND_RUN), findings, ...more };
    return sarifShape.parse(exportSarif(run, { name: 'cgloop', version: '1.2.3' }, prefix));
  };

  it('is valid, with a rule and level for each severity, and only what is open', () => {
    const [run] = sarif([
      finding({ severity: 'blocker', file: 'a.ts', line: 3, suggestion: 'S' }),
      finding({ severity: 'major', file: 'a.ts', status: 'regressed' }),
      finding({ severity: 'minor', file: './b c/ü.ts', line: 1 }),
      finding({ severity: 'nit', file: 'b\\d.ts' }),
      finding({ file: 'a.ts', status: 'fixed' }),
      finding({ file: 'a.ts', status: 'dismissed' }),
    ]).runs;
    assert.deepEqual(
      run?.results.map(({ ruleId, level, locations: [place] }) => [
        ruleId,
        level,
        place?.physicalLocation.artifactLocation.uri,
        place?.physicalLocation.region?.startLine,
      ]),
      [
        ['cgloop/blocker', 'error', 'a.ts', 3],
        ['cgloop/major', 'error', 'a.ts', undefined],
        ['cgloop/minor', 'warning', 'b%20c/%C3%BC.ts', 1],
        ['cgloop/nit', 'note', 'b/d.ts', undefined],
      ],
    );
    assert.equal(run?.results[0]?.message.text, 'T\n\nD\n\nSuggestion: S');
    assert.equal(run?.invocations[0]?.executionSuccessful, true);
  });

  it('names files from the root of the repository, and keeps apart what has no place in it', () => {
    const { folder } = HEADER;
    const [run] = sarif(
      [
        finding({ file: `${folder}/src/a.ts`, line: 2 }),
        finding({ title: 'No file' }),
        finding({ title: 'Outside', file: '/etc/passwd' }),
        finding({ title: 'Above', file: '../x.ts' }),
        finding({ title: 'Line 0', file: 'a.ts', line: 0 }),
      ],
      'packages/one/',
    ).runs;
    assert.deepEqual(
      run?.results.map(({ locations: [place] }) => place?.physicalLocation.artifactLocation.uri),
      ['packages/one/src/a.ts', 'packages/one/a.ts'],
    );
    assert.deepEqual(
      run?.invocations[0]?.toolExecutionNotifications.map(({ message }) => message.text.split('\n')[0]),
      ['No file', 'Outside', 'Above'],
    );
  });

  it('gives a finding the same mark when its line moves, and says when there was no verdict', () => {
    const markOf = (line: number) =>
      sarif([finding({ file: 'a.ts', line })]).runs[0]?.results[0]?.partialFingerprints['cgloopFinding/v1'];
    assert.equal(markOf(3), markOf(30));
    assert.equal(
      sarif([finding({ file: 'a\ud800.ts' })]).runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri,
      'a%EF%BF%BD.ts',
    );
    const failed = sarif([], '', { ending: { type: 'noVerdict', message: 'empty' } });
    assert.equal(failed.runs[0]?.invocations[0]?.executionSuccessful, false);
  });
});
