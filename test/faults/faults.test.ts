import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { breakRun, FAULTS, type Fault, type FaultyRole, MOMENTS } from './matrix.ts';

/** `DEEP=1`: the whole matrix (E1). Otherwise each fault and each moment at least once for each role. */
const DEEP = process.env.DEEP === '1';
/** Faults that a run outlives: the agent goes on after them. */
const HARMLESS = ['noise', 'longLine', 'unknownVariants', 'malformed'];

/** Those that do not run out a time limit. */
const QUICK: readonly Fault[] = FAULTS.filter((fault) => !['hang', 'deaf', 'mute', 'wrongIds'].includes(fault));

describe('E1: an agent that breaks', () => {
  before(function () {
    this.timeout(60_000);
    execFileSync(process.execPath, ['esbuild.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  });

  for (const role of ['executor', 'reviewer'] satisfies FaultyRole[]) {
    const moments = MOMENTS[role];
    for (const fault of FAULTS) {
      for (const [at, moment] of moments.entries()) {
        // Hanging runs out its whole time limit: the short form has it once for each role.
        const nth = QUICK.indexOf(fault);
        const inShortForm =
          nth < 0
            ? moment === 'initialize' || (fault === 'hang' && moment === 'tool')
            : at === nth % moments.length || at % QUICK.length === nth;
        if (!DEEP && !inShortForm) continue;
        it(`${role} · ${fault} · ${moment}`, async function () {
          this.timeout(60_000);
          const result = await breakRun(role, fault, moment);
          const whole = ['approved', 'notApproved'];
          if (moment === 'cancel') assert.equal(result, 'stopped');
          else if (HARMLESS.includes(fault) || moment === 'shutdown' || answersNothing(role, fault, moment))
            assert.ok(whole.includes(result), result);
          else if (['initialize', 'authenticate', 'new'].includes(moment)) assert.match(result, /problems|cancelled/);
          else assert.match(result, /^failed: |^noVerdict$/);
        });
      }
    }
  }
});

/** Claude Code answers us once, at `initialize`: later there is no answer whose id could be wrong. */
function answersNothing(role: FaultyRole, fault: string, moment: string): boolean {
  return role === 'executor' && fault === 'wrongIds' && moment !== 'initialize';
}
