/** The part of a unified diff that is about one file. */
export interface PatchFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** From its `diff --git` line on; the texts of all files are the patch. */
  readonly text: string;
}

/** One hunk. Lines are counted from 1; a side without lines begins behind line `start`, as git writes it. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** From its `@@` line on, with a line feed at the end. */
  readonly text: string;
}

/** Takes a diff apart, as `Checkpoints.changes` gives it: without renames, with the prefixes `a/` and `b/`. */
export function filesOf(patch: string): PatchFile[] {
  // Only a line feed ends a line here: a text may hold the other line ends, and behind them whatever it likes.
  const starts = [...patch.matchAll(/(?<![^\n])diff --git ([^\n]*)/g)];
  return starts.map((start, at) => ({
    path: pathIn(start[1] ?? ''),
    text: patch.slice(start.index, starts[at + 1]?.index ?? patch.length),
  }));
}

/** The hunks of one file's part. A part without text lines, such as that of a binary file, has none. */
export function hunksOf(text: string): Hunk[] {
  const starts = [...text.matchAll(/(?<![^\n])@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@[^\n]*/g)];
  return starts.map((start, at) => {
    const [, oldStart = '0', oldLines = '1', newStart = '0', newLines = '1'] = start;
    return {
      oldStart: Number(oldStart),
      oldLines: Number(oldLines),
      newStart: Number(newStart),
      newLines: Number(newLines),
      text: text.slice(start.index, starts[at + 1]?.index ?? text.length),
    };
  });
}

/** Whether the hunk shows this line of the old or the new file. */
export function showsLine(hunk: Hunk, side: 'old' | 'new', line: number): boolean {
  const [start, lines] = side === 'old' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
  return line >= start && line < start + lines;
}

/** `a/NAME b/NAME`: one name twice, so that a blank in it divides nothing; in C quotes where git needs them. */
function pathIn(names: string): string {
  if (!names.startsWith('"')) return names.slice('a/'.length, (names.length - 1) / 2);
  const [, quoted = ''] = /^"((?:[^"\\]|\\.)*)"/.exec(names) ?? [];
  return unquoted(quoted).slice('a/'.length);
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Git's C quotes: `\n` and its like, and bytes in octal digits. */
function unquoted(text: string): string {
  const bytes: number[] = [];
  for (const [part, escaped] of text.matchAll(/\\([0-7]{3}|[\s\S])|[^\\]+/g)) {
    if (escaped === undefined) bytes.push(...Buffer.from(part));
    else bytes.push(ESCAPES[escaped] ?? Number.parseInt(escaped, 8));
  }
  return Buffer.from(bytes).toString('utf8');
}
