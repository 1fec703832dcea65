/** One number of a plain line with what stands at it. */
export interface StatedNumber {
  /** Where the number begins in the line, sign included, and where its scale ends. */
  readonly start: number;
  readonly end: number;
  /** Null: no single number, such as a range, 八九, or a version like `9.1.2`. */
  readonly value: number | null;
  readonly range: boolean;
  /** `ten`: `/10`, `out of 10` or 分. `other`: a scale that does not end at 10. `bare`: none. */
  readonly scale: 'ten' | 'points' | 'other' | 'bare';
  /** `count`: of things, such as `9/10 of the tests`. `change`: as 扣1分, a part of the score and never the score. */
  readonly use: 'plain' | 'count' | 'change';
  /** A bound or a wish, such as `below 9/10` or 9分以上. */
  readonly bound: boolean;
}

const HAN_NUMERAL = '零〇一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾';
const TOKEN = new RegExp(`\\.?\\d+(?:[.,·•_'’٬点]\\d+)*|[${HAN_NUMERAL}]+(?:点[${HAN_NUMERAL}]+)?`, 'giu');
/** How far around a number is looked. Every slice is bounded, so that the work stays linear. */
const REACH = 80;

const NUMBER = `(?:\\d[\\d.,]{0,20}|[${HAN_NUMERAL}]{1,9}(?:点[${HAN_NUMERAL}]{1,9})?)`;
const SLASH = /^\s{0,4}(?:points?|pts?\.?|分)?\s{0,4}\/\s{0,4}(\.?\d+(?:[.,]\d+)*|十分?)?/iu;
/** Such as 9分/满分10分, whose scale `withoutScales` has taken out. */
const SLASH_HOLE = /^\s{0,4}分?\s{0,4}\/\s{0,4}§/u;
const OUT_OF =
  /^\s{0,4}(?:points?|pts?\.?|分)?\s{0,4}\(?\s{0,3}out\s{1,4}of\s{1,4}(?:an?\s{1,4})?(?:possible\s{1,4}|total\s{1,4}|max(?:imum)?\s{1,4})?(?:of\s{1,4})?(\d+(?:[.,]\d+)*|ten\b)/iu;
const OTHER_UNIT = /^\s{0,3}(?:%|percent\b|stars?\b|颗?星|★|⭐)/iu;
const POINTS = /^\s{0,3}分(?![钟之支析别号母子离布类割配组页区片层块栏裂辨歧段叉秒享贝成]|\s{0,2}\d)(半?)/u;
const UNIT_WORD = /^\s{0,3}(?:points?|pts?\.?)(?![\p{L}\p{N}])/iu;

const BOUND_BEHIND =
  /^\s{0,2}(?:及?以上|及?以下|以内|起步?|\+|(?:or|and)\s{1,3}(?:more|above|higher|better|less|below|lower|up)\b)/iu;
const BOUND_BEFORE =
  /(?:(?:[<>≤≥≠±]=?|!=)\s{0,3}|\b(?:below|under|above|over|than|least|most|not|never|cannot|threshold(?:\s{1,3}(?:is|of))?|minimum(?:\s{1,3}of)?|needs?|requires?|up\s{1,3}to|nearly|almost|beyond|until|unless|without|aim(?:ing|s)?\s{1,3}for|targets?(?:\s{1,3}of)?|isn['’]t|not\s{1,3}(?:quite|yet))[\s:]{1,3}(?:an?\s{1,3})?|(?:不到|不足|不够|低于|高于|超过|没有|没到|未到|未达到?|达不到|不是|不给|不能给|无法给|距离?|离|至少|最少|最多|大于|小于|阈值|门槛)(?:为|是|:|打|\s){0,2})$/iu;
const DEDUCTION = /(?:扣|减|加|少|差|降|涨|失|丢)(?:了|去|掉|到)?\s{0,2}$/u;

const COUNT_NOUN =
  /^\s{0,3}(?:of\b(?!\s{0,3}(?:10|ten)\b)|(?:(?!(?:and|but|for|because|with|on|in|as|if|since|though|no|all|the|is|are|while|given|when|after|before|despite|only|at|to)\b)[a-z-]{1,20}\s{1,3}){0,2}(?:tests?|files?|cases?|checks?|specs?|suites?|assertions?|items?|requirements?|issues?|findings?|problems?|errors?|warnings?|bugs?|modules?|functions?|methods?|lines?|commits?|examples?|failures?|hours?|minutes?|seconds?|days?|rounds?|comments?|blockers?|nits?|passed|passing|failed|failing)\b|(?:的|个|条|项|处){0,2}\s{0,2}(?:单元)?(?:测试|用例|文件|检查|断言|问题|模块|函数|条目|需求|通过))/iu;
const COUNTER = /^\s{0,2}[个条项处次轮行人天秒毫月年日号倍种类份步章版折级成]/u;

/** A number without any of these around it is not about a score; most numbers are left at that. */
const NEAR = /[/分]|out|score|rat(?:e|ing)/i;

/** Every number of the line that may be about a score, a range as one, with what stands at it. Linear in the line. */
export function statedNumbers(line: string): StatedNumber[] {
  const found: StatedNumber[] = [];
  let end = 0;
  for (const match of line.matchAll(TOKEN)) {
    if (match.index < end || !NEAR.test(line.slice(Math.max(0, match.index - REACH), match.index + REACH))) continue;
    const number = readNumber(line, match[0], match.index);
    if (number === null) continue;
    found.push(number);
    end = number.end;
  }
  return found;
}

function readNumber(line: string, token: string, tokenStart: number): StatedNumber | null {
  const sign = signBefore(line, tokenStart);
  if (sign === 'glued') return null;
  const start = sign === '' ? tokenStart : tokenStart - sign.length;
  const before = line.slice(Math.max(0, start - REACH), start);
  const arabic = /\d/.test(token);
  let end = tokenStart + token.length;
  const behind = line.slice(end, end + REACH);
  if (arabic && isGluedBehind(behind)) return null;
  let value = arabic ? arabicValue(token) : hanValue(token);
  let bound = BOUND_BEFORE.test(before);
  if (/^\+|^-\s{0,2}\//.test(behind)) {
    bound = true;
    end++;
  }
  const unit = readUnit(line.slice(end, end + REACH));
  if (!arabic && unit.scale === 'bare' && !/^\s{0,3}(?:$|[\p{P}\p{S}到至或])/u.test(behind)) return null;
  if (!arabic && unit.scale === 'points' && !isHanScore(token, before, behind)) return null;
  end += unit.length;
  if (value !== null) value += unit.extra;
  if (sign.trim() === '-' || sign === '–') value = value === null ? null : -value;
  const rest = line.slice(end, end + REACH);
  bound ||= BOUND_BEHIND.test(rest);
  const range = rangeEnd(rest, before, unit.scale !== 'bare');
  let { scale } = unit;
  if (unit.malformed) value = null;
  if (range !== null) {
    value = null;
    end += range.length;
    if (scale === 'bare') scale = range.scale;
  }
  let use: StatedNumber['use'] = 'plain';
  if (scale === 'points' && DEDUCTION.test(before)) use = 'change';
  else if (COUNT_NOUN.test(rest) || (scale === 'bare' && COUNTER.test(rest))) use = 'count';
  return { start, end, value, range: range !== null || (!arabic && value === null), scale, use, bound };
}

/** The sign, or `glued` where the digits belong to something longer (a date, a path, a name, `#9`). */
function signBefore(line: string, start: number): string {
  const previous = charBefore(line, start);
  const further = previous === '' ? '' : charBefore(line, start - previous.length);
  if (previous === '-' || previous === '–' || previous === '+') {
    if (/[\d.)%]/.test(further)) return 'glued';
    if (
      /\p{L}/u.test(further) &&
      !/(?:score|rating|rate|评分|得分|分数|打分|总分)$/iu.test(line.slice(0, start - 1).slice(-9))
    ) {
      return 'glued';
    }
    return previous;
  }
  if (/[:=]\s{0,3}-\s{1,3}$/.test(line.slice(Math.max(0, start - 9), start))) {
    return /-\s{1,3}$/.exec(line.slice(Math.max(0, start - 9), start))?.[0] ?? '-';
  }
  if (/[\p{L}\p{N}]/u.test(previous)) {
    return /\p{Script=Han}/u.test(previous) && !/[第点年月时]/u.test(previous) ? '' : 'glued';
  }
  if (/[#@$€£¥^_\\/.&]/u.test(previous) || (previous === ':' && /\d/.test(further))) return 'glued';
  return '';
}

function charBefore(line: string, at: number): string {
  const low = line.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? line.slice(at - 2, at) : line.charAt(at - 1);
}

function isGluedBehind(behind: string): boolean {
  if (/^(?:points?|pts?)(?![\p{L}\p{N}])/iu.test(behind)) return false;
  return /^(?:[\p{N}_@#^°×\\]|[€$£¥]|-\p{Script=Latin}|(?!\p{Script=Han})\p{L}|:\d|分(?:[钟秒]|\d)|点(?!\p{P}|\s|$))/u.test(
    behind,
  );
}

interface Unit {
  readonly scale: StatedNumber['scale'];
  readonly length: number;
  /** 半 behind 分. */
  readonly extra: number;
  readonly malformed: boolean;
}

function readUnit(behind: string): Unit {
  const hole = SLASH_HOLE.exec(behind);
  if (hole !== null) return { scale: 'points', length: hole[0].length, extra: 0, malformed: false };
  const slash = SLASH.exec(behind);
  if (slash !== null) {
    const [all, end] = slash;
    const rest = behind.slice(all.length);
    const malformed =
      end === undefined || /^(?:\s{0,2}[/^]|[\p{N}_]|(?!\p{Script=Han})\p{L}|[:-]\d)/u.test(rest) || all.length > 40;
    const ten = end !== undefined && (/^十/.test(end) || isTen(end));
    const points = /^\s{0,2}分(?!\p{Script=Han})/u.exec(rest)?.[0] ?? '';
    const percent = /^\s{0,2}%/.test(rest);
    return { scale: ten && !percent ? 'ten' : 'other', length: all.length + points.length, extra: 0, malformed };
  }
  const outOf = OUT_OF.exec(behind);
  if (outOf !== null) {
    const [all, end = ''] = outOf;
    return { scale: isTen(end) ? 'ten' : 'other', length: all.length, extra: 0, malformed: false };
  }
  const other = OTHER_UNIT.exec(behind);
  if (other !== null) return { scale: 'other', length: other[0].length, extra: 0, malformed: false };
  const points = POINTS.exec(behind);
  if (points !== null) {
    const half = points[1] === '半' ? 0.5 : 0;
    const outer = SLASH.exec(behind.slice(points[0].length));
    if (outer === null) return { scale: 'points', length: points[0].length, extra: half, malformed: false };
  }
  const word = UNIT_WORD.exec(behind);
  return { scale: 'bare', length: word?.[0].length ?? 0, extra: 0, malformed: false };
}

function isTen(end: string): boolean {
  return end.toLowerCase() === 'ten' || /^10(?:[.,]0{1,9})?$/.test(end);
}

/** 十分 is also the word for "very", 一分 a little: a numeral is a score only where nothing is said on. */
function isHanScore(token: string, before: string, behind: string): boolean {
  if (!/^\s{0,3}分半?\s{0,3}(?:$|[\p{P}\p{S}到至或以及吧了])/u.test(behind)) return false;
  return token !== '十' || /[给打评得为是:=]/u.test(before.slice(-20));
}

const RANGE = new RegExp(
  `^(\\s{0,4}(?:-{1,2}|–|—|~{1,3}|→|到|至|或|…|\\.{2,3}|、)\\s{0,4}|\\s{1,4}(?:to|through|or)\\s{1,4})([+-]?${NUMBER})`,
  'iu',
);
const BETWEEN = new RegExp(`^(\\s{0,4}(?:and|和|与)\\s{0,4})(${NUMBER})`, 'iu');

/** The second half of a range that begins with the number before `rest`; null when there is none. */
function rangeEnd(
  rest: string,
  before: string,
  scaled: boolean,
): { readonly length: number; readonly scale: StatedNumber['scale'] } | null {
  const isBetween = /(?:\bbetween|介于|在)\s{0,3}(?:an?\s{1,3})?$/iu.test(before);
  const match = RANGE.exec(rest) ?? (isBetween ? BETWEEN.exec(rest) : null);
  if (match === null) return null;
  const [all, mark = ''] = match;
  const behind = rest.slice(all.length);
  const unit = readUnit(behind);
  const last = behind.slice(unit.length);
  const ends = /^\s{0,3}(?:$|[^\p{L}\p{N}\s])/u.test(last);
  const counted = COUNT_NOUN.test(last) || COUNTER.test(last);
  if (mark.includes('、') && scaled) return null;
  if (unit.scale === 'bare' && !ends && (scaled || counted)) return null;
  return { length: all.length + unit.length, scale: unit.scale };
}

/** The value of digits, never rounded up; null for what is no single number, such as a version. */
function arabicValue(token: string): number | null {
  if (!/^(?:\d+|\d*[.点]\d+|\d+,\d{1,2})$/.test(token)) return null;
  const [whole = '', fraction = ''] = token.split(/[.,点]/);
  return whole.length > 9 ? Number.POSITIVE_INFINITY : Number(`${whole || '0'}.${fraction.slice(0, 14)}`);
}

const HAN_DIGITS = '零一二三四五六七八九';
const SAME_DIGIT: Readonly<Record<string, string>> = {
  〇: '零',
  两: '二',
  壹: '一',
  贰: '二',
  叁: '三',
  肆: '四',
  伍: '五',
  陆: '六',
  柒: '七',
  捌: '八',
  玖: '九',
  拾: '十',
};

/** The value of a Chinese numeral; null when it is none or, as 八九, means a range. */
function hanValue(token: string): number | null {
  const [whole = '', fraction] = [...token]
    .map((char) => SAME_DIGIT[char] ?? char)
    .join('')
    .split('点');
  if (/[百千万亿]/.test(whole)) return 100;
  const parts = /^([一二三四五六七八九]?)(十?)([零一二三四五六七八九]?)$/.exec(whole);
  if (parts === null) return null;
  const [, tens = '', ten = '', units = ''] = parts;
  if (ten === '' && tens !== '' && units !== '') return null;
  const digit = (char: string): number => Math.max(0, HAN_DIGITS.indexOf(char));
  const value = ten === '' ? digit(tens || units) : digit(tens || '一') * 10 + digit(units);
  if (fraction === undefined) return value;
  if (/[^零一二三四五六七八九]/.test(fraction)) return null;
  return Number(`${value}.${[...fraction].map(digit).join('').slice(0, 14)}`);
}
