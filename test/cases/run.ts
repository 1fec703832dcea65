import { pathToFileURL } from 'node:url';
import { CaseFileError, type NamedCase, readCases } from './readCases.ts';

/**
 * Runs one case against the product's code: one line for each difference, none for a pass, null for a case that is not
 * of this platform or this face. May throw on a bad case.
 */
export type CaseRunner = (testCase: unknown) => Promise<string[] | null>;

/** Which code runs which kind of case file; it is loaded when a case of its kind runs. */
export const KINDS: Readonly<Record<string, CaseRunner>> = {
  reviews: async (testCase) => (await import('./reviews.ts')).runReviewCase(testCase),
  ndjson: async (testCase) => (await import('./ndjson.ts')).runNdjsonCase(testCase),
  files: async (testCase) => (await import('./files.ts')).runFilesCase(testCase),
};

const USAGE = `Usage: npm run cases -- ${Object.keys(KINDS).join('|')} FILE.jsonl`;

/**
 * Runs the file's cases in order. Prints a line for each failing case and a last line `N passed, N failed`, with the
 * number of those that cannot be run here; gives the exit code: 0 all passed, 1 some failed, 2 nothing was run.
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
  let elsewhere = 0;
  for (const { id, title, testCase } of cases) {
    const differences = await differencesOf(runner, testCase);
    if (differences === null) elsewhere++;
    if (differences === null || differences.length === 0) continue;
    failed++;
    print(`${id} ${title}: ${differences.join('; ')}`);
  }
  const others = elsewhere === 0 ? '' : `, ${elsewhere} not of this platform or face`;
  print(`${cases.length - failed - elsewhere} passed, ${failed} failed${others}`);
  return failed === 0 ? 0 : 1;
}

/** As the runner says; a case that it cannot run has failed, with the reason. */
async function differencesOf(runner: CaseRunner, testCase: unknown): Promise<string[] | null> {
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
