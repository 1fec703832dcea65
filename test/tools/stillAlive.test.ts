import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { STEP_VARIABLE, stillAlive } from './stillAlive.mjs';

describe('what a step of the tests left running', () => {
  it('is found below a program that has ended, and is nothing when all has', async function () {
    if (process.platform !== 'linux') this.skip();
    const mark = randomUUID();
    const env = { ...process.env, [STEP_VARIABLE]: mark };
    const shell = spawn('sh', ['-c', 'sleep 600 & echo $!'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const [pid] = await once(shell.stdout, 'data');
    const alive = await stillAlive(mark, 1);
    process.kill(Number(pid), 'SIGKILL');
    assert.deepEqual(alive, [`${Number(pid)} sleep 600`]);
    assert.deepEqual(await stillAlive(mark), []);
  });
});
