import fs from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';

/**
 * In the npm-made VS Code, console output goes to a file that its launcher follows: in order, without the workbench's
 * own messages, and complete even if the host crashes.
 */
function followConsole(): void {
  const file = process.env.HOST_TEST_OUTPUT;
  if (!file) return;
  for (const name of ['log', 'info', 'debug', 'warn', 'error'] as const) {
    // VS Code made these properties with a setter that does nothing, so plain assignment has no effect.
    Object.defineProperty(console, name, {
      value: (...args: unknown[]) => fs.appendFileSync(file, `${format(...args)}\n`),
    });
  }
}

/** Runs every bundled `*.test.cjs` beside it; VS Code calls it in the extension host. Rejects when a test failed. */
export async function run(): Promise<void> {
  followConsole();
  const { default: Mocha } = await import('mocha'); // after followConsole: its reporters keep console.log
  const mocha = new Mocha({ timeout: 60_000, color: Boolean(process.env.FORCE_COLOR) });
  if (process.env.MOCHA_GREP) mocha.grep(process.env.MOCHA_GREP);
  const files = fs.readdirSync(__dirname, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.test.cjs')).sort())
    mocha.addFile(path.join(__dirname, file));
  let pending = 0;
  let passed = 0;
  const failed = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pending', () => {
      pending += 1;
    });
    runner.on('pass', () => {
      passed += 1;
    });
  });
  // The proof that the suites came to their end: a crashed host can end with code 0.
  if (process.env.HOST_TEST_RESULT) {
    fs.writeFileSync(process.env.HOST_TEST_RESULT, JSON.stringify({ passed, failed, pending }));
  }
  if (failed > 0) throw new Error(`${failed} test(s) failed`);
}
