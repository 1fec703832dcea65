import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { bundles } from '../../esbuild.mjs';
import { makePackages } from '../tools/package.ts';
import type { Bench, Figure } from './figure.ts';
import { median } from './program.ts';

/** Group C but the page's: what is shipped, and what a window pays before the extension is used. */
export const SIZE_BENCHES: readonly Bench[] = [
  { ids: ['C2', 'C4'], measure: () => inFolder(extensionFigures) },
  { ids: ['C3'], measure: () => inFolder(packageFigures) },
];

const PAIRS = 15;
const PROGRAM = path.join(import.meta.dirname, 'activation.cjs');
/** The least that an extension with our two libraries could load. */
const FLOOR = `
import { createMessageConnection } from 'vscode-jsonrpc/node';
import * as z from 'zod';
export const floor = [createMessageConnection, z.strictObject({ text: z.string() })];
`;

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cgloop-bench-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function extensionFigures(folder: string): Promise<readonly Figure[]> {
  const shipped = { minify: true, sourcemap: false } as const;
  // Alone: a host.cjs that it asked for would not be there.
  const extension = path.join(folder, 'extension.cjs');
  const floor = path.join(folder, 'floor.cjs');
  await build({ ...bundles.extension, ...shipped, outfile: extension });
  const { entryPoints: _, banner: __, ...node } = bundles.cgloop ?? {};
  await build({ ...node, ...shipped, stdin: { contents: FLOOR, resolveDir: import.meta.dirname }, outfile: floor });
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    ours.push(Number(activation('cpu', extension)));
    theirs.push(Number(activation('cpu', floor)));
  }
  const calls: readonly string[] = JSON.parse(activation('calls', extension));
  return [
    count('C2', 'kB of dist/extension.cjs', (await stat(extension)).size / 1000, '≤', 350),
    {
      id: 'C4',
      name: 'CPU µs of require + activate / require of vscode-jsonrpc + zod',
      value: median(ours),
      reference: median(theirs),
      ratio: median(ours.map((one, pair) => one / (theirs[pair] ?? Number.NaN))),
      goal: { is: '≤', number: 0.7 },
    },
    count('C4', `processes, files and timers that activate asks for ${calls.join(', ')}`.trim(), calls.length, '=', 0),
  ];
}

async function packageFigures(folder: string): Promise<readonly Figure[]> {
  const { vsix } = await makePackages(folder);
  return [count('C3', 'kB of the VSIX', (await stat(vsix)).size / 1000, '≤', 600)];
}

function activation(what: 'cpu' | 'calls', bundle: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, what, bundle], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

function count(id: string, name: string, value: number, is: '≤' | '=', number: number): Figure {
  return { id, name, value, reference: null, ratio: null, goal: { is, number } };
}
