// Bundles the programs into dist/. Flags: --production (minified, no maps), --outdir=FOLDER, --watch.
import fs from 'node:fs';
import { build, context } from 'esbuild';
import { keepUsedIcons } from './build/usedIcons.mjs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const dist = process.argv.find((flag) => flag.startsWith('--outdir='))?.slice('--outdir='.length) ?? 'dist';

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  logLevel: 'warning',
  metafile: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};

/** @type {import('esbuild').BuildOptions} */
const node = { ...common, platform: 'node', format: 'cjs', target: 'node20' };

/**
 * The entry of the extension names the workbench, which stays a file of its own: a window that only activates us does not
 * read it. Required, and not imported, because VS Code gives `vscode` to what is required.
 * @type {import('esbuild').Plugin}
 */
const hostOnFirstUse = {
  name: 'host-on-first-use',
  setup({ onResolve }) {
    onResolve({ filter: /\/workbench\.ts$/ }, ({ importer, kind }) =>
      kind === 'dynamic-import' && importer.endsWith('extension.ts') ? { path: './host.cjs', external: true } : null,
    );
  },
};

/**
 * Both faces in one file, because what they share is most of either: the extension requires it, and run as a program it is
 * the `cgloop` of VS Code's terminals.
 */
const HOST = `
export const createWorkbench = async (...parts) => (await import('./src/host/workbench.ts')).createWorkbench(...parts);
if (require.main === module) void import('./src/cli/main.ts');
`;

/** @type {Record<string, import('esbuild').BuildOptions>} */
export const bundles = {
  extension: {
    ...node,
    entryPoints: ['src/host/extension.ts'],
    outfile: `${dist}/extension.cjs`,
    external: ['vscode'],
    plugins: [hostOnFirstUse],
    supported: { 'dynamic-import': false },
  },
  host: {
    ...node,
    stdin: { contents: HOST, resolveDir: import.meta.dirname, sourcefile: 'host.js' },
    outfile: `${dist}/host.cjs`,
    external: ['vscode'],
  },
  cgloop: {
    ...node,
    entryPoints: ['src/cli/main.ts'],
    outfile: `${dist}/cgloop.cjs`,
    banner: { js: '#!/usr/bin/env node' },
  },
  'demo-agents': { ...node, entryPoints: ['src/demo/main.ts'], outfile: `${dist}/demo-agents.cjs` },
  webview: {
    ...common,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    entryPoints: { webview: 'webview/main.tsx' },
    outdir: dist,
    // What is imported on demand becomes a file of its own, and so does what that shares with the start.
    splitting: true,
    chunkNames: 'webview-[name]-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
};

if (import.meta.filename === process.argv[1]) {
  fs.mkdirSync(dist, { recursive: true });
  if (watch) {
    for (const options of Object.values(bundles)) await (await context(options)).watch();
    console.log('Watching. Ctrl+C ends.');
  } else {
    // Those of an earlier build have other names.
    for (const name of fs.readdirSync(dist)) if (/^webview-.*\.js(\.map)?$/.test(name)) fs.rmSync(`${dist}/${name}`);
    const results = await Promise.allSettled(
      Object.entries(bundles).map(async ([name, options]) => {
        const { metafile } = await build(options);
        fs.writeFileSync(`${dist}/${name}.meta.json`, JSON.stringify(metafile));
      }),
    );
    if (results.some((r) => r.status === 'rejected')) process.exitCode = 1;
    else {
      fs.chmodSync(`${dist}/cgloop.cjs`, 0o755);
      if (production) keepUsedIcons(dist);
    }
  }
}
