import { isDeepStrictEqual } from 'node:util';
import type { LoopEvent, LoopEventBody } from '../shared/events.ts';
import { isOpen } from '../shared/isOpen.ts';
import type { Finding, FindingStatus, PreviousFinding, Verdict } from '../shared/review.ts';
import type { FindingDecision } from '../shared/roundEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import { placesOf } from './findingMatch.ts';

/** The findings of a run over its rounds, in the order in which they were opened. Never changed in place. */
export type Ledger = readonly Finding[];

/** What is added to the log about findings. */
export type FindingEvent = Extract<LoopEventBody, { readonly type: 'finding.opened' | 'finding.updated' }>;

/** What the folder tells of a review's findings; see `readGround`. */
export interface Ground {
  /** A file as the reviewer named it, relative to the folder with `/`. */
  relative(file: string): string;
  /** The text of the line that a finding stands on, trimmed; null where it is not known. */
  anchorOf(file: string, line: number): string | null;
  /** Whether it stands on lines that have not changed since the review before. */
  isLate(found: Pick<Finding, 'file' | 'line'>): boolean;
  /** Whether it was called fixed in this very round, by another review of the same work: then it cannot have come back. */
  isFixedHere(id: string): boolean;
  /** The hunk of the round's diff that touched the finding's lines; null where none did. */
  hunkOn(finding: Finding): NonNullable<Finding['fixedBy']> | null;
}

/** Nothing is known of the folder. */
export const NO_GROUND: Ground = {
  relative: (file) => file,
  anchorOf: () => null,
  isLate: () => false,
  isFixedHere: () => false,
  hunkOn: () => null,
};

/** What a review makes of the ledger. */
export interface AppliedReview {
  readonly ledger: Ledger;
  /** The changes, in ledger order. */
  readonly events: readonly FindingEvent[];
  /** What the review says against a decision of the person, for people. */
  readonly warnings: readonly string[];
}

/** The ledger as the log tells it. Pure. */
export function ledgerOf(events: readonly LoopEvent[]): Ledger {
  const findings = new Map<string, Finding>();
  for (const event of events) {
    if (event.type === 'finding.opened') findings.set(event.finding.id, event.finding);
    else if (event.type === 'finding.updated') {
      const known = event.finding ?? findings.get(event.id);
      if (known !== undefined) findings.set(event.id, { ...known, status: event.status });
    }
  }
  return [...findings.values()];
}

/** The findings that are still to be dealt with, in the order in which they were opened. */
export function openFindings(ledger: Ledger): Finding[] {
  return ledger.filter(isOpen);
}

/** The open findings that forbid an approval. */
export function openBlockers(ledger: Ledger): Finding[] {
  return openFindings(ledger).filter(({ severity }) => severity === 'blocker');
}

/**
 * Carries one review into the ledger: first what it says of earlier findings, then its findings, so that one which is
 * called fixed and reported all the same is open. A finding keeps its id (`F1`, `F2`, …) over the rounds; one that is
 * not mentioned stays as it was, and so does one that the person dismissed. One that was fixed and is reported again has
 * regressed. An unparsable review changes nothing.
 */
export function applyReview(
  ledger: Ledger,
  verdict: Verdict,
  round: number,
  ground: Ground = NO_GROUND,
  t: Translate = english,
): AppliedReview {
  if (verdict.status === 'unparsable') return { ledger, events: [], warnings: [] };
  const now = [...ledger];
  for (const said of verdict.previous) {
    const at = placeOfId(now, said.id);
    const finding = now[at];
    if (finding !== undefined) now[at] = spokenOf(finding, said.status, ground);
  }
  const found = verdict.findings.map((one) => {
    const file = one.file === undefined ? undefined : ground.relative(one.file);
    const anchor = file === undefined || one.line === undefined ? null : ground.anchorOf(file, one.line);
    return { ...one, ...(file === undefined ? {} : { file }), ...(anchor === null ? {} : { anchor }) };
  });
  const places = placesOf(now, found);
  const warnings: string[] = [];
  for (const [index, one] of found.entries()) {
    const at = places[index] ?? null;
    const known = at === null ? undefined : now[at];
    const theirs = theirIds(one.id);
    if (at === null || known === undefined) {
      const late = ground.isLate(one);
      now.push({
        ...one,
        id: `F${now.length + 1}`,
        ...(theirs.length === 0 ? {} : { theirIds: theirs }),
        openedInRound: round,
        status: 'open',
        ...(late ? { late } : {}),
      });
    } else if (known.status === 'dismissed') {
      warnings.push(t('The review reports {0} again, which was dismissed: it stays dismissed.', known.id));
    } else {
      const { fixedBy: _, ...rest } = known;
      const { id, openedInRound } = known;
      const ids = [...new Set([...(known.theirIds ?? []), ...theirs])];
      const status = statusAgain(ledger[at]?.status ?? 'open', ground.isFixedHere(id));
      now[at] = { ...rest, ...one, id, ...(ids.length === 0 ? {} : { theirIds: ids }), openedInRound, status };
    }
  }
  return { ledger: now, events: changes(ledger, now), warnings };
}

