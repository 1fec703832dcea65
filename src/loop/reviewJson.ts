import type { PreviousFinding, ReviewFinding } from '../shared/review.ts';
import type { Translate, Words } from '../shared/translate.ts';
import { readJsonObject } from './cleanJson.ts';
import { hasBlocker, readFindings, readPrevious, readSuggestions } from './reviewFindings.ts';
import { endsWithWord, isWordLine, type ReviewLayout } from './reviewLines.ts';

/** A JSON verdict as the reviewer gave it. The score is any number: its range is not judged here. */
export interface JsonVerdict {
  readonly type: 'verdict';
  readonly score: number;
  readonly approved: boolean;
  readonly summary: string | null;
  readonly findings: readonly ReviewFinding[];
  readonly previous: readonly PreviousFinding[];
  readonly suggestions: readonly string[];
  /** A blocker stands anywhere in the JSON, also where no finding was expected. */
  readonly blocker: boolean;
  /** What could not be read as the contract says, for people. */
  readonly warnings: readonly string[];
  /** The JSON was all that was said, but for the word line. */
  readonly whole: boolean;
}

/** `none`: the review has no JSON verdict. `invalid`: it has one that must not be used. */
export type JsonReading = JsonVerdict | { readonly type: 'none' } | { readonly type: 'invalid' };

const NONE = { type: 'none' } as const;
const INVALID = { type: 'invalid' } as const;

/**
 * Reads the JSON verdict where it counts: as the whole text or the last fence, with nothing but the word line behind. `t`
 * words the warnings.
 */
export function readJsonVerdict(text: string, layout: ReviewLayout, t: Translate): JsonReading {
  const whole = readWhole(text, layout, t);
  if (whole.type === 'verdict') return whole;
  const fenced = readFence(layout, t);
  return fenced.type === 'none' ? whole : fenced;
}

function readWhole(text: string, { lines }: ReviewLayout, t: Translate): JsonReading {
  let body = text.trim();
  if (endsWithWord(lines)) body = body.slice(0, Math.max(body.lastIndexOf('\n'), body.lastIndexOf('\r'), 0)).trim();
  return readBody(body, { whole: true, brokenCounts: VERDICT_KEY.test(body) }, t);
}

function readFence({ lines, lastFence }: ReviewLayout, t: Translate): JsonReading {
  if (lastFence === null) return NONE;
  const behind = lines.slice(lastFence.end).filter((line) => line.text.trim() !== '');
  const [first, second] = behind;
  if (second !== undefined || (first !== undefined && !(first.own && isWordLine(first.text)))) return NONE;
  const { info, body, closed } = lastFence;
  const saysJson = /^json/i.test(info);
  const hasKey = VERDICT_KEY.test(body);
  if (!closed) return readJsonObject(body).type !== 'notObject' && (saysJson || hasKey) ? INVALID : NONE;
  return readBody(body, { whole: false, brokenCounts: hasKey && (saysJson || info === '') }, t);
}

const VERDICT_KEY = /["']?\b(?:score|approved)\b["']?\s{0,9}:/;

/** `brokenCounts`: text that begins like an object and is none was meant as the verdict. */
function readBody(
  body: string,
  { whole, brokenCounts }: { readonly whole: boolean; readonly brokenCounts: boolean },
  t: Translate,
): JsonReading {
  const read = readJsonObject(body);
  if (read.type === 'broken' && brokenCounts) return INVALID;
  if (read.type !== 'object') return NONE;
  const { value } = read;
  if (!(Object.hasOwn(value, 'score') || Object.hasOwn(value, 'approved'))) return NONE;
  const { score, approved } = value;
  if (typeof score !== 'number' || typeof approved !== 'boolean') return INVALID;
  const warnings: string[] = [];
  const warn = (words: Words): void => {
    warnings.push(words(t));
  };
  const findings = readFindings(value, warn);
  const blocker = hasBlocker(value);
  if (blocker && !findings.some((finding) => finding.severity === 'blocker')) {
    warn((t) => t('The verdict holds a blocker outside its findings; it counts.'));
  }
  if (value.summary !== undefined && value.summary !== null && typeof value.summary !== 'string') {
    warn((t) => t('The summary is not a text; it was left out.'));
  }
  return {
    type: 'verdict',
    score,
    approved,
    summary: typeof value.summary === 'string' ? value.summary.trim() : null,
    findings,
    previous: readPrevious(value.previous, warn),
    suggestions: readSuggestions(value.suggestions, warn),
    blocker,
    warnings,
    whole,
  };
}
