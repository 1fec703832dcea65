import type { Ending, Verdict } from '../shared/events.ts';
import type { Checked } from './checkStep.ts';
import { applyReview, type Ledger, openBlockers } from './findings.ts';
import { failureOf, type LoopParts } from './loopParts.ts';
import type { RunOptions } from './options.ts';
import { retryPrompt } from './prompts.ts';
import { parseReview } from './review.ts';

/** A review that could be read. */
export interface Review {
  readonly text: string;
  readonly verdict: Verdict;
  /** The gate's decision. */
  readonly approved: boolean;
  readonly ledger: Ledger;
  /** The folder when the review was over. */
  readonly tree: string;
}

/** The review, asked once more with the reason when the first answer was unusable; then `noVerdict`. */
export async function review(
  parts: LoopParts,
  { threshold }: RunOptions,
  round: number,
  ledger: Ledger,
  { tree: reviewed, blockedBy: red }: Pick<Checked, 'tree' | 'blockedBy'>,
  prompt: () => string,
): Promise<Review | Ending> {
  let unusable: string | null = null;
  for (let attempt = 1; attempt <= 2; attempt++) {
    const text: string = unusable === null ? prompt() : retryPrompt({ reason: unusable, threshold });
    const { turn, result } = await parts.turns.run('review', text);
    if (parts.stopped.aborted || result.outcome.type === 'failed') {
      return failureOf('review', result, parts.stopped) ?? { type: 'stopped' };
    }
    if (result.outcome.type !== 'completed') {
      // Cut off or refused: whatever stands in its text is not a verdict.
      unusable = result.outcome.type === 'incomplete' ? result.outcome.message : 'The reviewer cancelled its own turn.';
      continue;
    }
    const said = result.texts.join('\n\n');
    const verdict = parseReview(said, { threshold });
    const applied = applyReview(ledger, verdict, round);
    const open = openBlockers(applied.ledger).map((f) => `${f.id} is an open blocker: ${f.title}`);
    const blockedBy = [...red, ...open];
    const tree = await parts.checkpoints.treeNow();
    if (tree !== reviewed.tree) {
      blockedBy.push('The folder changed while it was reviewed: the review is not about what is there now.');
    }
    const approved = verdict.approved && blockedBy.length === 0;
    parts.log.append({
      type: 'review.scored',
      turn,
      verdict,
      approved,
      blockedBy: verdict.approved ? blockedBy : [],
    });
    if (verdict.status !== 'unparsable') {
      for (const event of applied.events) parts.log.append(event);
      return { text: said, verdict, approved, ledger: applied.ledger, tree };
    }
    unusable = UNPARSABLE[verdict.reason];
  }
  return { type: 'noVerdict', message: unusable ?? '' };
}

const UNPARSABLE: Record<Verdict['reason'], string> = {
  ok: '',
  no_approved_line: '',
  json_not_approved: '',
  score_below_threshold: '',
  open_blocker: '',
  no_score: 'The review states no score.',
  ambiguous_score: 'The review states more than one score, or a range.',
  score_out_of_range: 'The score of the review is not between 1 and 10.',
  invalid_json_verdict: 'The JSON verdict of the review is broken or has wrong types.',
  empty: 'The review is empty.',
};
