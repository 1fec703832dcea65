import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startRun } from '../../src/loop/startRun.ts';
import { assertNothingAlive, MARK_VARIABLE, newMark } from '../e2e/harness/processAudit.ts';

/** `DEEP=1`: 100 runs of 5 rounds in one process, whose memory must not grow (E7). Otherwise a few, for what they leave. */
const RUNS = process.env.DEEP === '1' ? 100 : 3;
const ROUNDS = process.env.DEEP === '1' ? 5 : 2;

describe('E7: many runs in one process', () => {
  it(`${RUNS} runs of ${ROUNDS} rounds leave nothing behind`, async function () {
    this.timeout(RUNS * 60_000);
    const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-soak-')));
    const mark = newMark();
    const resident: number[] = [];
    try {
      for (let nth = 0; nth < RUNS; nth++) {
        const folder = path.join(scratch, `project-${nth}`);
        fs.mkdirSync(folder);
        const entry = {
          env: { CGLOOP_DEMO_SPEED: '0', CGLOOP_DEMO_SCENARIO: 'stubborn', [MARK_VARIABLE]: mark },
          mcpServers: {},
        };
        const agents = path.resolve('dist/demo-agents.cjs');
        const started = await startRun(
          {
            task: 'Write slugify(title).',
            folder,
            executor: 'soak-executor',
            reviewer: 'soak-reviewer',
            executorModel: null,
            reviewerModel: null,
            rounds: ROUNDS,
            threshold: 9,
            turnLimitSeconds: 60,
            permissionMode: 'edits',
            trusted: true,
            interactive: false,
            stateFolder: path.join(scratch, 'state'),
            executablePaths: {},
            agents: {
              'soak-executor': {
                ...entry,
                protocol: 'claude-stream-json',
                command: process.execPath,
                args: [agents, 'executor'],
              },
              'soak-reviewer': { ...entry, protocol: 'acp', command: process.execPath, args: [agents, 'reviewer'] },
            },
          },
          new AbortController().signal,
          { files: null, unsaved: null },
        );
        assert.ok(started.type === 'started', JSON.stringify(started));
        const ending = await started.run.done;
        assert.equal(ending.type, 'notApproved');
        globalThis.gc?.();
        resident.push(process.memoryUsage().rss);
      }
      await assertNothingAlive(mark);
      const third = Math.floor(RUNS / 3);
      const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const ratio = mean(resident.slice(-third)) / mean(resident.slice(third, 2 * third));
      if (process.env.DEEP === '1')
        assert.ok(ratio <= 1.05, `the last third holds ${ratio.toFixed(3)} of the middle one`);
    } finally {
      fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
    }
  });
});
