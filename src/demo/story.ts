/**
 * The story that both demo agents play: a small function that grows better each round because the review says how.
 * Pure. The reviewer judges what stands in the files, so a refused edit costs points.
 */

/** Where the two files lie, relative to the folder. */
export interface Places {
  readonly code: string;
  readonly test: string;
}

/** What stands in the two files; null: no such file. */
export interface Files {
  readonly code: string | null;
  readonly test: string | null;
}

export type Scenario = 'default' | 'stubborn';

/** The scenario that the environment or a mark in the task names, such as `[demo: stubborn]`. */
export function scenarioOf(env: Readonly<Record<string, string | undefined>>, prompt: string): Scenario {
  return env.CGLOOP_DEMO_SCENARIO === 'stubborn' || prompt.includes('[demo: stubborn]') ? 'stubborn' : 'default';
}

/** The sample project's own files where it has them, else a folder of its own, so that nobody's work is written over. */
export function placesIn(exists: (relative: string) => boolean): Places {
  return exists('src/slugify.mjs')
    ? { code: 'src/slugify.mjs', test: 'test/slugify.test.mjs' }
    : { code: 'cgloop-demo/slugify.mjs', test: 'cgloop-demo/slugify.test.mjs' };
}

/** One edit as the executor's tools take it. */
export type Step =
  | { readonly tool: 'Write'; readonly path: string; readonly content: string }
  | { readonly tool: 'Edit'; readonly path: string; readonly old: string; readonly new: string };

export interface Work {
  readonly thought: string;
  readonly opening: string;
  readonly steps: readonly Step[];
  readonly closing: string;
}

const START = `/** Turns a title into the last part of a URL. */
export function slugify(title) {`;

const BODIES = [
  `
  return title;
}
`,
  `
  return title.toLowerCase().replaceAll(' ', '-');
}
`,
  `
  return title
    .normalize('NFD')
    .replace(/\\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}
`,
  `
  return title
    .normalize('NFD')
    .replace(/\\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
`,
] as const;

const EDGES = `.replace(/^-|-$/g, '')`;

/** The sample project's function before anyone worked on it. */
export const UNWRITTEN = START + BODIES[0];

const CASES = [
  `
test('joins words with dashes', () => {
  assert.equal(slugify('Hello World'), 'hello-world');
});
`,
  `
test('keeps the letter under an accent', () => {
  assert.equal(slugify('Crème brûlée'), 'creme-brulee');
});

test('makes one dash of any run of other characters', () => {
  assert.equal(slugify('Rock & Roll'), 'rock-roll');
});
`,
  `
test('has no dash at either end', () => {
  assert.equal(slugify('  What now?! '), 'what-now');
});

test('gives an empty slug for a title without letters', () => {
  assert.equal(slugify('…'), '');
});
`,
] as const;

function testFile(places: Places, rounds: number): string {
  const module = places.code.startsWith('src/') ? '../src/slugify.mjs' : './slugify.mjs';
  const imports = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { slugify } from '${module}';\n`;
  return imports + CASES.slice(0, rounds).join('');
}

const THOUGHTS = [
  'The function only needs lower case and dashes to be useful. I write that first, with a test.',
  'The review is right: accents and punctuation survive. Decomposing the text and replacing every run of other characters covers both.',
  'What is left are dashes at the ends. One more replacement, and tests for the edges.',
  'Everything that was asked for is there already.',
] as const;

const OPENINGS = [
  'I start with a simple version of `slugify` and a first test.',
  'I handle accents and punctuation as the review asks, and test both.',
  'I trim dashes at both ends and add tests for empty titles.',
  'I looked at the review again.',
] as const;

/** What the executor does in its turn number `turn` (from 1), given what stands in the files. */
export function workOf(turn: number, files: Files, places: Places): Work {
  const level = Math.min(turn, 3);
  const at = Math.min(turn, 4) - 1;
  const code = START + BODIES[level];
  const steps = [
    ...edit(places.code, files.code, code, START.length),
    ...edit(places.test, files.test, testFile(places, level), 0),
  ];
  const done =
    steps.length === 0
      ? `Nothing is left to change in \`${places.code}\`.`
      : `Done: \`${steps.map((step) => step.path).join('` and `')}\`.`;
  const closing = `${done} The function now reads:\n\n\`\`\`js\n${code}\`\`\`\n`;
  return { thought: THOUGHTS[at] ?? '', opening: OPENINGS[at] ?? '', steps, closing };
}

