// `npm run demo [-- --scenario NAME]`: builds, then runs the loop with the embedded demo agents.
import { spawnSync } from 'node:child_process';

const built = spawnSync(process.execPath, ['esbuild.mjs'], { stdio: ['ignore', 2, 2] });
if (built.status !== 0) process.exit(1);
const { status, signal } = spawnSync(process.execPath, ['dist/cgloop.cjs', 'demo', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? (signal ? 130 : 1);
