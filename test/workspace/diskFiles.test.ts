import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { FileRefused } from '../../src/scheduler/fileService.ts';
import { overwriteWhole, readDisk, writeDisk } from '../../src/workspace/diskFiles.ts';
import { withRootedFile } from '../../src/workspace/rootedFile.ts';
import { openRoot, placeOf, type Root } from '../../src/workspace/roots.ts';
import { clear, temporary } from './grounds.ts';

const WHOLE = { line: null, limit: null } as const;
const OPTIONS = { maxBytes: 1000, foreign: null } as const;

/** Linux walks by handle, the others by path with a second look; both ways run wherever links can be made. */
const PLATFORMS = process.platform === 'linux' ? (['linux', 'freebsd'] as const) : [process.platform];

for (const platform of PLATFORMS)
  describe(`files on disk (${platform})`, () => {
    const own = process.platform;
    before(() => Object.defineProperty(process, 'platform', { value: platform }));
    after(() => Object.defineProperty(process, 'platform', { value: own }));

    let inside: string;
    let outside: string;
    let roots: Root[];

    beforeEach(() => {
      [inside, outside] = [temporary(), temporary()];
      roots = [openRoot(inside)];
      fs.writeFileSync(path.join(outside, 'secret.txt'), 'secret');
    });
    afterEach(clear);

    const file = (...names: string[]) => path.join(inside, ...names);
    const place = (...names: string[]) => placeOf(file(...names), roots);
    const read = (...names: string[]) => readDisk(place(...names), WHOLE, OPTIONS);
    const write = (name: string, content: string) => writeDisk(place(...name.split('/')), content, OPTIONS);
    const refuses = (work: Promise<unknown>, problem: FileRefused['problem'], words = /./) =>
      assert.rejects(work, (error) => {
        assert.ok(error instanceof FileRefused, String(error));
        assert.deepEqual([error.problem, words.test(error.message)], [problem, true], error.message);
        return true;
      });

    it('C62: says of a missing file that it is missing, and of nothing else', async () => {
      await refuses(read('none.txt'), 'missing', /^Resource not found: .*none\.txt$/);
      await refuses(read('no', 'such', 'folder.txt'), 'missing');
      fs.writeFileSync(file('a.txt'), 'a');
      await refuses(read('a.txt', 'b.txt'), 'noFile');
      await refuses(write('a.txt/b.txt', 'x'), 'noFile');
      await refuses(read(), 'noFile', /folder/);
    });

    it('C63: does not follow what became a link after it was located', async () => {
      fs.mkdirSync(file('sub'));
      fs.writeFileSync(file('sub', 'secret.txt'), 'mine');
      const [located, fresh] = [place('sub', 'secret.txt'), place('sub', 'new.txt')];
      fs.renameSync(file('sub'), file('moved'));
      fs.symlinkSync(outside, file('sub'));
      for (const work of [
        () => readDisk(located, WHOLE, OPTIONS),
        () => writeDisk(located, 'x', OPTIONS),
        () => writeDisk(fresh, 'x', OPTIONS),
      ])
        await assert.rejects(work(), FileRefused);
      fs.rmSync(file('sub'));
      fs.mkdirSync(file('sub'));
      fs.symlinkSync(path.join(outside, 'secret.txt'), file('sub', 'secret.txt'));
      fs.symlinkSync(path.join(outside, 'made.txt'), file('sub', 'new.txt'));
      await refuses(readDisk(located, WHOLE, OPTIONS), 'outside');
      await refuses(writeDisk(located, 'x', OPTIONS), 'outside');
      await assert.rejects(writeDisk(fresh, 'x', OPTIONS), FileRefused);
      assert.deepEqual(fs.readdirSync(outside), ['secret.txt']);
      assert.equal(fs.readFileSync(path.join(outside, 'secret.txt'), 'utf8'), 'secret');
    });

    it('C63: stays with the opened file when its folder is swapped before the first byte', async () => {
      fs.mkdirSync(file('sub'));
      fs.writeFileSync(file('sub', 'secret.txt'), 'mine');
      const swap = () => {
        fs.renameSync(file('sub'), file('moved'));
        fs.symlinkSync(outside, file('sub'));
      };
      await writeDisk(place('sub', 'secret.txt'), 'theirs', OPTIONS, swap);
      assert.equal(fs.readFileSync(file('moved', 'secret.txt'), 'utf8'), 'theirs');
      assert.equal(fs.readFileSync(path.join(outside, 'secret.txt'), 'utf8'), 'secret');
    });

    it('refuses a root that is another folder now', async () => {
      fs.writeFileSync(file('a.txt'), 'a');
      const located = place('a.txt');
      fs.renameSync(inside, `${inside}-old`);
      fs.mkdirSync(inside);
      fs.writeFileSync(file('a.txt'), 'other');
      await refuses(readDisk(located, WHOLE, OPTIONS), 'outside');
      fs.rmSync(inside, { recursive: true });
      fs.renameSync(`${inside}-old`, inside);
    });

    it('replaces one name of a file with several, and leaves the others as they are', async function () {
      if (process.platform === 'win32') this.skip();
      fs.linkSync(path.join(outside, 'secret.txt'), file('hard.txt'));
      fs.chmodSync(file('hard.txt'), 0o640);
      await write('hard.txt', 'new');
      assert.equal(fs.readFileSync(path.join(outside, 'secret.txt'), 'utf8'), 'secret');
      assert.equal(fs.readFileSync(file('hard.txt'), 'utf8'), 'new');
      assert.equal(fs.statSync(file('hard.txt')).mode & 0o777, 0o640);
      assert.deepEqual(fs.readdirSync(inside), ['hard.txt']);
    });

    it('writes in place: owner, mode and identity of a file stay, also through a link inside', async () => {
      fs.writeFileSync(file('a.txt'), 'longer than what comes', { mode: 0o750 });
      fs.symlinkSync('a.txt', file('link.txt'));
      const before = fs.statSync(file('a.txt'));
      await write('link.txt', 'short');
      const after = fs.statSync(file('a.txt'));
      assert.deepEqual([after.ino, after.mode], [before.ino, before.mode]);
      assert.equal(fs.readFileSync(file('a.txt'), 'utf8'), 'short');
      assert.ok(fs.lstatSync(file('link.txt')).isSymbolicLink());
    });

    it('touches nothing when the content is what is there', async () => {
      fs.writeFileSync(file('a.txt'), 'same\n');
      fs.utimesSync(file('a.txt'), 1000, 1000);
      await write('a.txt', 'same\n');
      assert.equal(fs.statSync(file('a.txt')).mtimeMs, 1_000_000);
    });

    it('P31: leaves a read-only file alone, for the superuser too', async () => {
      fs.writeFileSync(file('ro.txt'), 'mine', { mode: 0o444 });
      await refuses(write('ro.txt', 'x'), 'readOnly', /read-only/);
      assert.equal(fs.readFileSync(file('ro.txt'), 'utf8'), 'mine');
      assert.equal(await read('ro.txt'), 'mine');
    });

    it('opens no pipe, and does not wait for one', async function () {
      if (process.platform === 'win32') this.skip();
      execFileSync('mkfifo', [file('pipe')]);
      await refuses(read('pipe'), 'noFile');
      await refuses(write('pipe', 'x'), 'noFile');
    });

    it('P54: refuses binary files, and does not overwrite them with text', async () => {
      const bytes = Buffer.from('89504e470d0a1a0a0000', 'hex');
      fs.writeFileSync(file('i.png'), bytes);
      await refuses(read('i.png'), 'noText', /binary/);
      await refuses(write('i.png', 'x'), 'noText');
      assert.deepEqual(fs.readFileSync(file('i.png')), bytes);
    });

    it('P48: an existing file keeps exactly one mark or none, a new one holds the bytes as given', async () => {
      fs.writeFileSync(file('bom.cs'), '\uFEFFa\n');
      await write('bom.cs', '\uFEFFb\n');
      assert.equal(fs.readFileSync(file('bom.cs'), 'utf8'), '\uFEFFb\n');
      fs.writeFileSync(file('plain.cs'), 'a\n');
      await write('plain.cs', '\uFEFFb\n');
      assert.equal(fs.readFileSync(file('plain.cs'), 'utf8'), 'b\n');
      await write('new.cs', '\uFEFFb\r\nc\n');
      assert.equal(fs.readFileSync(file('new.cs'), 'utf8'), '\uFEFFb\r\nc\n');
    });

    it('refuses half a character, which could not be written byte for byte', async () => {
      await refuses(write('a.txt', 'x\ud800'), 'invalid');
      assert.equal(fs.existsSync(file('a.txt')), false);
    });

    it('P56, C64: of a file over the limit gives exact windows, and says so when the whole is asked for', async () => {
      const lines = Array.from({ length: 100_000 }, (_, n) => `line ${n} ü\r\n`);
      fs.writeFileSync(file('big.log'), `\uFEFF${lines.join('')}`);
      await refuses(read('big.log'), 'tooLarge', /too large.*limit is 0\.0 MB.*line and limit/);
      const window = (line: number | null, limit: number) => readDisk(place('big.log'), { line, limit }, OPTIONS);
      assert.equal(await window(null, 2), lines.slice(0, 2).join(''));
      assert.equal(await window(30_000, 3), lines.slice(29_999, 30_002).join(''));
      assert.equal(await window(100_000, 9), lines.at(-1));
      assert.equal(await window(100_001, 9), '');
      assert.equal(await window(5, 0), '');
      await refuses(window(1, 50_000), 'tooLarge');
      await refuses(write('big.log', 'x'), 'tooLarge', /^(?!.*line and limit)/);
      await refuses(write('new.log', 'x'.repeat(1001)), 'tooLarge');
    });

    it('C64: takes line 0 for the first, and refuses numbers that are none', async () => {
      fs.writeFileSync(file('a.txt'), '1\n2\n3');
      const window = (line: number | null, limit: number | null) => readDisk(place('a.txt'), { line, limit }, OPTIONS);
      assert.equal(await window(0, 1), '1\n');
      assert.equal(await window(2, null), '2\n3');
      assert.equal(await window(9, null), '');
      for (const wrong of [-1, 1.5, Number.NaN, 2 ** 60]) {
        await refuses(window(wrong, null), 'invalid');
        await refuses(window(null, wrong), 'invalid');
      }
      await refuses(readDisk(place('none.txt'), { line: -1, limit: null }, OPTIONS), 'invalid');
    });

    it('leaves an existing file and makes none when the last look throws', async () => {
      fs.writeFileSync(file('a.txt'), 'mine');
      const no = () => {
        throw new FileRefused('unsaved', 'no');
      };
      await refuses(writeDisk(place('a.txt'), 'x', OPTIONS, no), 'unsaved');
      await refuses(writeDisk(place('sub', 'b.txt'), 'x', OPTIONS, no), 'unsaved');
      assert.equal(fs.readFileSync(file('a.txt'), 'utf8'), 'mine');
      assert.equal(fs.existsSync(file('sub')), false);
    });

    it('puts an existing file back when the disk fails in the middle', async () => {
      fs.writeFileSync(file('a.txt'), 'mine, all of it');
      const located = place('a.txt');
      // What a full disk does: some bytes, then an error.
      const work = withRootedFile(located, 'write', async ({ handle }) => {
        let left = 1;
        const failing = new Proxy(handle, {
          get(target, name) {
            if (name !== 'write') return Reflect.get(target, name).bind(target);
            return (bytes: Uint8Array, at: number, length: number, position: number) => {
              if (left-- === 0) throw Object.assign(new Error('disk'), { code: 'ENOSPC' });
              return target.write(bytes, at, Math.min(length, 4), position);
            };
          },
        });
        await overwriteWhole(failing, Buffer.from('THEIRS, LONGER THAN MINE'), Buffer.from('mine, all of it'));
      });
      await refuses(work, 'failed', /disk is full/);
      assert.equal(fs.readFileSync(file('a.txt'), 'utf8'), 'mine, all of it');
    });
  });