/** Notes that the executor disputes open findings: id → its reason. */
export function applyDisputes(ledger: Ledger, disputes: ReadonlyMap<string, string>): readonly FindingEvent[] {
  const now = ledger.map((finding): Finding => {
    const disputed = isOpen(finding) ? disputes.get(finding.id) : undefined;
    return disputed === undefined ? finding : { ...finding, disputed };
  });
  return changes(ledger, now);
}

/** What the person's decision adds to the log. Null: there is no such finding, or it is so already. */
export function decideFinding(ledger: Ledger, id: string, decision: FindingDecision): FindingEvent | null {
  const finding = ledger.find((one) => one.id === id);
  if (finding === undefined) return null;
  const { reason: _, ...rest } = finding;
  switch (decision.status) {
    case 'dismissed': {
      const reason = decision.reason.trim();
      const dismissed: Finding = { ...rest, status: 'dismissed', ...(reason === '' ? {} : { reason }) };
      return changes([finding], [dismissed])[0] ?? null;
    }
    case 'open': {
      const { fixedBy: __, ...open } = rest;
      return isOpen(finding) ? null : (changes([finding], [{ ...open, status: 'open' }])[0] ?? null);
    }
    default:
      return decision satisfies never;
  }
}

function spokenOf(finding: Finding, said: PreviousFinding['status'], ground: Ground): Finding {
  const { status } = finding;
  // The person's word stands.
  if (status === 'dismissed' || said === status) return finding;
  const { fixedBy: _, ...rest } = finding;
  switch (said) {
    case 'fixed': {
      const hunk = ground.hunkOn(finding);
      return { ...rest, status: 'fixed', ...(hunk === null ? {} : { fixedBy: hunk }) };
    }
    case 'withdrawn':
      return { ...rest, status: 'withdrawn' };
    case 'open':
      return { ...rest, status: statusAgain(status, ground.isFixedHere(finding.id)) };
    default:
      return said satisfies never;
  }
}

/** How a finding stands that a review reports again. */
function statusAgain(before: FindingStatus, isFixedHere: boolean): FindingStatus {
  if (before === 'fixed' && isFixedHere) return 'open';
  return before === 'fixed' || before === 'regressed' ? 'regressed' : 'open';
}

function changes(before: Ledger, after: Ledger): FindingEvent[] {
  return after.flatMap((finding, at): FindingEvent[] => {
    const known = before[at];
    if (known === undefined) return [{ type: 'finding.opened', finding }];
    const { id, status } = finding;
    return isDeepStrictEqual(known, finding) ? [] : [{ type: 'finding.updated', id, status, finding }];
  });
}

/** By our id, else by an id of the reviewer's own that only one finding has. */
function placeOfId(ledger: Ledger, id: string): number {
  const wanted = id.trim();
  const ours = ledger.findIndex((finding) => finding.id === wanted.toUpperCase());
  if (ours >= 0) return ours;
  const theirs = ledger.filter((finding) => finding.theirIds?.includes(wanted) === true);
  return theirs.length === 1 && theirs[0] !== undefined ? ledger.indexOf(theirs[0]) : -1;
}

/** The reviewer's own id, unless it could be mistaken for one of ours. */
function theirIds(id: string | undefined): string[] {
  const plain = id?.trim() ?? '';
  return plain === '' || /^f\d+$/i.test(plain) ? [] : [plain];
}
