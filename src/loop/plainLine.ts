/** Stands for something that is neither letter nor number, such as a scale that was read and taken out. */
const HOLE = '§';

const LOOK_ALIKES: readonly (readonly [string, string])[] = [
  ['／∕⁄', '/'],
  ['：﹕︰∶', ':'],
  ['．٫', '.'],
  ['％٪', '%'],
  ['－﹣−‐‑', '-'],
  ['‒', '–'],
  ['―', '—'],
  ['＋﹢', '+'],
  ['（﹙', '('],
  ['）﹚', ')'],
  ['［', '['],
  ['］', ']'],
  ['｜', '|'],
  ['＝', '='],
  ['＜', '<'],
  ['＞', '>'],
  ['～〜∼', '~'],
  ['→➜➡⟶⇒', '→'],
  ['評', '评'],
  ['數', '数'],
  ['總', '总'],
  ['終', '终'],
  ['滿', '满'],
  ['點', '点'],
  ['兩', '两'],
];
const SAME = new Map(LOOK_ALIKES.flatMap(([from, to]) => [...from].map((char) => [char, to] as const)));
const LOOK_ALIKE = new RegExp(`[${[...SAME.keys()].join('')}]`, 'gu');
const INVISIBLE = /\u20E3|\uFE0E|\uFE0F|[\u00AD\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|\u200D/gu;

/**
 * A line as a reader sees it: any decimal digit as ASCII, full-width and traditional forms folded, Markdown marks and
 * tags gone. Two digits that only marks kept apart are never joined to one number.
 */
export function plainLine(line: string): string {
  return line
    .replace(INVISIBLE, '')
    .replace(/[^\P{Nd}0-9]/gu, asciiDigit)
    .replace(LOOK_ALIKE, (char) => SAME.get(char) ?? char)
    .replace(/<\/?[a-z][^<>]{0,200}>/giu, ' ')
    .replace(/[*`]+/g, (marks, at: number, whole: string) => (isBetween(/\d/, whole, at, marks.length) ? 'x' : ''))
    .replace(/_+/g, (marks, at: number, whole: string) =>
      isBetween(/[\p{L}\p{N}]/u, whole, at, marks.length) ? marks : '',
    )
    .replace(/[-=]{1,9}>/g, '→');
}

function isBetween(kind: RegExp, line: string, at: number, length: number): boolean {
  return kind.test(line.charAt(at - 1)) && kind.test(line.charAt(at + length));
}

const digits = new Map<string, string>();

/** Decimal digits stand in runs of ten, zero first. */
function asciiDigit(char: string): string {
  const known = digits.get(char);
  if (known !== undefined) return known;
  const code = char.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  const digit = String((code - zero) % 10);
  digits.set(char, digit);
  return digit;
}

const TO = '\\s{0,3}(?:-|–|—|~|to|and|through|到|至)\\s{0,3}';
const ENDS = '(\\d{1,4}(?!\\d)|一百|[一二三四五六七八九十百](?![一二三四五六七八九十百]))';

/** Ways to name a scale; the first group is its upper end. */
const SCALES: readonly RegExp[] = [
  new RegExp(`满分(?:是|为|:|\\s){0,3}${ENDS}(?!\\s{0,3}/)(?:\\s{0,2}分)?`, 'gu'),
  new RegExp(`(?<![\\d.])${ENDS}\\s{0,2}分?\\s{0,2}(?:为|是)?满分`, 'gu'),
  new RegExp(`(?<![\\d.])${ENDS}\\s{0,2}分\\s{0,2}制`, 'gu'),
  new RegExp(`\\(\\s{0,3}[01]${TO}${ENDS}\\s{0,3}(?:分|points?)?\\s{0,3}\\)`, 'giu'),
  new RegExp(
    `(?:\\b(?:scale|range|from|between|out)\\b|标准|范围|从)[\\s:(]{0,3}(?:(?:of|is|from|为|是)\\s{0,3})?[01]${TO}${ENDS}(?:\\s{0,2}分)?`,
    'giu',
  ),
  new RegExp(`(?<![\\d.])[01]${TO}${ENDS}(?:\\s{0,2}(?:point\\s)?scale|\\s{0,2}分制|\\s{0,2}(?=:))`, 'giu'),
  new RegExp(`\\b${ENDS}(?:-|\\s)point\\s{1,3}(?:scale|rating)`, 'giu'),
  new RegExp(`\\bscale\\s{1,3}of\\s{1,3}${ENDS}(?!${TO}\\d)`, 'giu'),
];
/** The same in brackets; behind a number it belongs to that number and stays. */
const BRACKETED = new RegExp(
  `\\(\\s{0,3}(?:out\\s{1,3}of|max(?:imum)?(?:\\s{1,3}of|:)?|of|/)\\s{0,3}${ENDS}\\s{0,3}\\)`,
  'giu',
);
const BEHIND_NUMBER = /(?:\d|分|points?)\s{0,3}$/u;
/** A number that only counts, such as `round 2 of 3` or `第二轮`. */
const ORDINALS =
  /\b(round|attempt|iteration|step|part|section|item|line|version|phase|task|finding)(\s{0,3}#?)\d{1,6}(?:\s?(?:of|\/)\s?\d{1,6})?(?![\d./])|第\s{0,2}(?:\d{1,6}|[一二三四五六七八九十]{1,3})\s{0,2}[轮次版步部项个]/giu;

/** The line without what only names a scale or an ordinal. `otherScale`: some named scale does not end at 10. */
export function withoutScales(line: string): { readonly line: string; readonly otherScale: boolean } {
  let otherScale = false;
  const take = (end: string): string => {
    if (end !== '10' && end !== '十') otherScale = true;
    return HOLE;
  };
  let rest = line;
  for (const scale of SCALES) rest = rest.replace(scale, (_all, end: string) => take(end));
  rest = rest.replace(BRACKETED, (all: string, end: string, at: number, whole: string) =>
    BEHIND_NUMBER.test(whole.slice(Math.max(0, at - 12), at)) ? all : take(end),
  );
  rest = rest.replace(ORDINALS, (_all, noun: string | undefined) => (noun === undefined ? HOLE : `${noun} ${HOLE}`));
  return { line: rest, otherScale };
}
