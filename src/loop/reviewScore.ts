import type { Verdict } from '../shared/review.ts';
import { plainLine, withoutScales } from './plainLine.ts';
import { type StatedNumber, statedNumbers } from './statedNumbers.ts';

/** The one score that a text states, or why there is none. */
export type ScoreReading =
  | { readonly type: 'score'; readonly score: number }
  | {
      readonly type: 'none';
      readonly reason: Extract<Verdict['reason'], 'no_score' | 'ambiguous_score' | 'score_out_of_range'>;
    };

/** What was said at one rank. */
interface Rank {
  readonly values: Set<number>;
  /** A range, a bound, or a number that is none. */
  unclear: boolean;
  /** 0, 11, a negative number, or another scale. */
  outside: boolean;
  /** Counts and wishes on our scale: never a score, but another number than the score makes that doubtful. */
  readonly doubts: Set<number>;
}

/**
 * Finds the score in the reviewer's own lines (Markdown): a label that says total wins over other labels, and these
 * over bare `N/10`, `N out of 10` and N分. Different values of one rank, and ranges, are ambiguous. Nothing is clamped,
 * rescaled or rounded.
 */
export function readScore(lines: readonly string[]): ScoreReading {
  const scaled = lines.map((line) =>
    MATTERS.test(line) ? withoutScales(plainLine(line)) : { line: line.trim() && OTHER_TEXT, otherScale: false },
  );
  const otherScale = scaled.some((line) => line.otherScale);
  const plain = scaled.map(({ line }) => line);
  const total = emptyRank();
  const labelled = emptyRank();
  const unlabelled = emptyRank();
  const readLine = (line: string): void => {
    let labelsFrom = 0;
    for (const number of statedNumbers(line)) {
      const label = labelBefore(line, labelsFrom, number);
      labelsFrom = number.end;
      if (label === 'total') add(total, number, otherScale);
      else if (label === 'score') add(labelled, number, otherScale);
      else addUnlabelled(unlabelled, number, otherScale);
    }
  };
  plain.forEach(readLine);
  joinedLabels(plain).forEach(readLine);
  tableCells(plain).forEach(readLine);
  return judge([total, labelled, unlabelled]);
}

/** Only lines with a number, a label or a table's bar can matter; all others are not looked at closer. */
const MATTERS = /[\p{Nd}|零〇一二两兩三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾分]|score|rating/iu;
const OTHER_TEXT = '…';

function emptyRank(): Rank {
  return { values: new Set(), unclear: false, outside: false, doubts: new Set() };
}

function judge(ranks: readonly Rank[]): ScoreReading {
  for (const { values, unclear, outside, doubts } of ranks) {
    const [score, other] = values;
    const doubtful = score !== undefined && (outside || [...doubts].some((value) => value !== score));
    if (unclear || other !== undefined || doubtful) {
      return { type: 'none', reason: 'ambiguous_score' };
    }
    if (outside) return { type: 'none', reason: 'score_out_of_range' };
    if (score !== undefined) return { type: 'score', score };
  }
  return { type: 'none', reason: 'no_score' };
}

function add(rank: Rank, { value, scale, bound }: StatedNumber, otherScale: boolean): void {
  if (scale === 'other' || (otherScale && scale !== 'ten')) rank.outside = true;
  else if (value === null || bound) rank.unclear = true;
  else if (value >= 1 && value <= 10) rank.values.add(value);
  else rank.outside = true;
}

/** A number without a label is a score when it names our scale and nothing is counted or wished for. */
function addUnlabelled(rank: Rank, number: StatedNumber, otherScale: boolean): void {
  const { value, range, scale, use, bound } = number;
  if ((scale !== 'ten' && scale !== 'points') || use === 'change' || (value === null && !range)) return;
  if (use === 'plain' && !bound) add(rank, number, otherScale);
  else if (value !== null) rank.doubts.add(value);
}

