/** Programs that run the command that follows. */
const WRAPPERS = new Set([
  'npx',
  'bunx',
  'env',
  'time',
  'command',
  'exec',
  'nice',
  'cross-env',
  'c8',
  'nyc',
  'xvfb-run',
  'winpty',
]);
/** Programs that do so with this word after them. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  bun: ['x'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  bundle: ['exec'],
  coverage: ['run'],
  python: ['-m'],
  python3: ['-m'],
  py: ['-m'],
};

/** The words of a command without assignments and wrappers before the program, and without their own options. */
export function withoutWrappers(words: readonly string[]): readonly string[] {
  let rest = words;
  for (;;) {
    const [first = '', second = ''] = rest;
    const name = programOf(first);
    const runs = RUNS[name];
    if (/^[A-Za-z_]\w*=/.test(first)) rest = rest.slice(1);
    else if (WRAPPERS.has(name)) rest = withoutOptions(rest.slice(1));
    else if (runs?.includes(second)) rest = withoutOptions(rest.slice(2));
    else return rest;
  }
}

function withoutOptions(words: readonly string[]): readonly string[] {
  const from = words.findIndex((word) => !word.startsWith('-'));
  return from < 0 ? [] : words.slice(from);
}

/** The name of a program as it is written: `./node_modules/.bin/mocha.cmd` → `mocha`. */
export function programOf(written: string): string {
  const name = written.slice(Math.max(written.lastIndexOf('/'), written.lastIndexOf('\\')) + 1);
  return name.replace(/\.(?:exe|cmd|bat|ps1)$/i, '').toLowerCase();
}
