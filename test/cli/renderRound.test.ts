import assert from 'node:assert/strict';
import { createChecks } from '../../src/cli/renderRound.ts';
import { createStyle } from '../../src/cli/style.ts';

const END = { passed: false, exitCode: 1, signal: null, by: 'itself' } as const;

describe('the checks of a run, in a terminal', () => {
  it('are shown without the colours of their runner, and with every other control character as a sign', () => {
    const [esc, bell] = ['\u001b', '\u0007'];
    const text = `${esc}[31m✗ adds${esc}[0m${esc}]0;title${bell} two${bell}\r\n`;
    for (const verbose of [false, true]) {
      const checks = createChecks(verbose, createStyle(false));
      checks.started({ type: 'check.started', checkId: 'k1', command: 'npm test', cwd: '/p', limitSeconds: 9 });
      const shown = [
        ...checks.output({ type: 'check.output', checkId: 'k1', text, skipped: 0 }),
        ...checks.ended({ type: 'check.ended', checkId: 'k1', end: END }),
      ];
      assert.deepEqual(
        shown.filter((line) => line.includes('adds')),
        ['  ✗ adds two␇'],
      );
    }
  });
});
