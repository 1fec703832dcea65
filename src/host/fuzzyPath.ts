/** How many files are offered at a time. */
const OFFERED = 50;

/**
 * The paths that have every character of the query in its order, the best first: in the file's name before its folders, at
 * the beginning of words, in a row, and of two that are alike the shorter. An empty query finds all, as they are given.
 * Upper and lower case are the same.
 */
export function fuzzyFiles<T extends { readonly path: string }>(query: string, files: readonly T[]): T[] {
  const wanted = query.toLowerCase();
  if (wanted === '') return files.slice(0, OFFERED);
  const found = files.flatMap((file) => {
    const score = fuzzyScore(wanted, file.path);
    return score === null ? [] : [{ file, score }];
  });
  found.sort((a, b) => b.score - a.score);
  return found.slice(0, OFFERED).map(({ file }) => file);
}

/** Higher is better; null: the path does not have the characters. `query` in lower case. */
export function fuzzyScore(query: string, path: string): number | null {
  const text = path.toLowerCase();
  const name = text.lastIndexOf('/') + 1;
  // A query without a folder is looked for in the name first; where all of it stands in a row, it counts most.
  const whole = text.indexOf(query, query.includes('/') ? 0 : name);
  if (whole >= 0) {
    const starts = startsWord(path, whole) ? 50 : 0;
    const exact = whole === name && text.length === whole + query.length ? 50 : 0;
    return 1000 + starts + exact - path.length / 100;
  }
  return wordStarts(query, path, text) ?? inOrder(query, text, name, 200) ?? inOrder(query, text, 0, 0);
}

/** Each character begins a word or follows the one before, such as `rt` or `runtu` for `src/runTurn.ts`. */
function wordStarts(query: string, path: string, text: string): number | null {
  let last = -2;
  for (const character of query) {
    let at = text[last + 1] === character && last >= 0 ? last + 1 : text.indexOf(character, last + 1);
    while (at >= 0 && at !== last + 1 && !startsWord(path, at)) at = text.indexOf(character, at + 1);
    if (at < 0 || (last < 0 && !startsWord(path, at))) return null;
    last = at;
  }
  return 400 - path.length / 100;
}

/** The characters one after the other from `from` on. */
function inOrder(query: string, text: string, from: number, base: number): number | null {
  let at = from - 1;
  let inARow = 0;
  for (const character of query) {
    const next = text.indexOf(character, at + 1);
    if (next < 0) return null;
    if (next === at + 1) inARow += 1;
    at = next;
  }
  return base + inARow * 4 - text.length / 100;
}

function startsWord(path: string, at: number): boolean {
  const before = path[at - 1];
  if (before === undefined || /[/._\- ]/.test(before)) return true;
  return /[a-z0-9]/.test(before) && /[A-Z]/.test(path[at] ?? '');
}
