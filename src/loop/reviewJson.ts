import type { PreviousFinding, ReviewFinding } from '../shared/events.ts';
import { cleanJson } from './cleanJson.ts';
import { hasBlocker, isRecord, readFindings, readPrevious, readSuggestions } from './reviewFindings.ts';
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

/** Reads the JSON verdict where it counts: as the whole text or the last fence, with nothing but the word line behind. */
export function readJsonVerdict(text: string, layout: ReviewLayout): JsonReading {
  const whole = readWhole(text, layout);
  if (whole.type === 'verdict') return whole;
  const fenced = readFence(layout);
  return fenced.type === 'none' ? whole : fenced;
}

function readWhole(text: string, { lines }: ReviewLayout): JsonReading {
  let body = text.trim();
  if (endsWithWord(lines)) body = body.slice(0, Math.max(body.lastIndexOf('\n'), body.lastIndexOf('\r'), 0)).trim();
  const reading = readBody(body, true);
  return reading.type === 'none' && isBroken(body) && VERDICT_KEY.test(body) ? INVALID : reading;
}

function readFence({ lines, lastFence }: ReviewLayout): JsonReading {
  if (lastFence === null) return NONE;
  const behind = lines.slice(lastFence.end).filter((line) => line.text.trim() !== '');
  const [first, second] = behind;
  if (second !== undefined || (first !== undefined && !(first.own && isWordLine(first.text)))) return NONE;
  const { info, body, closed } = lastFence;
  const saysJson = /^json/i.test(info);
  if (!closed) return isBroken(body) && (saysJson || VERDICT_KEY.test(body)) ? INVALID : NONE;
  const reading = readBody(body, false);
  const mayBeVerdict = (saysJson || info === '') && VERDICT_KEY.test(body);
  return reading.type === 'none' && mayBeVerdict && isBroken(body) ? INVALID : reading;
}

const VERDICT_KEY = /["']?\b(?:score|approved)\b["']?\s{0,9}:/;

/** Whether a text that begins like an object is none. */
function isBroken(body: string): boolean {
  const cleaned = cleanJson(body);
  if (cleaned === null) return /^\s*(?:\/[/*]|\{)/.test(body);
  return cleaned.text.trimStart().startsWith('{') && (cleaned.repeatedKey || parse(cleaned.text) === undefined);
}

function readBody(body: string, whole: boolean): JsonReading {
  const cleaned = cleanJson(body);
  if (cleaned === null || !cleaned.text.trimStart().startsWith('{')) return NONE;
  const value = parse(cleaned.text);
  if (!isRecord(value) || !(Object.hasOwn(value, 'score') || Object.hasOwn(value, 'approved'))) return NONE;
  const { score, approved } = value;
  if (cleaned.repeatedKey || typeof score !== 'number' || typeof approved !== 'boolean') return INVALID;
  const warnings: string[] = [];
  const warn = (text: string): void => {
    warnings.push(text);
  };
  const findings = readFindings(value, warn);
  const blocker = hasBlocker(value);
  if (blocker && !findings.some((finding) => finding.severity === 'blocker')) {
    warn('The verdict holds a blocker outside its findings; it counts.');
  }
  if (value.summary !== undefined && value.summary !== null && typeof value.summary !== 'string') {
    warn('The summary is not a text; it was left out.');
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
