/** A line while it is typed, or its end. `left`: Esc, the key itself; what only begins with it is an arrow or the like. */
export type EditedLine =
  | { readonly type: 'typing'; readonly text: string }
  | { readonly type: 'entered'; readonly text: string }
  | { readonly type: 'left' };

/** The line after what was typed, one key or a pasted text. What is pasted after a line end is dropped. */
export function editLine(before: string, typed: string): EditedLine {
  if (typed === '\u001b') return { type: 'left' };
  let text = before;
  for (const character of typed.replace(EDITOR_KEYS, '')) {
    if (character === '\r' || character === '\n') return { type: 'entered', text };
    if (character === '\u007f' || character === '\b') text = Array.from(text).slice(0, -1).join('');
    else if (character >= ' ') text += character;
  }
  return { type: 'typing', text };
}

// Arrows and their like, as a terminal sends them, and a key together with Alt.
const EDITOR_KEYS = new RegExp(['\\u001b\\[[0-?]*[ -/]*[@-~]', '\\u001bO.', '\\u001b.'].join('|'), 'gs');
