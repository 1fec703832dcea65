import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** Runs one case against the product's code: one line for each difference, none for a pass. May throw on a bad case. */
export type CaseRunner = (testCase: unknown) => Promise<string[]>;

/** Which code runs which kind of case file; it is loaded when a case of its kind runs. */
export const KINDS: Readonly<Record<string, CaseRunner>> = {
  reviews: async (testCase) => (await import('./reviews.ts')).runReviewCase(testCase),
  ndjson: async (testCase) => (await import('./ndjson.ts')).runNdjsonCase(testCase),
};

/** One case of a file. `testCase` is the whole line. */
export interface NamedCase {
  readonly id: string;
  readonly title: string;
  readonly testCase: unknown;
}

/** A case file that cannot be used; the message says which file, which line, and why. */
export class CaseFileError extends Error {}

/** Reads a case file: one JSON object with `id` and `title` a line, empty lines left out. Throws `CaseFileError`. */
export async function readCases(file: string): Promise<NamedCase[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CaseFileError(`Cannot read ${file}: ${messageOf(error)}`);
  }
  const cases = text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const where = `${file}, line ${at + 1}`;
    let testCase: unknown;
    try {
      testCase = JSON.parse(line);
    } catch (error) {
      throw new CaseFileError(`${where}: not JSON (${messageOf(error)})`);
    }
    if (typeof testCase !== 'object' || testCase === null || !('id' in testCase) || typeof testCase.id !== 'string') {
      throw new CaseFileError(`${where}: a case is an object with a text "id"`);
    }
    const title = 'title' in testCase && typeof testCase.title === 'string' ? testCase.title : '';
    return [{ id: testCase.id, title, testCase }];
  });
  if (cases.length === 0) throw new CaseFileError(`${file} holds no case`);
  return cases;
}

const USAGE = `Usage: npm run cases -- ${Object.keys(KINDS).join('|')} FILE.jsonl`;

/**
 * Runs the file's cases in order. Prints a line for each failing case and a last line `N passed, N failed`; gives the
 * exit code: 0 all passed, 1 some failed, 2 nothing was run.
 */
export async function runCases(args: readonly string[], print: (line: string) => void): Promise<number> {
  const [kind = '', file = '', ...more] = args;
  const runner = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (runner === undefined || file === '' || more.length > 0) {
    if (kind !== '' && runner === undefined) print(`Unknown kind of cases: ${kind}`);
    print(USAGE);
    return 2;
  }
  let cases: NamedCase[];
  try {
    cases = await readCases(file);
  } catch (error) {
    if (!(error instanceof CaseFileError)) throw error;
    print(error.message);
    return 2;
  }
  let failed = 0;
  for (const { id, title, testCase } of cases) {
    const differences = await differencesOf(runner, testCase);
    if (differences.length === 0) continue;
    failed++;
    print(`${id} ${title}: ${differences.join('; ')}`);
  }
  print(`${cases.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** As the runner says; a case that it cannot run has failed, with the reason. */
async function differencesOf(runner: CaseRunner, testCase: unknown): Promise<string[]> {
  try {
    return await runner(testCase);
  } catch (error) {
    return [`the case could not be run: ${messageOf(error).replaceAll(/\s+/g, ' ')}`];
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await runCases(process.argv.slice(2), (line) => {
    process.stdout.write(`${line}\n`);
  });
}
