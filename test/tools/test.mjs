// `npm test [-- STEP …]`: every step in order, each step's tests counted, and the sum on the last line.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { STEP_VARIABLE, stillAlive } from './stillAlive.mjs';

const MOCHA = ['node_modules/mocha/bin/mocha.js', '--reporter', 'test/tools/countReporter.cjs'];
const UNIT = [
  'architecture',
  'protocol',
  'transport',
  'agent',
  'scheduler',
  'loop',
  'session',
  'shared',
  'host',
  'cli',
  'demo',
  'webview',
  'cases',
  'fakes',
  'bench',
  'tools',
  'transcripts',
];

/** What starts many processes, tries very many cases, or lets agents run out their time limits: not for `test:fast`. */
const SLOW = [
  'test/agent/acpFaults.test.ts',
  'test/agent/claudeCli.test.ts',
  'test/cli/killed.test.ts',
  'test/cli/nodeFs.test.ts',
  'test/cli/program.test.ts',
  'test/faults/**/*.test.ts',
  'test/loop/commitRun.test.ts',
  'test/loop/deleteRuns.test.ts',
  'test/loop/reviewProperties.test.ts',
  'test/loop/reviewStep.test.ts',
  'test/loop/settleWorktree.test.ts',
  'test/loop/terminals.test.ts',
  'test/loop/undoRun.test.ts',
  'test/package/**/*.test.ts',
  'test/session/kill.test.ts',
  'test/transport/childProcess.test.ts',
  'test/workspace/**/*.test.ts',
];

/** Steps of commands, which run side by side, count as one test each; mocha steps report their own counts. */
const STEPS = {
  types: {
    commands: [
      ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'],
      ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'webview'],
      ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'test/webview'],
    ],
  },
  lint: { commands: [['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']] },
  build: { commands: [['esbuild.mjs']] },
  unit: {
    mocha: [
      ...MOCHA,
      ...SLOW.flatMap((file) => ['--ignore', file]),
      ...UNIT.map((folder) => `test/${folder}/**/*.test.{ts,tsx}`),
    ],
  },
  slow: { mocha: [...MOCHA, ...SLOW] },
  e2e: { mocha: [...MOCHA, '--timeout', '180000', 'test/e2e/**/*.test.ts'] },
  vscode: { mocha: ['--import', 'tsx', 'test/runTest.ts'] },
  // On the installed VSIX: a suite that is run by itself takes the checkout as it was built.
  ui: {
    mocha: [...MOCHA, '--timeout', '180000', 'test/vscode/ui/**/*.test.ts'],
    env: { CGLOOP_VSIX: '1' },
  },
};
const FAST = ['types', 'lint', 'build', 'unit'];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== 'fast' && !(name in STEPS));
if (unknown.length > 0) {
  console.error(`Unknown step: ${unknown.join(', ')}. Steps: fast, ${Object.keys(STEPS).join(', ')}`);
  process.exit(2);
}
const names = asked.length === 0 ? Object.keys(STEPS) : asked.flatMap((name) => (name === 'fast' ? FAST : [name]));

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-test-'));
const total = { passed: 0, failed: 0, pending: 0 };
const failedSteps = [];

function run(args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

for (const name of names) {
  const began = Date.now();
  console.log(`\n── ${name}`);
  const step = STEPS[name];
  let ok = true;
  if (step.commands) {
    const codes = await Promise.all(step.commands.map((command) => run(command)));
    ok = codes.every((code) => code === 0);
    total[ok ? 'passed' : 'failed']++;
  } else {
    const file = path.join(scratch, `${name}.jsonl`);
    const mark = randomUUID();
    const code = await run(step.mocha, { ...step.env, TEST_COUNT_FILE: file, [STEP_VARIABLE]: mark });
    const alive = await stillAlive(mark);
    const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [];
    const counts = lines.map((line) => JSON.parse(line));
    for (const count of counts) for (const key of Object.keys(total)) total[key] += count[key];
    const failures = counts.reduce((sum, count) => sum + count.failed, 0);
    ok = code === 0 && failures === 0;
    // A runner that died without a count, or counted nothing, has failed as a whole.
    if ((code !== 0 && failures === 0) || counts.length === 0) {
      ok = false;
      total.failed++;
    }
    if (alive.length > 0) {
      console.log(`Still alive after the step:\n${alive.join('\n')}`);
      ok = false;
      total.failed++;
    }
  }
  if (!ok) failedSteps.push(name);
  console.log(`── ${name}: ${ok ? 'ok' : 'FAILED'} (${Math.round((Date.now() - began) / 1000)} s)`);
}

fs.rmSync(scratch, { recursive: true, force: true });
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(', ')}`);
console.log(`${total.passed} passed, ${total.failed} failed${total.pending > 0 ? `, ${total.pending} skipped` : ''}`);
process.exitCode = failedSteps.length > 0 ? 1 : 0;
