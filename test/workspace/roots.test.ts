import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { FileRefused } from '../../src/scheduler/fileService.ts';
import { openRoot, partsBelow, pathFault, placeOf, samePlace } from '../../src/workspace/roots.ts';
import { clear, temporary } from './grounds.ts';

describe('paths and roots', () => {
  afterEach(clear);

  it('C67 (P16): the case of a drive letter or a folder makes no difference on Windows and macOS, and does on Linux', () => {
    assert.deepEqual(partsBelow('C:\\Proj\\a.txt', 'c:\\proj', 'win32'), ['a.txt']);
    assert.deepEqual(partsBelow('/Users/Me/proj/a', '/users/me/Proj', 'darwin'), ['a']);
    assert.equal(partsBelow('/home/Me/a', '/home/me', 'linux'), null);
  });

  it('C63 (P04): whole names are compared', () => {
    assert.equal(partsBelow('/ws-secret/x', '/ws', 'linux'), null);
    assert.deepEqual(partsBelow('/ws', '/ws', 'linux'), []);
    assert.deepEqual(partsBelow('/ws/..x/y', '/ws', 'linux'), ['..x', 'y']);
    assert.equal(partsBelow('/w', '/ws', 'linux'), null);
    assert.deepEqual(partsBelow('/anything', '/', 'linux'), ['anything']);
  });

  it('P18: a network share or a device is refused before any file system is asked', () => {
    for (const written of ['\\\\10.0.0.5\\share\\a.txt', '//10.0.0.5/share/a.txt', '\\\\?\\C:\\proj\\a.txt'])
      assert.equal(pathFault(written, 'win32')?.problem, 'outside', written);
  });

  it('P01, P10, P13, P62: what is no absolute path is invalid', () => {
    const wrong = [
      'a.txt',
      '',
      'file:///ws/a.txt',
      'untitled:Untitled-1',
      '/ws/a\0.txt',
      './a',
      'vscode-vfs://github/a',
    ];
    for (const written of wrong) assert.equal(pathFault(written, 'linux')?.problem, 'invalid', written);
    for (const written of ['\\a.txt', 'C:a.txt', 'C:\\a.txt:hidden', 'file:///C:/a.txt'])
      assert.equal(pathFault(written, 'win32')?.problem, 'invalid', written);
    assert.equal(pathFault('C:\\proj\\a.txt', 'win32'), null);
    assert.match(pathFault('file:///ws/a', 'linux')?.message ?? '', /an address: an absolute path is needed/);
  });

  it('follows links before it compares, and says where they lead', () => {
    const [inside, outside] = [temporary(), temporary()];
    fs.symlinkSync(outside, path.join(inside, 'away'));
    fs.symlinkSync('real', path.join(inside, 'link'));
    const roots = [openRoot(inside)];
    const place = placeOf(path.join(inside, 'link', 'x', '..', 'a.txt'), roots);
    assert.deepEqual([place.path, place.parts], [path.join(inside, 'real', 'a.txt'), ['real', 'a.txt']]);
    assert.throws(
      () => placeOf(path.join(inside, 'away', 'a.txt'), roots),
      (error) =>
        error instanceof FileRefused && error.problem === 'outside' && error.message.includes(`leads to ${outside}`),
    );
    fs.symlinkSync('circle', path.join(inside, 'circle'));
    assert.throws(() => placeOf(path.join(inside, 'circle'), roots), /circle/);
  });

  it('takes no place for the same that has become a link', () => {
    const inside = temporary();
    const roots = [openRoot(inside)];
    const { path: located } = placeOf(path.join(inside, 'a.txt'), roots);
    assert.equal(samePlace(located, roots).path, located);
    fs.mkdirSync(path.join(inside, '.git'));
    fs.symlinkSync('.git/config', path.join(inside, 'a.txt'));
    assert.throws(() => samePlace(located, roots), /replaced by a link/);
  });

  it('serves no notebook, whatever the case of its ending', () => {
    const roots = [openRoot(temporary())];
    const [{ path: root = '' } = {}] = roots;
    for (const name of ['n.ipynb', 'N.IPYNB']) assert.throws(() => placeOf(path.join(root, name), roots), /notebook/);
  });

  it('never says the words of a missing file for another problem, also where a name holds them', () => {
    const roots = [openRoot(temporary())];
    for (const name of ['/ENOENT', '/No such file', '/it does not exist', '/resource not found'])
      assert.throws(
        () => placeOf(name, roots),
        (error) =>
          error instanceof FileRefused && !/ENOENT|no such file|does not exist|resource not found/i.test(error.message),
      );
  });
});
