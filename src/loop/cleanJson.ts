/** What a text that should be a JSON object holds. */
export type ReadJson =
  /** The text does not begin like an object. */
  | { readonly type: 'notObject' }
  /** It begins like an object and is none, or an object has the same key twice: which value counts is anyone's guess. */
  | { readonly type: 'broken' }
  | { readonly type: 'object'; readonly value: { readonly [key: string]: unknown } };

/**
 * Reads a JSON object after removing comments and trailing commas, with respect for strings. Digits behind the 14th
 * decimal are cut, so that 8.99999999999999999 is not rounded up. Linear in the text, never throws, safe on any depth.
 */
export function readJsonObject(text: string): ReadJson {
  let start = 0;
  for (let end: number | null = start; end !== null; end = skipComment(text, start)) {
    start = end;
    while (start < text.length && /\s/.test(text.charAt(start))) start++;
  }
  if (text.charAt(start) !== '{') return { type: 'notObject' };
  const cleaned = cleanJson(text);
  const value = cleaned === null ? undefined : parse(cleaned);
  return isRecord(value) ? { type: 'object', value } : { type: 'broken' };
}

/** Whether the value is an object with keys. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const PLAIN = /[^"/{}[\],:\d\s-]+|\s+|-?\d[\d.eE+-]*|-/y;
const LONG_FRACTION = /^(-?\d+\.\d{14})\d+/;

/** The text without comments and trailing commas; null when a string or comment stays open or a key is repeated. */
function cleanJson(text: string): string | null {
  const pieces: string[] = [];
  /** One entry for each open bracket: the keys of an object so far, null in an array. */
  const open: (Set<string> | null)[] = [];
  /** Index in `pieces` of the last piece that is not white space. */
  let last = -1;
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    let end: number | null = at + 1;
    if (char === '"') end = skipString(text, at);
    else if (char === '/') end = skipComment(text, at);
    else if (!'{}[],:'.includes(char)) {
      PLAIN.lastIndex = at;
      PLAIN.test(text);
      end = PLAIN.lastIndex;
    }
    if (end === null || end <= at) return null;
    const piece = text.slice(at, end);
    at = end;
    if (char === '/' || /\s/.test(char)) {
      pieces.push(' ');
      continue;
    }
    if (char === '{' && pieces[last] === '{') return null;
    if (char === '{') open.push(new Set());
    else if (char === '[') open.push(null);
    else if (char === '}' || char === ']') {
      open.pop();
      if (pieces[last] === ',') pieces[last] = ' ';
    } else if (char === ':') {
      const seen = open.at(-1) ?? null;
      const key = keyOf(pieces[last] ?? '');
      if (seen === null || key === null || seen.has(key)) return null;
      seen.add(key);
    }
    last = pieces.push(piece.replace(LONG_FRACTION, '$1')) - 1;
  }
  return pieces.join('');
}

/** The place behind the string that begins at `at`; null when it does not end on its line. */
function skipString(text: string, at: number): number | null {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x22) return end + 1;
    if (code === 0x5c) end++;
    else if (code === 0x0a || code === 0x0d) return null;
  }
  return null;
}

/** The place behind the comment that begins at `at`; null when none begins there or it does not end. */
function skipComment(text: string, at: number): number | null {
  if (text.startsWith('//', at)) {
    const end = /[\n\r]/g;
    end.lastIndex = at;
    return end.exec(text)?.index ?? text.length;
  }
  const end = text.startsWith('/*', at) ? text.indexOf('*/', at + 2) : -1;
  return end < 0 ? null : end + 2;
}

/** The key that a string literal spells: escapes make equal keys look different. Null when it is no string. */
function keyOf(literal: string): string | null {
  if (!literal.startsWith('"')) return null;
  if (!literal.includes('\\')) return literal.slice(1, -1);
  const key = parse(literal);
  return typeof key === 'string' ? key : null;
}
