import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
] as const;

function findOnPath(): string | null {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of NAMES) {
      const file = path.join(folder, name);
      if (fs.existsSync(file)) return file;
    }
  }
  return null;
}

/**
 * The absolute path of a Chromium: `CHROMIUM`, else the first found on PATH, else Debian's own, installed with apt-get
 * when we are root. Throws with the way out when there is none.
 */
export function ensureBrowser(): string {
  const named = process.env.CHROMIUM;
  if (named) {
    if (fs.existsSync(named)) return named;
    throw new Error(`CHROMIUM names ${named}, which does not exist. Correct it, or unset it to search PATH.`);
  }
  const found = findOnPath();
  if (found) return found;
  const apt = '/usr/bin/apt-get';
  if (process.getuid?.() === 0 && fs.existsSync(apt)) {
    console.error(
      'No Chromium on PATH: installing Debian’s with apt-get (about 100 MB to fetch, 400 MB on disk, once)',
    );
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const run = (...args: string[]) =>
      spawnSync(apt, args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
    // A stale package list may still do, so only the second step decides.
    run('-qq', 'update');
    const installed = run('-qq', 'install', '-y', '--no-install-recommends', 'chromium');
    const browser = findOnPath();
    if (installed && browser) return browser;
    throw new Error(
      'apt-get could not install chromium (see above). Install it by hand, or set CHROMIUM to a browser.',
    );
  }
  throw new Error('No Chromium, Chrome or Edge found on PATH. Install one, or set CHROMIUM to its path.');
}
