import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCases } from './readCases.ts';
import { KINDS, runCases } from './run.ts';

const handed = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

for (const [kind, runner] of Object.entries(KINDS)) {
  const file = handed(`${kind}.jsonl`);
  // Read before mocha runs: each case is a test of its own.
  const cases = existsSync(file) ? await readCases(file) : [];
  describe(`the handed ${kind} cases`, () => {
    it('are there', () => assert.ok(cases.length > 0, `no cases in ${file}`));
    for (const { id, title, testCase } of cases) {
      it(`${id}: ${title}`, async function () {
        const differences = await runner(testCase);
        // Of another platform, or of an editor: the suite in VS Code runs those.
        if (differences === null) this.skip();
        assert.deepEqual(differences, []);
      });
    }
  });
}

describe('the case runner', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cases-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = async (kind: string, lines: readonly string[]) => {
    const file = join(folder, 'some.jsonl');
    await writeFile(file, lines.join('\n'));
    const printed: string[] = [];
    const code = await runCases([kind, file], (line) => printed.push(line));
    return { code, printed, file };
  };
  const review = (id: string, input: string, expected: object, more: object = {}): string =>
    JSON.stringify({ id, title: `title of ${id}`, input, expected, ...more });

  it('counts, and says what differs in which case', async () => {
    const { code, printed } = await run('reviews', [
      review('A', 'Score: 9/10\n\nAPPROVED', { approved: true, score: 9 }),
      '',
      review('B', 'Score: 9/10', { approved: true, score: 9 }),
    ]);
    assert.deepEqual(printed, ['B title of B: approved: expected true, got false', '1 passed, 1 failed']);
    assert.equal(code, 1);
  });

  it('gives 0 when all pass, also by a tolerated outcome', async () => {
    const tolerated = [{ status: 'not_approved', score: 9 }];
    const { code, printed } = await run('reviews', [review('A', 'Score: 9/10', { status: 'unparsable' }, { tolerated })]);
    assert.deepEqual(printed, ['1 passed, 0 failed']);
    assert.equal(code, 0);
  });

  it('never tolerates an approval that was not expected', async () => {
    const { code } = await run('reviews', [
      review('A', 'Score: 9/10\n\nAPPROVED', { approved: false, score: 9 }, { tolerated: [{ score: 9 }] }),
    ]);
    assert.equal(code, 1);
  });

  it('counts a case that cannot be run as failed', async () => {
    const { code, printed } = await run('reviews', [JSON.stringify({ id: 'A', title: 't' })]);
    assert.match(printed[0] ?? '', /^A t: the case could not be run: .*input/);
    assert.equal(code, 1);
  });

  it('names the line that is not JSON, or has no id', async () => {
    const broken = await run('reviews', [review('A', '', {}), '{"id": ']);
    assert.equal(broken.code, 2);
    assert.ok(broken.printed[0]?.startsWith(`${broken.file}, line 2: not JSON`));
    const nameless = await run('reviews', ['{"title": "x"}']);
    assert.match(nameless.printed[0] ?? '', /line 1: a case is an object with a text "id"/);
  });

  it('says what it lacks: the kind, the file, a case', async () => {
    const printed: string[] = [];
    const print = (line: string) => printed.push(line);
    assert.equal(await runCases(['constructor', 'x.jsonl'], print), 2);
    assert.equal(await runCases([], print), 2);
    assert.equal(await runCases(['reviews', join(folder, 'missing.jsonl')], print), 2);
    assert.match(printed.join('\n'), /^Unknown kind of cases: constructor\nUsage: .*reviews\|ndjson.*\nUsage.*\nCannot read .*missing\.jsonl/s);
    assert.equal((await run('reviews', [''])).code, 2);
  });
});
