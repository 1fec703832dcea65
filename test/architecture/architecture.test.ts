import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { bundles } from '../../esbuild.mjs';

/** Folder → what it may import at run time: other folders, single files, and packages. The house plan as data. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'src/protocol': ['zod'],
  'src/transport': ['src/protocol', 'vscode-jsonrpc', 'node:'],
  'src/agent': ['src/protocol', 'src/transport', 'src/shared', 'zod', 'node:'],
  'src/scheduler': ['src/shared', 'node:path'],
  'src/workspace': [
    'src/shared',
    'src/scheduler/commandLine.ts',
    'src/scheduler/fileService.ts',
    'src/transport/childEnv.ts',
    'src/transport/childProcess.ts',
    'src/transport/sweep.ts',
    'zod',
    'src/protocol/parseWire.ts',
    'node:',
  ],
  'src/loop': [
    'src/agent',
    'src/scheduler',
    'src/session',
    'src/workspace',
    'src/shared',
    'zod',
    'src/protocol/parseWire.ts',
    'node:',
  ],
  'src/session': [
    'src/shared',
    'src/protocol/parseWire.ts',
    'src/workspace/claim.ts',
    'src/workspace/processIdentity.ts',
    'zod',
    'node:',
    'package.json',
  ],
  'src/shared': [],
  'src/host': ['src/', '!src/cli', '!src/demo', './host.cjs', 'vscode', 'zod', 'node:'],
  'src/cli': ['src/', '!src/host', '!src/demo', 'commander', 'zod', 'node:', 'package.json'],
  'src/demo': ['node:'],
  webview: ['src/shared', 'preact', '@vscode/codicons', 'marked', 'lowlight', 'highlight.js', 'diff', 'anser'],
};

/** Files that no program loads, and why they stand in `src` all the same. */
const TABLES: Record<string, string> = {
  'src/protocol/provenance.ts': 'the origin of each derived field, enforced by its type',
};

const root = path.resolve(import.meta.dirname, '../..');

function folderOf(file: string): string {
  const folder = Object.keys(MAY_IMPORT).find((name) => file.startsWith(`${name}/`));
  assert.ok(folder, `${file} lies in no folder of the house plan`);
  return folder;
}

/** `node_modules/preact/hooks/x.js` → `preact`; a project file stays as it is. */
function nameOf(target: string): string {
  const found = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(target);
  return found?.[1] ?? target;
}

function isAllowed(from: string, target: string): boolean {
  const folder = folderOf(from);
  if (target.startsWith(`${folder}/`)) return true;
  const rules = MAY_IMPORT[folder] ?? [];
  const matches = (rule: string) =>
    target === rule || target.startsWith(rule.endsWith(':') || rule.endsWith('/') ? rule : `${rule}/`);
  return (
    rules.some((rule) => !rule.startsWith('!') && matches(rule)) &&
    !rules.some((rule) => rule.startsWith('!') && matches(rule.slice(1)))
  );
}

describe('architecture', () => {
  const metafiles = new Map<string, Metafile>();
  /** Project file → the files and packages that it imports at run time, over all bundles. */
  const imports = new Map<string, Set<string>>();

  before(async function () {
    this.timeout(60_000);
    for (const [name, options] of Object.entries(bundles)) {
      const { metafile } = await build({
        ...options,
        absWorkingDir: root,
        write: false,
        metafile: true,
        sourcemap: false,
      });
      assert.ok(metafile);
      metafiles.set(name, metafile);
      for (const [file, input] of Object.entries(metafile.inputs)) {
        if (!/^(src|webview)\//.test(file)) continue;
        const found = imports.get(file) ?? new Set<string>();
        for (const one of input.imports) found.add(nameOf(one.path));
        imports.set(file, found);
      }
    }
  });

  it('imports only what the house plan allows', () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      [...targets]
        .filter((target) => target !== '<runtime>' && !isAllowed(file, target))
        .map((target) => `${file} imports ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('has no cycle, and none of types either', () => {
    const written = new Map(sources().map((file) => [file, writtenImports(file)]));
    for (const graph of [imports, written]) {
      const done = new Set<string>();
      const walk = (file: string, trail: readonly string[]): void => {
        assert.ok(!trail.includes(file), `cycle: ${[...trail, file].join(' → ')}`);
        if (done.has(file)) return;
        for (const target of graph.get(file) ?? []) if (graph.has(target)) walk(target, [...trail, file]);
        done.add(file);
      };
      for (const file of graph.keys()) walk(file, []);
    }
  });

  it('starts processes in one file', () => {
    const users = [...imports]
      .filter(([, targets]) => [...targets].some((t) => /^(node:)?child_process$/.test(t)))
      .map(([file]) => file);
    assert.deepEqual(users, ['src/transport/childProcess.ts']);
  });

  it('keeps zod and Node out of the page', () => {
    const inputs = Object.keys(metafiles.get('webview')?.inputs ?? {});
    assert.ok(inputs.length > 0);
    assert.deepEqual(
      inputs.filter((file) => nameOf(file) === 'zod' || file.startsWith('node:')),
      [],
    );
  });

  it('has no source file that no program uses', () => {
    const isUsed = (file: string) => imports.has(file) || file in TABLES || isTypesOnly(file);
    assert.deepEqual(
      sources().filter((file) => !isUsed(file)),
      [],
    );
  });

  it('keeps names of the house out of vague words', () => {
    assert.deepEqual(
      [...imports.keys()].filter((file) => /(helper|util|manager)s?\b/i.test(path.basename(file))),
      [],
    );
  });
});

/** Every file of ours, from the project's folder on. */
function sources(): readonly string[] {
  return ['src', 'webview'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts')),
  );
}

/** The files of ours that a file names, for their types only too. */
function writtenImports(file: string): readonly string[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/\bfrom '(\.[^']+)'/g)].map(([, target = '']) =>
    path.posix.join(path.posix.dirname(file), target),
  );
}

/** A file of types has nothing at run time, so that no bundle lists it. */
function isTypesOnly(file: string): boolean {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  return !/^export (const|function|class|async|default|\{)/m.test(text);
}
