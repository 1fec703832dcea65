import assert from 'node:assert/strict';
import type { World } from '../e2e/loopWorld.ts';
import { type Measured, measure } from './cpuTime.ts';
import { TASK } from './loopStory.ts';

/**
 * The loop as people write it themselves: `claude -p`, then `gemini -p`, each in a new process, the texts handed over.
 * Gemini's model is the automatic one, as in that plan. Gives every round's two processes.
 */
export async function runNaively({ clis, project }: World, rounds: number): Promise<readonly Measured[]> {
  // A folder that its owner has trusted once.
  const options = { cwd: project.folder, env: { ...clis.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' } };
  const all: Measured[] = [];
  const run = async (program: string, ...args: readonly string[]) => {
    const measured = await measure(program, args, options);
    assert.equal(measured.code, 0, measured.stderr);
    all.push(measured);
    return measured.stdout.trim();
  };
  let output = '';
  let review = '';
  for (let round = 1; round <= rounds; round++) {
    const before = round === 1 ? '' : `\n\nYour previous output:\n${output}\n\nThe review of it:\n${review}\n\nRevise.`;
    output = await run(clis.claudePath, '-p', TASK + before, '--permission-mode', 'acceptEdits');
    review = await run(
      clis.geminiPath,
      '-p',
      `Review this as an expert. Give a score from 1 to 10, the problems, concrete fixes, and APPROVED on the last line at 9 or more.\n\nTask:\n${TASK}\n\nResult:\n${output}`,
    );
  }
  assert.match(review, /APPROVED$/);
  return all;
}