/** From what stands in a file to what shall stand there; `shared` characters at the start are expected to be the same. */
function edit(path: string, before: string | null, after: string, shared: number): readonly Step[] {
  if (before === after) return [];
  if (before === null) return [{ tool: 'Write', path, content: after }];
  const old = before.slice(shared);
  if (shared > 0 && before.startsWith(after.slice(0, shared)) && before.split(old).length === 2) {
    return [{ tool: 'Edit', path, old, new: after.slice(shared) }];
  }
  return [{ tool: 'Write', path, content: after }];
}

export interface DemoFinding {
  readonly severity: 'blocker' | 'major' | 'minor' | 'nit';
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly detail: string;
  readonly suggestion: string;
}

export interface DemoReview {
  readonly score: number;
  readonly approved: boolean;
  readonly summary: string;
  /** Everything that is wrong now, found before or not. */
  readonly findings: readonly DemoFinding[];
}

/** The titles that a review of this story can hold. */
export const TITLES = {
  missing: 'There is no slugify function yet',
  accents: 'Accents and punctuation stay in the slug',
  fewTests: 'One happy case is not a test suite',
  edges: 'Dashes are left at both ends',
  edgesUntested: 'Edge cases have no test',
  taste: 'The approach should be thought over',
} as const;

/** The review of what stands in the files. */
export function reviewOf(files: Files, places: Places, scenario: Scenario): DemoReview {
  const code = files.code ?? '';
  const line = Math.max(1, code.split('\n').findIndex((one) => one.includes('return')) + 1);
  const inCode = { file: places.code, line } as const;
  const inTest = { file: places.test, line: 1 } as const;
  const cases = (files.test ?? '').split("test('").length - 1;
  const findings: DemoFinding[] = [];
  let score = 9.5;
  if (!code.includes('toLowerCase')) {
    score = 2;
    findings.push({
      ...inCode,
      severity: 'blocker',
      title: TITLES.missing,
      detail: 'The file does not hold a function that makes a slug.',
      suggestion: 'Write it: lower case, dashes between words.',
    });
  } else if (!code.includes("normalize('NFD')")) {
    score = 5;
    findings.push({
      ...inCode,
      severity: 'major',
      title: TITLES.accents,
      detail: "`slugify('Crème brûlée!')` gives `crème-brûlée!`, which has to be escaped in a URL.",
      suggestion: 'Decompose with normalize and replace every run of characters outside a-z and 0-9.',
    });
  } else if (!code.includes(EDGES)) {
    score = 7.5;
    findings.push({
      ...inCode,
      severity: 'minor',
      title: TITLES.edges,
      detail: "`slugify('What now?')` gives `what-now-`.",
      suggestion: 'Trim the dashes after the replacement.',
    });
  }
  if (cases < 2) {
    findings.push({
      ...inTest,
      severity: 'major',
      title: TITLES.fewTests,
      detail: 'Only the simplest title is tested, so none of the above would have been noticed.',
      suggestion: 'Test accents, punctuation and runs of blanks.',
    });
  } else if (cases < 4) {
    findings.push({
      ...inTest,
      severity: 'minor',
      title: TITLES.edgesUntested,
      detail: 'Nothing tests blanks at the ends or a title without letters.',
      suggestion: 'Add a test for each.',
    });
  }
  if (score > 9 && findings.length > 0) score = 8;
  if (scenario === 'stubborn') {
    score = Math.min(score - 1, 6.5);
    findings.push({
      ...inCode,
      severity: 'major',
      title: TITLES.taste,
      detail: 'It works, and yet it is not how I would have written it.',
      suggestion: 'Consider a different design.',
    });
  }
  const approved = scenario === 'default' && findings.length === 0;
  return { score, approved, summary: summaryOf(score, findings.length), findings };
}

function summaryOf(score: number, open: number): string {
  if (open === 0) return 'Small, clear and tested at its edges.';
  const what = open === 1 ? 'one thing is' : `${open} things are`;
  return score < 4 ? 'The task has not been done.' : `On a good way, but ${what} open.`;
}
