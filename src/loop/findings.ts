import type { Finding, LoopEventBody, ReviewFinding, Verdict } from '../shared/events.ts';

/** The findings of a run over its rounds, in the order in which they were opened. Never changed in place. */
export interface Ledger {
  readonly entries: readonly LedgerEntry[];
}

/** A finding as the reviewer last worded it, and the ids that the reviewer gave it beside ours. */
export interface LedgerEntry {
  readonly finding: Finding;
  readonly theirIds: readonly string[];
}

/** What a review adds to the log about findings. */
export type FindingEvent = Extract<LoopEventBody, { readonly type: 'finding.opened' | 'finding.updated' }>;

/** A ledger without findings. */
export function createLedger(): Ledger {
  return { entries: [] };
}

/** The findings that are still open, in the order in which they were opened. */
export function openFindings({ entries }: Ledger): Finding[] {
  return entries.map(({ finding }) => finding).filter(({ status }) => status === 'open');
}

/** The open findings that forbid an approval. */
export function openBlockers(ledger: Ledger): Finding[] {
  return openFindings(ledger).filter(({ severity }) => severity === 'blocker');
}

/**
 * Carries one review into the ledger: first what it says of earlier findings, then its findings, so that one which is
 * called fixed and reported all the same is open. A finding keeps its id (`F1`, `F2`, …) over the rounds; one that is
 * not mentioned stays as it was. An unparsable review changes nothing. `events` are the changes, in ledger order.
 */
export function applyReview(
  ledger: Ledger,
  verdict: Verdict,
  round: number,
): { readonly ledger: Ledger; readonly events: readonly FindingEvent[] } {
  if (verdict.status === 'unparsable') return { ledger, events: [] };
  const entries = [...ledger.entries];
  for (const { id, status } of verdict.previous) {
    const at = placeOfId(entries, id);
    const entry = entries[at];
    if (entry !== undefined) entries[at] = { ...entry, finding: { ...entry.finding, status } };
  }
  const reported = new Set<number>();
  for (const review of verdict.findings) {
    const at = placeOf(entries, review, reported);
    const entry = entries[at];
    if (entry === undefined) {
      const id = `F${entries.length + 1}`;
      reported.add(entries.length);
      entries.push({
        finding: { ...review, id, openedInRound: round, status: 'open' },
        theirIds: theirIds(review.id),
      });
    } else {
      reported.add(at);
      entries[at] = reportedAgain(entry, review);
    }
  }
  return { ledger: { entries }, events: changes(ledger.entries, entries) };
}

function changes(before: readonly LedgerEntry[], after: readonly LedgerEntry[]): FindingEvent[] {
  return after.flatMap(({ finding }, at): FindingEvent[] => {
    const known = before[at]?.finding;
    if (known === undefined) return [{ type: 'finding.opened', finding }];
    return known.status === finding.status ? [] : [{ type: 'finding.updated', id: finding.id, status: finding.status }];
  });
}

function reportedAgain(entry: LedgerEntry, review: ReviewFinding): LedgerEntry {
  const { id, openedInRound } = entry.finding;
  return {
    finding: { ...entry.finding, ...review, id, openedInRound, status: 'open' },
    theirIds: [...new Set([...entry.theirIds, ...theirIds(review.id)])],
  };
}

/** The entry that the reviewer reports again, −1 for a new finding. Each entry takes one finding of a review. */
function placeOf(entries: readonly LedgerEntry[], review: ReviewFinding, taken: ReadonlySet<number>): number {
  const byId = review.id === undefined ? -1 : placeOfOurId(entries, review.id);
  const named = entries[byId];
  if (named !== undefined && !taken.has(byId) && !areStrangers(named.finding, review)) return byId;
  return entries.findIndex(
    ({ finding }, at) =>
      !taken.has(at) && normalTitle(finding.title) === normalTitle(review.title) && mayShareFile(finding, review),
  );
}

/** Reviewers that number anew in each round reuse `F1` for another matter: another file and another title. */
function areStrangers(known: ReviewFinding, review: ReviewFinding): boolean {
  return !mayShareFile(known, review) && normalTitle(known.title) !== normalTitle(review.title);
}

function mayShareFile(known: ReviewFinding, review: ReviewFinding): boolean {
  return known.file === undefined || review.file === undefined || normalFile(known.file) === normalFile(review.file);
}

function placeOfOurId(entries: readonly LedgerEntry[], id: string): number {
  const wanted = id.trim().toUpperCase();
  return entries.findIndex(({ finding }) => finding.id === wanted);
}

/** By our id, else by an id of the reviewer's own that only one finding has. */
function placeOfId(entries: readonly LedgerEntry[], id: string): number {
  const ours = placeOfOurId(entries, id);
  if (ours >= 0) return ours;
  const theirs = entries.filter(({ theirIds: known }) => known.includes(id.trim()));
  return theirs.length === 1 && theirs[0] !== undefined ? entries.indexOf(theirs[0]) : -1;
}

/** The reviewer's own id, unless it could be mistaken for one of ours. */
function theirIds(id: string | undefined): string[] {
  const plain = id?.trim() ?? '';
  return plain === '' || /^f\d+$/i.test(plain) ? [] : [plain];
}

function normalTitle(title: string): string {
  const words = title.normalize('NFKC').toLowerCase();
  const plain = words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return plain === '' ? words.trim() : plain;
}

function normalFile(file: string): string {
  return file
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');
}
