import assert from 'node:assert/strict';
import { groupRows, runDescription, runRow } from '../../src/host/runRows.ts';
import type { RunSummary } from '../../src/session/runs.ts';
import { english } from '../../src/shared/translate.ts';
import { HEADER } from '../fakes/events.ts';

const HOUR = 60 * 60 * 1000;
const SUMMARY: RunSummary = {
  id: 'r',
  directory: '/state/runs/r',
  run: HEADER,
  startedAt: 0,
  state: 'ended',
  ending: { type: 'approved', score: 9 },
  undone: false,
};
const WORDS = { label: 'l', description: 'd', outcome: 'o' };

describe('the rows of the Runs view', () => {
  const said = (summary: Partial<RunSummary>, scores: readonly (number | null)[], now = 2.5 * HOUR) =>
    runDescription(
      { ...SUMMARY, ...summary },
      { scores, rounds: Math.max(scores.length, 1) },
      'stands so',
      { now, language: 'en' },
      english,
    );

  it('say scores, rounds and age, and how it stands where the scores do not', () => {
    assert.equal(said({}, [8, 9.5]), '8→9.5 · 2 rounds · 2h ago');
    assert.equal(said({ ending: { type: 'stopped' } }, [8]), '8 · 1 round · stands so · 2h ago');
    assert.equal(said({ ending: null, state: 'running' }, []), '1 round · stands so · 2h ago');
    assert.equal(said({ undone: true }, [null, 9]), '–→9 · 2 rounds · undone · 2h ago');
    assert.equal(said({}, [1, 2, 3, 4, 9]), '1→…→9 · 5 rounds · 2h ago');
    assert.equal(said({}, [9], 49 * HOUR), '9 · 1 round · 2d ago');
    assert.equal(said({}, [9], 1), '9 · 1 round · now');
  });

  it('know what can be done with the run', () => {
    const kinds = [
      {},
      { ending: null, state: 'running' },
      { ending: null, state: 'interrupted' },
      { run: null },
    ] as const;
    assert.deepEqual(
      kinds.map((summary) => runRow({ ...SUMMARY, ...summary }, WORDS).kind),
      ['settled', 'running', 'resumable', 'settled'],
    );
  });

  it('stand under their folders, in the order in which they came', () => {
    const row = runRow(SUMMARY, WORDS);
    const of = (folder: string) => ({ run: { ...HEADER, folder }, row });
    const groups = groupRows([of('/p/one'), of('/p/two'), of('/p/one')]);
    assert.deepEqual(
      groups.map(({ folder, label, rows }) => [folder, label, rows.length]),
      [
        ['/p/one', 'one', 2],
        ['/p/two', 'two', 1],
      ],
    );
  });
});