const WORD_START = '(?<![\\p{Script=Latin}\\p{N}_])';
const WORD_END = '(?![\\p{Script=Latin}\\p{N}_])';
const LABELS = new RegExp(
  `${WORD_START}(?:score|rating|rate)${WORD_END}|(?:评分|得分|打分|总?分数|总分)(?!率|标准|规则|依据|范围|细则|线|制|器|体系)`,
  'giu',
);
const TOTALS = new RegExp(
  `${WORD_START}(?:overall|total|final)(?:\\s{1,3}(?:verdict|assessment|grade|result|mark|evaluation))?${WORD_END}|(?:总体|总评|总计|合计总|最终|总)(?:评价|结论|评估|评定|评级|结果)?`,
  'giu',
);
const SAYS_TOTAL = /(?<![\p{Script=Latin}\p{N}_])(?:overall|total|final)(?![\p{Script=Latin}\p{N}_])|总|最终/iu;
const TOTAL_BEFORE =
  /(?:(?<![\p{Script=Latin}\p{N}_])(?:overall|total|final)(?:,?\s{1,3}(?:(?:i|we)(?:['’](?:d|ll)|\s{1,3}would|\s{1,3}will)?|[a-z-]{1,20}))?[\s(-]{0,3}|(?:总(?![结是共])|最终)\p{Script=Han}{0,3})$/iu;
/** `rate` is a label as a verb or alone, not in "pass rate". */
const RATES = /(?:(?<!\p{Script=Latin})(?:i|we|would|will|to|can|must|overall|final|total|my)|['’](?:d|ll))\s{1,3}$/iu;
const CLAUSE_START =
  /(?:^|[.!?;。！？；|])(?:[^\p{L}\p{N}.!?;。！？；]{0,12}|\s{0,6}\d{1,3}[.)、]\s{0,3}[^\p{L}\p{N}]{0,6})(?:(?:my|the|in|我的)\s{0,3})?$/iu;

/** How far a label may stand from its number. */
const GAP = 60;

/** What labels the number: only a label with nothing but punctuation and filling words between them. */
function labelBefore(line: string, from: number, number: StatedNumber): 'total' | 'score' | null {
  const low = Math.max(from, number.start - GAP - 12);
  const before = line.slice(low, number.start);
  const label = [...before.matchAll(LABELS)].findLast((match) => isLabel(match[0], before, match.index, line, low));
  if (label !== undefined) {
    const gap = before.slice(label.index + label[0].length);
    if (!isFilling(gap) || (number.scale === 'bare' && number.use === 'count')) return null;
    const ahead = line.slice(Math.max(from, low + label.index - 40), low + label.index);
    const total = label[0] === '总分' || label[0] === '总分数' || TOTAL_BEFORE.test(ahead) || SAYS_TOTAL.test(gap);
    return total ? 'total' : 'score';
  }
  if ((number.scale !== 'ten' && number.scale !== 'points') || number.use !== 'plain') return null;
  const isTotal = [...before.matchAll(TOTALS)].some(({ 0: word, index }) => {
    const gap = before.slice(index + word.length);
    const ahead = line.slice(Math.max(0, low + index - 24), low + index);
    return (
      isFilling(gap) && (CLAUSE_START.test(ahead) || (/[,，、]\s{0,3}$/.test(ahead) && /^[^,，]{0,9}[:=]/.test(gap)))
    );
  });
  return isTotal ? 'total' : null;
}

function isLabel(word: string, before: string, at: number, line: string, low: number): boolean {
  if (word.toLowerCase() !== 'rate') return true;
  const ahead = line.slice(Math.max(0, low + at - 24), low + at);
  return RATES.test(ahead) || (CLAUSE_START.test(ahead) && /^\s{0,3}[:=|]/.test(before.slice(at + word.length)));
}

const FILLING_WORDS = new Set(
  (
    'is was of as at a an the this that it its to for with be i we i’d would give gives given my our your overall ' +
    'total final change changes patch work code pr pull request commit solution implementation result diff round ' +
    'current new revised now review reviewer version submission attempt about around approximately roughly task'
  ).split(' '),
);
const FILLING_HAN =
  /^(?:这次|本次|本轮|此次|这个|这一|该|修改|改动|代码|变更|实现|提交|方案|质量|整体|总体|最终|综合|总|我|的|为|是|给出?|打|约|大约|大概|可以|结果|轮|第|在|介于)*$/u;

function isFilling(gap: string): boolean {
  if (gap.length > GAP || /[.!?;。！？；\p{N}]/u.test(gap)) return false;
  const words = gap.match(/[\p{Script=Latin}'’]+/gu) ?? [];
  if (!words.every((word) => isFillingWord(word))) return false;
  const others = gap.replace(/[\p{Script=Latin}\P{L}]/gu, '');
  return FILLING_HAN.test(others);
}

function isFillingWord(word: string): boolean {
  const plain = word
    .toLowerCase()
    .replace(/^['’]+|['’]+$/g, '')
    .replace("'", '’');
  return plain === '' || FILLING_WORDS.has(plain);
}

const ONLY_LABEL =
  /^[^\p{L}\p{N}]*(?:\d{1,2}[.)、]\s{0,3}[^\p{L}\p{N}]*)?(?:(?:overall|total|final|my|the|总体?|最终|我的)\s{0,3})*(?:score|rating|评分|得分|分数|打分|总分)[^\p{L}\p{N}]*$/iu;
const ONLY_NUMBER =
  /^(?!\s*\d{1,2}[.)、]\s)[^\p{L}\p{N}]*(?:\d[\d.,]*|[一二三四五六七八九十](?:点[一二三四五六七八九]+)?(?=\s{0,2}分))\s{0,3}(?:分半?|points?|\/\s{0,3}\d+\s{0,2}分?|out of \d+)?[^\p{L}\p{N}]*$/iu;
const LABEL_LINE_LIMIT = 80;

/** Label and number on two lines, such as a heading `## Score` with `9/10` under it, joined to one. */
function joinedLabels(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let label: string | null = null;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const short = line.length <= LABEL_LINE_LIMIT;
    if (label !== null && short && ONLY_NUMBER.test(line)) joined.push(`${label} ${line.trim()}`);
    label = short && ONLY_LABEL.test(line) ? line : null;
  }
  return joined;
}

/** The cells of score columns with the row's name and the column's head before them, one line a cell. */
function tableCells(lines: readonly string[]): string[] {
  const cells: string[] = [];
  let columns: { readonly at: number; readonly head: string }[] = [];
  lines.forEach((line, index) => {
    if (!line.includes('|')) columns = [];
    else if (isDelimiterRow(line)) {
      columns = cellsOf(lines[index - 1] ?? '')
        .map((head, at) => ({ at, head: head.slice(0, 40) }))
        .filter(({ head }) => head.search(LABELS) >= 0);
    } else if (columns.length > 0) {
      const row = cellsOf(line);
      for (const { at, head } of columns) {
        const name = at === 0 ? '' : (row[at - 1] ?? '').slice(-40);
        cells.push(`${name} ${head}: ${row[at] ?? ''}`);
      }
    }
  });
  return cells;
}

function isDelimiterRow(line: string): boolean {
  return line.includes('-') && !/[^\s|:-]/.test(line);
}

function cellsOf(line: string): string[] {
  const inner = line.trim();
  const cells = inner.split('|').map((cell) => cell.trim());
  return inner.startsWith('|') ? cells.slice(1) : cells;
}
