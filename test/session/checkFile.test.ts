import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { addConfirmed, readConfirmed, writeConfirmed } from '../../src/session/checkFile.ts';
import { LineFileError } from '../../src/session/lineFile.ts';

const one = { command: 'npm test -- "größer"', definition: 'a'.repeat(64) };
const other = { command: 'make lint', definition: 'b'.repeat(64) };

describe('confirmed checks', () => {
  let state: string;
  beforeEach(() => {
    state = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-state-'));
  });
  afterEach(() => fs.rmSync(state, { recursive: true }));
  const file = () => {
    const [name = ''] = fs.readdirSync(path.join(state, 'checks'));
    return path.join(state, 'checks', name);
  };

  it('are kept for one folder, with the newest definition, where only their owner reads', async () => {
    assert.deepEqual(await readConfirmed(state, '/p'), []);
    await addConfirmed(state, '/p', one);
    await addConfirmed(state, '/p', other);
    await addConfirmed(state, '/p', { ...one, definition: other.definition });
    assert.deepEqual(await readConfirmed(state, '/p'), [{ ...one, definition: other.definition }, other]);
    assert.deepEqual(await readConfirmed(state, '/q'), []);
    if (process.platform !== 'win32') assert.equal(fs.statSync(file()).mode & 0o777, 0o600);
  });

  it('are replaced as a whole', async () => {
    await addConfirmed(state, '/p', one);
    await writeConfirmed(state, '/p', [other]);
    assert.deepEqual(await readConfirmed(state, '/p'), [other]);
  });

  it('outlive a line that was torn by a full disk, and several that are added at once', async () => {
    await addConfirmed(state, '/p', one);
    fs.appendFileSync(file(), '{"command":"npm te');
    await addConfirmed(state, '/p', other);
    assert.deepEqual(await readConfirmed(state, '/p'), [one, other]);
    for (const torn of ['{"format":"cgl', '']) {
      fs.writeFileSync(file(), torn);
      await addConfirmed(state, '/p', one);
      assert.deepEqual(await readConfirmed(state, '/p'), [one]);
    }
    fs.rmSync(file());
    const many = Array.from({ length: 20 }, (_, at) => ({ ...one, command: `check ${at}` }));
    await Promise.all(many.map((check) => addConfirmed(state, '/p', check)));
    const read = await readConfirmed(state, '/p');
    assert.deepEqual(read.map(({ command }) => command).toSorted(), many.map(({ command }) => command).toSorted());
    assert.deepEqual(fs.readdirSync(path.join(state, 'checks')).length, 1);
  });

  it('are none where the file is no such file: an error that names it, and the line', async () => {
    await addConfirmed(state, '/p', one);
    fs.appendFileSync(file(), '{"command":"x","definition":"short"}\nhalf a line');
    await assert.rejects(
      readConfirmed(state, '/p'),
      (error) => error instanceof LineFileError && /line 3/.test(error.message),
    );
    fs.writeFileSync(file(), '{"format":"cgloop-rules","version":1}\n');
    await assert.rejects(readConfirmed(state, '/p'), LineFileError);
  });
});
