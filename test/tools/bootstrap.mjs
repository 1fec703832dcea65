// `node test/tools/bootstrap.mjs NAME …` installs the project's packages when they are missing or out of date, then
// runs the tool test/tools/NAME. Needs nothing but Node and npm, so that it works on a fresh clone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '../..');
const [name = '', ...rest] = process.argv.slice(2);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or newer is needed, this is ${process.version}. See https://nodejs.org`);
  process.exit(1);
}

const lock = createHash('sha256')
  .update(fs.readFileSync(path.join(root, 'package-lock.json')))
  .digest('hex');
const stamp = path.join(root, 'node_modules/.cgloop-installed');
if (!fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== lock) {
  console.error('Installing the packages of package-lock.json …');
  // npm is a script on Windows, which only a shell can start; the command line is constant.
  const { status } = spawnSync('npm ci --ignore-scripts --no-audit --no-fund --loglevel=error', {
    cwd: root,
    shell: true,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    console.error('npm ci failed: see its words above.');
    process.exit(1);
  }
  fs.writeFileSync(stamp, lock);
}

process.chdir(root);
process.argv.splice(2, process.argv.length, ...rest);
await import(pathToFileURL(path.join(import.meta.dirname, `${name}.mjs`)).href);
