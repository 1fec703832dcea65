import type { Verdict } from '../shared/review.ts';
import { english, type Translate } from '../shared/translate.ts';
import { type JsonVerdict, readJsonVerdict } from './reviewJson.ts';
import { endsWithWord, isWordLine, layOut, type ReviewLayout, undecorated } from './reviewLines.ts';
import { readScore, type ScoreReading } from './reviewScore.ts';

/** At what score an approval counts: 1 to 10. */
export interface ReviewOptions {
  readonly threshold: number;
}

/**
 * Reads a reviewer's text as a verdict. Total and linear in the text: any text gives a verdict, and what cannot be read
 * with certainty is `unparsable`, never an approval. A valid JSON verdict wins over prose; without one the score is the
 * number that the reviewer states outside of fences and quotes, and the approval is `APPROVED` alone on the last line.
 * `t` words the warnings.
 */
export function parseReview(text: string, options: ReviewOptions, t: Translate = english): Verdict {
  const layout = layOut(text);
  if (text.trim() === '') return unparsable('empty', layout);
  const json = readJsonVerdict(text, layout, t);
  switch (json.type) {
    case 'invalid':
      return unparsable('invalid_json_verdict', layout);
    case 'verdict':
      return judgeJson(json, layout, options, t);
    case 'none':
      return judgeProse(layout, options, t);
    default:
      return json satisfies never;
  }
}

function judgeJson(json: JsonVerdict, layout: ReviewLayout, { threshold }: ReviewOptions, t: Translate): Verdict {
  const { score, approved, findings, previous, suggestions, warnings } = json;
  if (!(score >= 1 && score <= 10)) return unparsable('score_out_of_range', layout);
  let reason: Verdict['reason'] = 'ok';
  if (!approved) reason = 'json_not_approved';
  else if (score < threshold) reason = 'score_below_threshold';
  else if (json.blocker) reason = 'open_blocker';
  return {
    ...outcome(reason),
    score,
    source: 'json',
    warnings: [...warnings, ...disagreements(json, layout, threshold, t)],
    summary: json.summary ?? firstSentence(layout),
    findings,
    previous,
    suggestions,
  };
}

/** Where the JSON verdict contradicts itself or what stands around it. */
function disagreements(json: JsonVerdict, layout: ReviewLayout, threshold: number, t: Translate): string[] {
  const warnings: string[] = [];
  const word = endsWithWord(layout.lines);
  if (!json.approved && word) warnings.push(t('The JSON verdict does not approve, but the last line says APPROVED.'));
  if (json.approved && !word && !json.whole) {
    warnings.push(t('The JSON verdict approves, but the last line does not say APPROVED.'));
  }
  if (json.approved && json.score < threshold) {
    const { score } = json;
    warnings.push(t('The JSON verdict approves with {0}, which is below the threshold of {1}.', score, threshold));
  }
  if (json.approved && json.blocker) warnings.push(t('The JSON verdict approves and holds a blocker.'));
  const prose = json.whole ? null : readScore(ownTexts(layout));
  if (prose?.type === 'score' && prose.score !== json.score) {
    warnings.push(t('The JSON verdict gives {0}, but the text says {1}. The JSON counts.', json.score, prose.score));
  }
  return warnings;
}

function judgeProse(layout: ReviewLayout, { threshold }: ReviewOptions, t: Translate): Verdict {
  const own = ownTexts(layout);
  const reading: ScoreReading = readScore(own);
  if (reading.type === 'none') return unparsable(reading.reason, layout);
  const { score } = reading;
  let reason: Verdict['reason'] = 'ok';
  if (!endsWithWord(layout.lines)) reason = 'no_approved_line';
  else if (score < threshold) reason = 'score_below_threshold';
  else if (own.some((line) => SAYS_NO.test(line))) reason = 'json_not_approved';
  else if (own.some((line) => SAYS_BLOCKER.test(line))) reason = 'open_blocker';
  return {
    ...outcome(reason),
    score,
    source: 'prose',
    warnings: reason === 'ok' && own.some(speaksOfBlocker) ? [contradiction(t)] : [],
    summary: firstSentence(layout),
    findings: [],
    previous: [],
    suggestions: [],
  };
}

/** JSON that is no verdict by its place, such as an object without a fence behind prose, still never turns into a yes. */
const SAYS_NO = /"approved"\s{0,9}:\s{0,9}(?:false|"false"|null|0)/;
const SAYS_BLOCKER = /"severity"\s{0,9}:\s{0,9}"\s{0,9}blocker/i;

const BLOCKS = /\bblock(?:er|ers|ing|s)\b|\b(?:do|must) not (?:merge|ship)\b|阻断|阻塞|不要合并|不能合并|请勿合并/giu;
const DENIED =
  /(?:\b(?:no|non|not|never|without|zero|0|any)\b[\s-]{1,3}(?:[a-z-]{1,20}\s{1,3}){0,3}|无|没有|未发现|非)$/iu;

function contradiction(t: Translate): string {
  return t('The review approves and speaks of something that blocks: read it before you trust it.');
}

function speaksOfBlocker(line: string): boolean {
  for (const { index } of line.matchAll(BLOCKS)) {
    if (!DENIED.test(line.slice(Math.max(0, index - 60), index))) return true;
  }
  return false;
}

function outcome(reason: Verdict['reason']): Pick<Verdict, 'status' | 'approved' | 'reason'> {
  const approved = reason === 'ok';
  return { status: approved ? 'approved' : 'not_approved', approved, reason };
}

function unparsable(reason: Verdict['reason'], layout: ReviewLayout): Verdict {
  return {
    status: 'unparsable',
    approved: false,
    score: null,
    source: 'none',
    reason,
    warnings: [],
    summary: firstSentence(layout),
    findings: [],
    previous: [],
    suggestions: [],
  };
}

/** The reviewer's own lines, with an empty one wherever quoted work stood. */
function ownTexts({ lines }: ReviewLayout): string[] {
  return lines.map((line) => (line.own ? line.text : QUOTED_WORK));
}

/** Stands for quoted work, so that a label before it is not joined to a number behind it. */
const QUOTED_WORK = '…';

const SUMMARY_LIMIT = 300;
const JSON_LINE = /^\s*(?:[{}\]"]|\[\s*(?:$|[{"\]]))/;

/** The first sentence that the reviewer says outside of headings, the score line and the word. */
function firstSentence(layout: ReviewLayout): string {
  let fallback = '';
  for (const { text, own } of layout.lines) {
    if (!own || !/[\p{L}\p{N}]/u.test(text) || isWordLine(text) || JSON_LINE.test(text)) continue;
    const line = undecorated(text.slice(0, 4 * SUMMARY_LIMIT)).replace(/^(?:[-*+]|\d{1,9}[.)])\s+/, '');
    const sentence = /^.*?(?:[.!?](?=\s)|[。！？])/u.exec(line)?.[0] ?? line;
    const short = sentence.length > SUMMARY_LIMIT ? `${sentence.slice(0, SUMMARY_LIMIT - 1)}…` : sentence;
    if (fallback === '') fallback = short;
    const score = readScore([text.slice(0, 4 * SUMMARY_LIMIT)]);
    const scoreLine = sentence.length < 40 && (score.type === 'score' || score.reason !== 'no_score');
    if (!scoreLine && !/^\s*#/.test(text)) return short;
  }
  return fallback;
}
