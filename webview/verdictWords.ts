import type { Severity, Verdict } from '../src/shared/review.ts';
import type { ReviewItem } from '../src/shared/view.ts';
import type { Tone } from './Icon.tsx';
import { t } from './words.ts';

/** The worst first. */
export const SEVERITIES: readonly Severity[] = ['blocker', 'major', 'minor', 'nit'];

/** What a review came to, in a few words. */
export function verdictWord({ verdict, approved }: Pick<ReviewItem, 'verdict' | 'approved'>): {
  readonly text: string;
  readonly tone: Tone;
} {
  if (approved) return { text: t('Approved'), tone: 'good' };
  if (verdict.status === 'unparsable') return { text: t('No verdict: {0}', whyNone(verdict.reason)), tone: 'bad' };
  if (verdict.approved) return { text: t('Approved by the reviewer, but it does not count'), tone: 'bad' };
  return { text: t('Not approved'), tone: 'warn' };
}

function whyNone(reason: Verdict['reason']): string {
  switch (reason) {
    case 'empty':
      return t('the review is empty');
    case 'no_score':
      return t('the review names no score');
    case 'ambiguous_score':
      return t('the review names several scores');
    case 'score_out_of_range':
      return t('the score is not between 1 and 10');
    case 'invalid_json_verdict':
      return t('the verdict is not readable');
    case 'ok':
    case 'no_approved_line':
    case 'json_not_approved':
    case 'score_below_threshold':
    case 'open_blocker':
      return t('the review contradicts itself');
    default:
      return reason satisfies never;
  }
}

/** The heading of the findings of a severity. */
export function severityWord(severity: Severity): string {
  switch (severity) {
    case 'blocker':
      return t('Blockers');
    case 'major':
      return t('Major');
    case 'minor':
      return t('Minor');
    case 'nit':
      return t('Nits');
    default:
      return severity satisfies never;
  }
}

/** The codicon of a severity, and what its colour means. */
export const SEVERITY_ICONS = {
  blocker: { icon: 'error', tone: 'bad' },
  major: { icon: 'warning', tone: 'warn' },
  minor: { icon: 'info', tone: 'quiet' },
  nit: { icon: 'circle-small-filled', tone: 'quiet' },
} as const satisfies Record<Severity, { readonly icon: string; readonly tone: Tone }>;

/** Such as `3 findings`. */
export function findingsWords(count: number): string {
  if (count === 0) return t('no findings');
  return count === 1 ? t('1 finding') : t('{0} findings', count);
}
