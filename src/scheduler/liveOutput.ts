/** Turns the pieces of a command's output into few events. */
export interface LiveOutput {
  push(text: string): void;
  /** Says what is left, at once. */
  flush(): void;
}

/** Calls back once after `ms`; the result takes it back. */
export type After = (ms: number, callback: () => void) => () => void;

/** Characters of one event; of more that comes at once, the newest. */
const EVENT_SIZE = 16_000;
const FIRST_WAIT_MS = 100;
/** With each such number of characters that the log has got, the wait grows by the first one: no command fills the disk. */
const PATIENCE = 256_000;

/** `append` gets the pieces with the bytes that were left out before each: at most one event each 100 ms of a command, and fewer the more it has said. */
export function createLiveOutput(
  append: (piece: { readonly text: string; readonly skipped: number }) => void,
  after: After,
): LiveOutput {
  let text = '';
  let skipped = 0;
  let said = 0;
  let takeBack: (() => void) | null = null;

  const keep = (): void => {
    if (text.length <= EVENT_SIZE) return;
    let from = text.length - EVENT_SIZE;
    // Not through the middle of a character.
    if (/[\uDC00-\uDFFF]/.test(text.charAt(from))) from++;
    skipped += Buffer.byteLength(text.slice(0, from));
    text = text.slice(from);
  };
  const flush = (): void => {
    takeBack?.();
    takeBack = null;
    keep();
    if (text === '') return;
    said += text.length;
    const piece = { text, skipped };
    text = '';
    skipped = 0;
    append(piece);
  };
  return {
    push(piece) {
      text += piece;
      if (text.length > 4 * EVENT_SIZE) keep();
      takeBack ??= after(FIRST_WAIT_MS * (1 + Math.floor(said / PATIENCE)), flush);
    },
    flush,
  };
}
