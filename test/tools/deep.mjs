// `npm run test:deep`: the reliability rows in full (E1–E7 and the walks of the scheduler, rules and commands), which `npm test` runs reduced.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const FILES = [
  'test/cli/killed.test.ts',
  'test/faults/faults.test.ts',
  'test/faults/soak.test.ts',
  'test/loop/quotedVerdict.test.ts',
  'test/loop/reviewProperties.test.ts',
  'test/scheduler/rules.test.ts',
  'test/scheduler/scheduler.property.test.ts',
  'test/scheduler/terminalRequests.test.ts',
  'test/session/kill.test.ts',
  'test/session/logFile.test.ts',
  'test/transport/ndjson.test.ts',
  'test/vscode/ui/killedHost.test.ts',
  'test/workspace/checkpoint.property.test.ts',
  'test/workspace/roots.property.test.ts',
];

// The suites in VS Code take the checkout as it was built.
const built = spawnSync(process.execPath, ['esbuild.mjs'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

const mocha = path.join('node_modules', 'mocha', 'bin', 'mocha.js');
const { status } = spawnSync(
  process.execPath,
  [mocha, '--node-option', 'expose-gc', '--reporter', 'test/tools/countReporter.cjs', '--timeout', '0', ...FILES],
  { stdio: 'inherit', env: { ...process.env, DEEP: '1' } },
);
process.exitCode = status ?? 1;
