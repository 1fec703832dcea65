import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { renderRuns } from '../../src/cli/history.ts';
import { placesIn, UNWRITTEN } from '../../src/demo/story.ts';
import { createDemoProject } from '../../src/loop/demoRun.ts';
import type { RunSummary } from '../../src/session/runs.ts';
import { HEADER, START } from '../fakes/events.ts';

const RUN: RunSummary = {
  id: '20260101-000000-abcdef',
  directory: '/state/runs/x',
  run: HEADER,
  startedAt: START,
  state: 'ended',
  ending: { type: 'approved', score: 9.5 },
  undone: false,
};

const ALL = { search: '', json: false };

describe('history', () => {
  it('lists runs with their outcome, a line each', () => {
    const outcomes = [
      RUN,
      { ...RUN, ending: { type: 'notApproved', cause: 'roundLimit', score: 7, bestRound: 1 } },
      { ...RUN, ending: null, state: 'interrupted' },
      { ...RUN, ending: null, state: 'running' },
      { ...RUN, ending: { type: 'stopped' }, undone: true },
      { ...RUN, run: null, startedAt: null, ending: null, state: 'interrupted' },
    ] as const;
    const lines = renderRuns(outcomes, ALL, 'cgloop', 1000).trimEnd().split('\n');
    assert.equal(lines.length, outcomes.length);
    const words = ['approved 9.5', 'rejected 7', 'interrupted', 'running', 'undone', 'its log cannot be read'];
    for (const [at, word] of words.entries()) assert.ok(lines[at]?.includes(word), `${word}: ${lines[at]}`);
    assert.match(
      lines[0] ?? '',
      /^20260101-000000-abcdef {2}\d{4}-\d\d-\d\d \d\d:\d\d .*Make the sum test pass {2}\(\/home\/me\/project\)$/,
    );
  });

  it('keeps a task on its line, whatever is in it, and within the terminal', () => {
    const told = renderRuns([{ ...RUN, run: { ...HEADER, task: 'a\n\u001b[2Jb'.repeat(50) } }], ALL, 'cgloop', 90);
    assert.equal(told.split('\n').length, 2);
    assert.ok(!told.includes('\u001b'));
    assert.ok(told.length <= 91);
  });

  it('shows on a narrow terminal how a run ended and what it was about, when it was only where it fits', () => {
    for (const columns of [40, 60, 79]) {
      const [first = '', second = '', ...rest] = renderRuns([RUN], ALL, 'cgloop', columns).split('\n');
      assert.match(first, /^20260101-000000-abcdef {2}approved 9\.5(?: {2}\d{4}-\d\d-\d\d \d\d:\d\d)?$/);
      assert.equal(/\d\d:\d\d$/.test(first), columns >= 60);
      assert.match(second, /^ {2}Make the sum test pass/);
      assert.ok(Math.max(first.length, second.length) <= columns);
      assert.deepEqual(rest, ['']);
    }
  });

  it('says how to start where there is nothing yet', () => {
    assert.match(renderRuns([], ALL, 'cgloop', 80), /cgloop "Fix the failing test"/);
  });
});

describe('demo project', () => {
  it('is where the demo agents take up their story', () => {
    const folder = createDemoProject();
    try {
      const { code } = placesIn((relative) => fs.existsSync(path.join(folder, relative)));
      assert.equal(fs.readFileSync(path.join(folder, code), 'utf8'), UNWRITTEN);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
