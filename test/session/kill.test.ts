import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { createEventLog } from '../../src/session/eventLog.ts';
import { openLogFile } from '../../src/session/logFile.ts';
import { readRun } from '../../src/session/replay.ts';
import { clear, PRODUCT, temporary } from './events.ts';

describe('a killed writer (E2)', function () {
  const moments = process.env.DEEP === '1' ? 200 : 12;
  this.timeout(30_000 + moments * 2_000);
  let program = '';
  before(async () => {
    program = path.join(temporary(), 'writer.mjs');
    await build({
      entryPoints: [path.join(import.meta.dirname, 'killedWriter.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
  });
  after(clear);

  it(`loses no event that it wrote, and its run opens as interrupted (${moments} moments)`, async () => {
    const root = temporary();
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), fc.nat(2_000), async (acknowledgements, spin) => {
        const directory = path.join(root, String(n++));
        const child = spawn(process.execPath, [program, directory, '100000'], { stdio: ['ignore', 'pipe', 'inherit'] });
        let said = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          if (said.split('\n').length <= acknowledgements || child.killed) return;
          // Not always at the same place of the writer's loop.
          for (let i = 0; i < spin * 100; i++) Math.sqrt(i);
          child.kill('SIGKILL');
        });
        await once(child, 'close');
        const acknowledged = Number(said.trimEnd().split('\n').at(-1));
        assert.ok(acknowledged >= acknowledgements, 'the writer was killed while it wrote');

        const run = await readRun(directory);
        assert.ok(run.events.length >= acknowledged, `${acknowledged} written, ${run.events.length} read back`);
        assert.deepEqual([run.problems, run.state], [[], 'interrupted']);
        assert.deepEqual(
          run.events.map(({ seq }) => seq),
          run.events.map((_, index) => index + 1),
        );

        const log = createEventLog({ now: () => 1, past: run.events });
        const again = await openLogFile({ directory, product: PRODUCT, onProblem: (message) => assert.fail(message) });
        again.append(log.append({ type: 'run.ended', ending: { type: 'stopped' } }));
        await again.close();
        const continued = await readRun(directory);
        assert.deepEqual([continued.events, continued.state, continued.problems], [log.events, 'ended', []]);
      }),
      { numRuns: moments },
    );
  });
});
