import assert from 'node:assert/strict';
import { createPace, pieces } from '../../src/demo/pace.ts';
import { type Files, placesIn, reviewOf, scenarioOf, UNWRITTEN, workOf } from '../../src/demo/story.ts';

const SAMPLE = placesIn((relative) => relative === 'src/slugify.mjs');

/** What stands in the files after the executor's first `turns` turns in the sample project. */
function filesAfter(turns: number): Files {
  const files = new Map<string, string>([[SAMPLE.code, UNWRITTEN]]);
  for (let turn = 1; turn <= turns; turn++) {
    const now = { code: files.get(SAMPLE.code) ?? null, test: files.get(SAMPLE.test) ?? null };
    for (const step of workOf(turn, now, SAMPLE).steps) {
      const before = files.get(step.path) ?? '';
      files.set(step.path, step.tool === 'Write' ? step.content : before.replace(step.old, () => step.new));
    }
  }
  return { code: files.get(SAMPLE.code) ?? null, test: files.get(SAMPLE.test) ?? null };
}

describe('demo story', () => {
  it('ends with a function that does what its tests say', async () => {
    const { code, test } = filesAfter(3);
    const module: unknown = await import(`data:text/javascript,${encodeURIComponent(code ?? '')}`);
    assert.ok(typeof module === 'object' && module !== null && 'slugify' in module);
    const { slugify } = module;
    assert.ok(typeof slugify === 'function');
    const cases = [...(test ?? '').matchAll(/slugify\('(.*)'\), '(.*)'/g)];
    assert.equal(cases.length, 5);
    for (const [, title, slug] of cases) assert.equal(slugify(title), slug, title);
  });

  it('has findings in the first two rounds and none in the third', () => {
    assert.deepEqual(
      [1, 2, 3].map((turns) => reviewOf(filesAfter(turns), SAMPLE, 'default').findings.length),
      [2, 2, 0],
    );
    assert.equal(workOf(4, filesAfter(3), SAMPLE).steps.length, 0);
  });

  it('points at the line that it speaks of', () => {
    const finding = reviewOf(filesAfter(1), SAMPLE, 'default').findings[0];
    const lines = (filesAfter(1).code ?? '').split('\n');
    assert.match(lines[(finding?.line ?? 0) - 1] ?? '', /return/);
  });

  it('stays below any threshold when it is stubborn', () => {
    for (const turns of [1, 2, 3, 4, 5]) {
      const review = reviewOf(filesAfter(turns), SAMPLE, 'stubborn');
      assert.ok(!review.approved && review.score <= 6.5 && review.score >= 1 && review.findings.length > 0);
    }
  });

  it('reads the scenario from the environment or from a mark in the task', () => {
    assert.equal(scenarioOf({}, 'task'), 'default');
    assert.equal(scenarioOf({ CGLOOP_DEMO_SCENARIO: 'stubborn' }, 'task'), 'stubborn');
    assert.equal(scenarioOf({}, 'task [demo: stubborn]'), 'stubborn');
  });

  it('cuts a text into pieces that together are the text', () => {
    for (const text of ['', '  a b\n', 'one two three four five six', '{"a":"b c"}\n\n'])
      assert.equal(pieces(text).join(''), text);
  });

  it('waits for nothing at speed 0, and no longer once it is stopped', async () => {
    const stop = new AbortController();
    await createPace('0')(1_000_000, stop.signal);
    const wait = createPace('1')(1_000_000, stop.signal);
    stop.abort();
    await assert.rejects(wait, { name: 'AbortError' });
    await assert.rejects(createPace('0')(1, stop.signal), { name: 'AbortError' });
  });
});
