/** JSON with its comments and trailing commas removed. */
export interface CleanJson {
  readonly text: string;
  /** Some object has the same key twice: which value counts is anyone's guess. */
  readonly repeatedKey: boolean;
}

const PIECE =
  /"(?:[^"\\\n\r]|\\[^\n\r])*"|\/\/[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*\*\/|-?\d[\d.eE+-]*|[{}[\],:]|[A-Za-z]+|\s+/y;
const LONG_FRACTION = /^(-?\d+\.\d{14})\d+/;

/**
 * Removes comments and trailing commas, with respect for strings; null when the text holds something that is no piece
 * of JSON (an open string or comment, a stray sign). Digits behind the 14th decimal are cut, so that 8.99999999999999999
 * is not rounded up by the parser. Linear in the text, and safe on any depth.
 */
export function cleanJson(text: string): CleanJson | null {
  const pieces: string[] = [];
  const keys: (Set<string> | null)[] = [];
  /** Index in `pieces` of the last piece with meaning. */
  let last = -1;
  let repeatedKey = false;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const piece = PIECE.exec(text)?.[0];
    if (piece === undefined) {
      PIECE.lastIndex = 0;
      return null;
    }
    if (piece.startsWith('/') || /^\s/.test(piece)) {
      pieces.push(' ');
      continue;
    }
    if (piece === '{') keys.push(new Set());
    if (piece === '[') keys.push(null);
    if (piece === '}' || piece === ']') {
      keys.pop();
      if (pieces[last] === ',') pieces[last] = ' ';
    }
    if (piece === ':') {
      const seen = keys.at(-1);
      const key = keyOf(pieces[last] ?? '');
      if (seen?.has(key)) repeatedKey = true;
      seen?.add(key);
    }
    last = pieces.push(piece.replace(LONG_FRACTION, '$1')) - 1;
  }
  return { text: pieces.join(''), repeatedKey };
}

/** The key that a string literal spells: escapes make equal keys look different. */
function keyOf(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
