// What a step of the tests left running: every process below it carries a variable of its own.
import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The variable of a step; its value is the step's own. Children inherit it, however deep. */
export const STEP_VARIABLE = 'CGLOOP_TEST_STEP';

/**
 * The command lines of living processes that carry the value, read from `/proc` (elsewhere none can be told). What was
 * just ended may take a moment: looked at again for `patience` seconds, which nothing that runs on by itself survives
 * unnoticed.
 *
 * @param {string} value
 * @param {number} patience
 * @returns {Promise<string[]>}
 */
export async function stillAlive(value, patience = 10) {
  let alive = carriers(value);
  for (let attempt = 0; alive.length > 0 && attempt < patience * 5; attempt++) {
    await wait(200);
    alive = carriers(value);
  }
  return alive;
}

function carriers(value) {
  if (process.platform !== 'linux') return [];
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const variables = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        if (!variables.includes(`${STEP_VARIABLE}=${value}`)) return [];
        return [`${pid} ${fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()}`];
      } catch {
        return []; // It ended while we looked, or it is another user's.
      }
    });
}
