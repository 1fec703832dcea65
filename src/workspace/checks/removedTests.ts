import type { FileChange } from '../../shared/fileEvents.ts';

const CODE =
  'js|jsx|mjs|cjs|ts|tsx|mts|cts|py|rb|go|rs|java|kt|kts|scala|groovy|cs|fs|vb|php|swift|ex|exs|dart|c|cc|cpp|m|lua|clj|hs';

/** Names by which test runners find tests. */
const BY_NAME = [
  new RegExp(`[._-](?:test|tests|spec|specs)\\.(?:${CODE})$`, 'i'),
  new RegExp(`^(?:test|tests|spec)\\.(?:${CODE})$`, 'i'),
  /^test_.*\.(?:py|rb|c|cc|cpp)$/,
  /(?:Test|Tests|IT|Spec)\.(?:java|kt|scala|groovy|cs|fs|vb|php|swift)$/,
];
const IN_FOLDER = new RegExp(`(?:^|/)(?:tests?|__tests__|specs?)/.*\\.(?:${CODE})$`, 'i');

/** Whether the file has the name of a test, whatever folder it lies in. Relative, with `/`. */
export function hasTestName(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return BY_NAME.some((pattern) => pattern.test(name));
}

/** Whether a command plainly looks at the text of the code only, so that no test matters to it. */
export function ignoresTests(command: string): boolean {
  return (
    /\b(?:lint|vet|types?|typecheck|fmt|format|eslint|tsc|clippy|ruff|mypy)\b/.test(command) &&
    !/\btests?\b/.test(command)
  );
}

/** The test files that are gone, without those that came up elsewhere, or in another language, under their own name. */
export function removedTests(files: readonly FileChange[]): readonly string[] {
  const came = new Set(files.filter(({ status }) => status === 'added').map(({ path }) => stemOf(path)));
  return files
    .filter(({ status, path }) => status === 'deleted' && (hasTestName(path) || IN_FOLDER.test(path)))
    .map(({ path }) => path)
    .filter((path) => !came.has(stemOf(path)));
}

function stemOf(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1).toLowerCase();
  return name.slice(0, name.lastIndexOf('.'));
}
