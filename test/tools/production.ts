import fs from 'node:fs';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { bundles } from '../../esbuild.mjs';

export const root = path.resolve(import.meta.dirname, '../..');

/** What esbuild says of a bundle as it is published; nothing is written. `name`: its key in `esbuild.mjs`. */
export async function publishedMetafile(name: string): Promise<Metafile> {
  const { metafile } = await build({
    ...bundles[name],
    absWorkingDir: root,
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    minify: true,
    sourcemap: false,
    write: false,
  });
  if (metafile === undefined) throw new Error(`esbuild said nothing of the bundle ${name}.`);
  return metafile;
}

/** `node_modules/@a/b/x.js` → `@a/b`; null for a file of the project's own. */
export function packageOf(input: string): string | null {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? null;
}

/** Folder of an installed package, relative to the project. */
export function packageFolder(input: string): string | null {
  return /.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? null;
}

/** The parts of the page in bytes: what it loads at its start, and what it loads on demand. */
export interface PageSizes {
  readonly first: number;
  readonly onDemand: number;
  /** The packages of each. */
  readonly packages: { readonly first: readonly string[]; readonly onDemand: readonly string[] };
}

/** Reads them from what esbuild says of the page. Scripts only: styles and fonts are no code. */
export function pageSizes({ outputs }: Metafile): PageSizes {
  const first = new Set<string>();
  const walk = (file: string): void => {
    if (first.has(file)) return;
    first.add(file);
    for (const { kind, path: target } of outputs[file]?.imports ?? []) if (kind === 'import-statement') walk(target);
  };
  const scripts = Object.keys(outputs).filter((file) => file.endsWith('.js'));
  for (const file of scripts) if (path.basename(file) === 'webview.js') walk(file);
  const sum = (files: readonly string[]) => files.reduce((total, file) => total + (outputs[file]?.bytes ?? 0), 0);
  const packages = (files: readonly string[]) =>
    [...new Set(files.flatMap((file) => packagesIn(outputs[file])))].sort();
  const start = [...first];
  const later = scripts.filter((file) => !first.has(file));
  return {
    first: sum(start),
    onDemand: sum(later),
    packages: { first: packages(start), onDemand: packages(later) },
  };
}

function packagesIn(output: Metafile['outputs'][string] | undefined): string[] {
  return Object.entries(output?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) =>
    bytesInOutput > 0 ? (packageOf(input) ?? []) : [],
  );
}

/** Folders of the packages of which something is in an output, styles and fonts included. */
export function bundledFolders({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? input : [])),
  );
  return [...new Set(inputs.flatMap((input) => packageFolder(input) ?? []))];
}

/** The text of a file of the project. */
export function read(file: string): string {
  return fs.readFileSync(path.join(root, file), 'utf8');
}
