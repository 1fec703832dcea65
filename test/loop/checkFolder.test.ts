import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { checkFolder } from '../../src/loop/checkFolder.ts';

const SOURCE = fileURLToPath(new URL('../../src/loop/checkFolder.ts', import.meta.url));

describe('the folder of a run', () => {
  let root: string;
  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-check-')));
    fs.mkdirSync(path.join(root, 'home', 'project'), { recursive: true });
    fs.symlinkSync(path.join(root, 'home'), path.join(root, 'link'));
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));
  const said = (folder: string, ...more: [boolean?, ((folder: string) => boolean)?]) => {
    const checked = checkFolder(folder, path.join(root, 'home'), ...more);
    return checked.type === 'folder' ? checked.path : `${checked.problem.what} ${checked.problem.fix}`;
  };

  it('is one that exists, its links resolved', () => {
    assert.equal(said(path.join(root, 'link', 'project')), path.join(root, 'home', 'project'));
    assert.match(said(path.join(root, 'gone')), /^There is no folder .*gone\. Name the folder of a project\.$/);
    fs.writeFileSync(path.join(root, 'file'), '');
    assert.match(said(path.join(root, 'file')), /^There is no folder/);
  });

  it('C18: is neither the home folder, by whatever name, nor a root', () => {
    for (const folder of ['home', 'link'])
      assert.match(said(path.join(root, folder)), /is your home folder: agents would/);
    assert.match(said(path.parse(root).root), /is the root of a disk/);
  });

  it('does not lie in the inside of a repository', () => {
    const hooks = path.join(root, 'home', 'project', '.git', 'hooks');
    fs.mkdirSync(hooks, { recursive: true });
    for (const folder of [hooks, path.dirname(hooks)]) assert.match(said(folder), /lies in what git keeps/);
    const bare = path.join(root, 'home', 'bare');
    spawnSync('git', ['init', '--quiet', '--bare', bare]);
    for (const folder of [bare, path.join(bare, 'refs')]) assert.match(said(folder), /lies in what git keeps/);
    // As people keep their work trees beside it.
    const tree = path.join(bare, 'main');
    fs.mkdirSync(tree);
    fs.writeFileSync(path.join(tree, '.git'), 'gitdir: elsewhere\n');
    assert.equal(said(tree), tree);
    const alike = path.join(root, 'home', 'project.git');
    fs.mkdirSync(alike);
    assert.equal(said(alike), alike);
  });

  it('can be written, unless the run only reads', () => {
    const project = path.join(root, 'home', 'project');
    assert.match(
      said(project, true, () => false),
      /project is read-only for you: .*the mode Read-only\.$/,
    );
    assert.equal(
      said(project, false, () => false),
      project,
    );
    assert.equal(said(project, true), project);
  });

  it('is found to be read-only by the rights of the disk', function () {
    if (process.platform === 'win32') this.skip();
    this.timeout(20_000);
    const project = path.join(root, 'home', 'project');
    for (const folder of [root, path.join(root, 'home')]) fs.chmodSync(folder, 0o755);
    fs.chmodSync(project, 0o555);
    if (process.getuid?.() !== 0) {
      assert.match(said(project, true), /is read-only for you/);
      return;
    }
    // Root may write everywhere: the same as somebody else.
    const module = path.join(root, 'checkFolder.mjs');
    buildSync({ entryPoints: [SOURCE], bundle: true, platform: 'node', format: 'esm', outfile: module });
    const script = `import(${JSON.stringify(pathToFileURL(module).href)}).then(({ checkFolder }) =>
      console.log(JSON.stringify(checkFolder(${JSON.stringify(project)}, '/', true))))`;
    const child = spawnSync(process.execPath, ['-e', script], { uid: 65_534, encoding: 'utf8', cwd: root });
    assert.match(child.stdout, /is read-only for you/, child.stderr);
  });
});
