/** What a reviewer says, and the ledger of its findings. Types only. */

export type Severity = 'blocker' | 'major' | 'minor' | 'nit';

/** One problem as the reviewer wrote it. `line` is 1-based. */
export interface ReviewFinding {
  readonly id?: string;
  readonly severity: Severity;
  readonly file?: string;
  readonly line?: number;
  readonly title: string;
  readonly detail: string;
  readonly suggestion?: string;
}

/** What the reviewer says of a finding of an earlier round. */
export interface PreviousFinding {
  readonly id: string;
  readonly status: 'fixed' | 'open' | 'withdrawn';
}

/** A review's text, read by the rules of `loop/review.ts`. */
export interface Verdict {
  readonly status: 'approved' | 'not_approved' | 'unparsable';
  readonly approved: boolean;
  /** 1 to 10, decimals allowed; null when unparsable. */
  readonly score: number | null;
  readonly source: 'json' | 'prose' | 'none';
  readonly reason:
    | 'ok'
    | 'no_approved_line'
    | 'json_not_approved'
    | 'score_below_threshold'
    | 'open_blocker'
    | 'no_score'
    | 'ambiguous_score'
    | 'score_out_of_range'
    | 'invalid_json_verdict'
    | 'empty';
  /** Contradictions, for people. */
  readonly warnings: readonly string[];
  readonly summary: string;
  readonly findings: readonly ReviewFinding[];
  readonly previous: readonly PreviousFinding[];
  readonly suggestions: readonly string[];
}

/** `regressed`: it was fixed, and was reported again; as open as `open`. `dismissed`: by the person, with a reason. */
export type FindingStatus = 'open' | 'regressed' | 'fixed' | 'withdrawn' | 'dismissed';

/** A finding in the ledger of the run. `id` is ours and stable over the rounds. */
export interface Finding extends ReviewFinding {
  readonly id: string;
  /** What the reviewer called it beside our id. */
  readonly theirIds?: readonly string[];
  readonly openedInRound: number;
  readonly status: FindingStatus;
  /** First raised on lines that had not changed since the review before. */
  readonly late?: boolean;
  /** The text of the line that it was last reported on, trimmed: what finds the line again when it has moved. */
  readonly anchor?: string;
  /** Why the person dismissed it. */
  readonly reason?: string;
  /** Why the executor holds that it is none, in its words. */
  readonly disputed?: string;
  /** What fixed it: the hunk of that round's diff, as in a patch. */
  readonly fixedBy?: { readonly round: number; readonly file: string; readonly hunk: string };
}
