import assert from 'node:assert/strict';
import { childSeconds } from './cpuTime.ts';
import { type Figure, fails, measureFairly, reached, table } from './figure.ts';

const figure = (ratio: number | null, goal: Figure['goal'], value = 2): Figure => ({
  id: 'X1',
  name: 'something',
  value,
  reference: ratio === null ? null : 7,
  ratio,
  goal,
});

/** A bench that gives these ratios one after the other, against a goal of at least 3. */
function benchOf(ratios: readonly number[]) {
  let runs = 0;
  const measure = async () => [figure(ratios[runs++] ?? assert.fail('measured too often'), { is: '≥', number: 3 })];
  return { bench: { ids: ['X1'], measure }, runs: () => runs };
}

describe('bench', () => {
  it('compares the ratio with the goal, and the value where there is no ratio', () => {
    assert.equal(reached(figure(3, { is: '≥', number: 3 })), true);
    assert.equal(reached(figure(2.99, { is: '≥', number: 3 })), false);
    assert.equal(reached(figure(3.01, { is: '≤', number: 3 })), false);
    assert.equal(reached(figure(null, { is: '=', number: 2 })), true);
    assert.equal(reached(figure(null, { is: '=', number: 2 }, 3)), false);
  });

  for (const { ratios, runs, failed } of [
    { ratios: [3], runs: 1, failed: false },
    { ratios: [1, 3, 3], runs: 3, failed: false },
    { ratios: [1, 3, 1], runs: 3, failed: true },
    { ratios: [1, 1], runs: 2, failed: true },
  ]) {
    it(`fails only in two runs of three: ${ratios.join(', ')}`, async () => {
      const told = benchOf(ratios);
      const [row, ...others] = await measureFairly(told.bench);
      assert.ok(row !== undefined);
      assert.deepEqual([told.runs(), fails(row), others.length], [runs, failed, 0]);
      assert.match(table([row]), /^id .*\nX1 {2}something {2}2 .* ≥ 3 /);
    });
  }

  it('reads what the shells print for the time of children', () => {
    assert.equal(childSeconds('0m0.010000s 0m0.000000s\n1m1.500000s 0m0.250000s\n'), 61.75);
    assert.equal(childSeconds('0m0.004s 0m0.001s\n0m1.020s 0m0.190s\n'), 1.21);
    assert.throws(() => childSeconds('nothing of the kind'), /not what `times` prints/);
  });
});
