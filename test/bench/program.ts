import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { bundles } from '../../esbuild.mjs';

/** Bundles a program of this folder as the product is shipped, minified, hands over its file, and removes it again. */
export async function withProgram<T>(
  name: string,
  use: (file: string) => Promise<T>,
  options: Pick<BuildOptions, 'plugins'> = {},
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cgloop-bench-'));
  try {
    const outfile = path.join(folder, `${name}.cjs`);
    const entry = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
    await build({ ...bundles.cgloop, ...options, entryPoints: [entry], outfile, minify: true, sourcemap: false });
    return await use(outfile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
}
