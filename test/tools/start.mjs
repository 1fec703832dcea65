// `npm start`: builds, then opens the extension in VS Code on a sample project with the demo agents ready. A desktop VS Code when
// `code` is on the PATH, else (or with `-- --browser`) the server that the tests use, on this machine only, behind a token.
import { spawnSync } from 'node:child_process';
import { register } from 'tsx/esm/api';

const built = spawnSync(process.execPath, ['esbuild.mjs'], { stdio: ['ignore', 2, 2] });
if (built.status !== 0) process.exit(1);
register();
const { start } = await import('./start.ts');
process.exitCode = await start(process.argv.includes('--browser'));
