import type { FileChange } from '../shared/fileEvents.ts';
import type { Finding, Verdict } from '../shared/review.ts';
import type { Checkpoints } from '../workspace/checkpoint.ts';
import type { TreeRef } from '../workspace/putBack.ts';
import { anchorOf, lineOf } from './anchorLine.ts';
import { normalFile } from './findingMatch.ts';
import type { Ground, Ledger } from './findings.ts';
import { filesOf, type Hunk, hunksOf, showsLine } from './patch.ts';
import { shortenMiddle } from './shorten.ts';

/** What a review's findings are looked up in. */
export interface GroundParts {
  readonly checkpoints: Pick<Checkpoints, 'textOf'>;
  /** Absolute folders whose files the reviewer may name: the run's, and a copy of it. */
  readonly folders: readonly string[];
  readonly round: number;
  /** The folder at the review before, or at the begin of the run. */
  readonly before: TreeRef;
  /** The folder that was reviewed. */
  readonly reviewed: TreeRef;
  /** Whether there was a review before this one. */
  readonly wasReviewed: boolean;
  /** Ids of findings that were called fixed in this very round. */
  readonly fixedHere: ReadonlySet<string>;
  /** What the round changed. */
  readonly files: readonly FileChange[];
  readonly patch: string;
}

const MOST_HUNK = 16_000;

/** Reads what the checkpoints tell of the findings of a review: anchors, what is late, and what fixed what. */
export async function readGround(parts: GroundParts, ledger: Ledger, verdict: Verdict): Promise<Ground> {
  const { checkpoints, round, before, reviewed, wasReviewed, fixedHere, files, patch } = parts;
  const relative = (file: string): string => relativeTo(parts.folders, file);
  const hunks = new Map(filesOf(patch).map(({ path, text }) => [path, hunksOf(text)]));
  const changed = new Set(files.map(({ path }) => path));

  const named = verdict.findings.flatMap(({ file, line }) =>
    file === undefined || line === undefined ? [] : [relative(file)],
  );
  const texts = await linesOf(checkpoints, reviewed, named);
  const anchored = ledger.flatMap(({ file, line }) => (file === undefined || line === undefined ? [] : [file]));
  const texted = anchored.filter((file) => hunks.has(file));
  const old = await linesOf(checkpoints, before, texted);

  return {
    relative,
    anchorOf: (file, line) => {
      const text = anchorOf(texts.get(file)?.[line - 1] ?? '');
      return text === '' ? null : text;
    },
    isLate({ file, line }) {
      if (!wasReviewed || file === undefined) return false;
      if (!changed.has(file)) return true;
      const shown = hunks.get(file) ?? [];
      // Binary, or beyond the end of a diff that was cut: nothing is known of its lines.
      if (line === undefined || shown.length === 0) return false;
      return !shown.some((hunk) => showsLine(hunk, 'new', line));
    },
    isFixedHere: (id) => fixedHere.has(id),
    hunkOn(finding) {
      const { file } = finding;
      const hunk = file === undefined ? undefined : hunkFor(finding, hunks.get(file) ?? [], old.get(file) ?? null);
      if (file === undefined || hunk === undefined) return null;
      const text = shortenMiddle(hunk.text, MOST_HUNK, (leftOut, of) => `[… ${leftOut} of ${of} characters …]`);
      return { round, file, hunk: text };
    },
  };
}

/** The hunk whose old side holds the finding's line as it was; for a finding without a line the only hunk of its file. */
function hunkFor({ line, anchor }: Finding, hunks: readonly Hunk[], old: readonly string[] | null): Hunk | undefined {
  if (line === undefined) return hunks.length === 1 ? hunks[0] : undefined;
  const at = old === null ? line : lineOf(old, line, anchor);
  return hunks.find((hunk) => showsLine(hunk, 'old', at));
}

async function linesOf(
  checkpoints: Pick<Checkpoints, 'textOf'>,
  tree: TreeRef,
  files: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const file of new Set(files)) {
    const text = await checkpoints.textOf(tree, file);
    if (text !== null) found.set(file, text.split(/\r?\n/));
  }
  return found;
}

function relativeTo(folders: readonly string[], file: string): string {
  const plain = normalFile(file);
  for (const folder of folders) {
    const root = `${normalFile(folder).replace(/\/+$/, '')}/`;
    if (plain.startsWith(root)) return plain.slice(root.length);
  }
  return plain;
}
