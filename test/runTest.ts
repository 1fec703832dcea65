/**
 * Runs the suites of `test/vscode/suite` inside a real extension host and exits 0 when all passed.
 *
 * VSCODE_EXECUTABLE (a path) or VSCODE_VERSION (such as `stable`, downloaded) name a desktop VS Code; otherwise the
 * VS Code made of npm packages is used. TEST_COUNT_FILE gets `{"passed":n,"failed":n,"pending":n}`.
 * MOCHA_GREP picks tests; VSCODE_TEST_TIMEOUT limits the whole run in seconds (300).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
const sources = path.join(root, 'test/vscode/suite');
const bundles = path.join(root, 'out/suite');

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
}

/** What the suite wrote at its end. A crashed host can end with code 0, so a missing file is a failure. */
function readCount(file: string, failure: unknown): Count {
  if (!fs.existsSync(file)) {
    console.error(`VS Code ended before its tests did${failure ? `: ${failure}` : ''}`);
    return { passed: 0, failed: 1, pending: 0 };
  }
  const count: Count = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (count.failed === 0 && failure) {
    console.error(`All tests passed, but VS Code ended badly: ${failure}`);
    return { ...count, failed: 1 };
  }
  if (count.passed + count.failed === 0) {
    console.error('No test ran');
    return { ...count, failed: 1 };
  }
  return count;
}

async function bundleSuites(): Promise<void> {
  fs.rmSync(bundles, { recursive: true, force: true });
  const tests = fs.readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.test.ts'));
  await build({
    entryPoints: ['index.ts', ...tests].map((name) => path.join(sources, name)),
    outbase: sources,
    outdir: bundles,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
}

/** A folder to work in, whose own settings try what a hostile repository would. */
function prepareFolder(folder: string): void {
  fs.mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  const settings = {
    'cgloop.executablePaths': { claude: '/workspace/evil', gemini: '/workspace/evil' },
    'cgloop.rounds': 7,
  };
  fs.writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings));
}

async function runSuites(): Promise<Count> {
  await bundleSuites();
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-host-'));
  const folder = path.join(scratch, 'project');
  const resultFile = path.join(scratch, 'result.json');
  prepareFolder(folder);
  const version = process.env.VSCODE_VERSION;
  const executable = process.env.VSCODE_EXECUTABLE ?? path.join(root, 'test/vscode/host/code.mjs');
  let failure: unknown = null;
  try {
    await runTests({
      ...(version ? { version } : { vscodeExecutablePath: executable }),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(bundles, 'index.cjs'),
      extensionTestsEnv: {
        HOST_TEST_RESULT: resultFile,
        VSCODE_TEST_ARTIFACTS: path.join(root, 'test-artifacts'),
        CGLOOP_HOME: path.join(scratch, 'state'),
      },
      launchArgs: [
        folder,
        `--user-data-dir=${path.join(scratch, 'user')}`,
        `--extensions-dir=${path.join(scratch, 'extensions')}`,
      ],
    }).catch((error) => {
      failure = error;
    });
    return readCount(resultFile, failure);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

const count = await runSuites();
if (process.env.TEST_COUNT_FILE) fs.writeFileSync(process.env.TEST_COUNT_FILE, JSON.stringify(count));
process.exitCode = count.failed === 0 ? 0 : 1;
