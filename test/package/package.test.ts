import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { iconsOf, outlineLength } from '../../build/usedIcons.mjs';
import { TOOL_ICONS } from '../../webview/toolIcons.ts';
import { makePackages, type Packages } from '../tools/package.ts';
import { unzip } from './unzip.ts';

const root = path.resolve(import.meta.dirname, '../..');
const text = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');

function run(command: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  return { status, stdout, stderr };
}

function filesUnder(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .toSorted();
}

describe('the packages', function () {
  this.timeout(120_000);
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-packages-')));
  const extension = path.join(scratch, 'vsix/extension');
  let packages: Packages;

  before(async () => {
    packages = await makePackages(scratch);
    unzip(packages.vsix, path.join(scratch, 'vsix'));
  });
  after(() => fs.rmSync(scratch, { recursive: true, force: true }));

  it('have an extension of the programs, the words, the pictures and the licences, and of nothing else', () => {
    const kinds = [
      /^(package\.json|package\.nls(\.zh-cn)?\.json|readme\.md|changelog\.md|LICENSE\.txt|THIRD-PARTY-NOTICES)$/,
      /^bin\/cgloop(\.cmd)?$/,
      /^dist\/(extension|host|demo-agents)\.cjs$/,
      /^dist\/webview[\w.-]*\.(js|css)$/,
      /^dist\/codicon\.ttf$/,
      /^l10n\/bundle\.l10n\.zh-cn\.json$/,
      /^media\/[\w/.-]+\.(svg|png|md)$/,
    ];
    const files = filesUnder(extension);
    assert.deepEqual(
      files.filter((file) => !kinds.some((kind) => kind.test(file))),
      [],
    );
    for (const [index, kind] of kinds.entries())
      assert.ok(
        files.some((file) => kind.test(file)),
        `kind ${index}`,
      );
    assert.ok(fs.statSync(path.join(extension, 'THIRD-PARTY-NOTICES')).size > 1000);
  });

  it('have an extension that is not larger than 600 kB', () => {
    assert.ok(fs.statSync(packages.vsix).size <= 600_000, String(fs.statSync(packages.vsix).size));
  });

  it('hold nothing of the checkout’s sources, maps or paths', () => {
    for (const file of filesUnder(extension).filter((name) => /\.(cjs|js|css)$/.test(name))) {
      const content = fs.readFileSync(path.join(extension, file), 'utf8');
      assert.doesNotMatch(content, /sourceMappingURL/, file);
      assert.ok(!content.includes(root), file);
    }
  });

  it('hold the same files when vsce packs the checkout itself', async () => {
    const listed = await listFiles({ cwd: root, packageManager: PackageManager.None });
    const bundles = /^dist\//;
    // A checkout has README.md where the VSIX has readme.md.
    const names = (files: readonly string[]) =>
      files
        .filter((file) => !bundles.test(file))
        .map((file) => file.replace(/\.txt$/, '').toLowerCase())
        .toSorted();
    assert.deepEqual(names(listed), names(filesUnder(extension)));
    assert.deepEqual(
      listed.filter((file) => bundles.test(file) && /\.(map|meta\.json)$/.test(file)),
      [],
    );
  });

  it('draw every icon that the page names', () => {
    const file = (name: string) => fs.readFileSync(path.join(extension, 'dist', name));
    const characters = new Map(iconsOf(file('webview.css').toString()));
    const font = file('codicon.ttf');
    const pages = filesUnder(path.join(root, 'webview')).filter((name) => name.endsWith('.tsx'));
    const names = pages.flatMap((name) =>
      [...text(`webview/${name}`).matchAll(/<Icon [^>]*?name="([a-z-]+)"/g)].map(([, icon = '']) => icon),
    );
    assert.ok(names.length > 10);
    for (const name of [...names, ...Object.values(TOOL_ICONS)]) {
      const character = characters.get(name);
      assert.ok(character !== undefined && outlineLength(font, character) > 0, name);
    }
    assert.equal(outlineLength(font, characters.get('squirrel') ?? 0), 0);
  });

  it('name every picture and file that the shipped manifest and README need', () => {
    const manifest = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
    for (const file of [manifest.icon, manifest.main]) assert.ok(fs.existsSync(path.join(extension, file)), file);
    for (const key of ['scripts', 'dependencies', 'devDependencies', 'bin', 'private'])
      assert.ok(!(key in manifest), key);
    const readme = fs.readFileSync(path.join(extension, 'readme.md'), 'utf8');
    const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    for (const target of targets.filter((one) => !/^(https:|#)/.test(one))) {
      // VS Code draws no picture of an installed README but from the web, so that its pictures are not packed.
      const where = target.startsWith('media/') ? root : extension;
      assert.ok(fs.existsSync(path.join(where, target)), target);
    }
  });

  it('have a cgloop for VS Code’s terminals that plays the demo to its end', function () {
    if (process.platform === 'win32') this.skip(); // A shell script.
    const env = {
      ...process.env,
      CGLOOP_NODE: process.execPath,
      CGLOOP_HOME: path.join(scratch, 'state'),
      TMPDIR: scratch,
    };
    const played = run(path.join(extension, 'bin/cgloop'), ['demo', '--permission', 'all', '--quiet'], {
      env: { ...env, CGLOOP_DEMO_SPEED: '0' },
    });
    assert.equal(played.status, 0, played.stderr);
    assert.match(played.stdout, /slugify/);
  });

  it('have cgloop alone, which npm installs without asking any registry', function () {
    if (process.platform === 'win32') this.skip(); // Other places.
    const listed = run('tar', ['tzf', packages.tarball]).stdout.trim().split('\n').toSorted();
    const names = [
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES',
      'dist/cgloop.cjs',
      'dist/demo-agents.cjs',
      'package.json',
    ];
    assert.deepEqual(
      listed,
      names.map((name) => `package/${name}`),
    );
    const prefix = path.join(scratch, 'global');
    const installed = run('npm', [
      'i',
      '-g',
      '--offline',
      '--no-audit',
      '--no-fund',
      '--prefix',
      prefix,
      packages.tarball,
    ]);
    assert.equal(installed.status, 0, installed.stderr);
    const { version } = JSON.parse(text('package.json'));
    assert.equal(run(path.join(prefix, 'bin/cgloop'), ['--version']).stdout, `${version}\n`);
  });
});
