/** The newest part of a text that only grows. */
export interface OutputTail {
  push(text: string): void;
  readonly text: string;
  /** The beginning is gone. */
  readonly truncated: boolean;
}

/** Keeps at most `limit` bytes of UTF-8 and drops from the beginning, whole characters only (ACP, terminals.mdx). */
export function createOutputTail(limit: number): OutputTail {
  let pieces: { text: string; readonly bytes: number }[] = [];
  let size = 0;
  let truncated = false;

  const shorten = (): void => {
    while (size > limit) {
      const [first] = pieces;
      if (first === undefined) return;
      truncated = true;
      const over = size - limit;
      size -= first.bytes;
      pieces.shift();
      if (first.bytes <= over) continue;
      const kept = newestBytes(first.text, first.bytes - over);
      const bytes = Buffer.byteLength(kept);
      size += bytes;
      pieces.unshift({ text: kept, bytes });
      return;
    }
  };

  return {
    push(text) {
      if (text === '') return;
      const bytes = Buffer.byteLength(text);
      pieces.push({ text, bytes });
      size += bytes;
      shorten();
    },
    get text() {
      const all = pieces.map((piece) => piece.text).join('');
      pieces = all === '' ? [] : [{ text: all, bytes: size }];
      return all;
    },
    get truncated() {
      return truncated;
    },
  };
}

/** The end of a text that takes at most this many bytes, without the rest of a character that was cut through. */
export function newestBytes(text: string, bytes: number): string {
  if (bytes <= 0) return '';
  const all = Buffer.from(text);
  let from = Math.max(0, all.length - bytes);
  while (from < all.length && ((all[from] ?? 0) & 0xc0) === 0x80) from++;
  return all.subarray(from).toString();
}
