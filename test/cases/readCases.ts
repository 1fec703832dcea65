import { readFile } from 'node:fs/promises';

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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
