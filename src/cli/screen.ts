import type { Writable } from 'node:stream';
import { CARET, fitEndTo, fitTo } from './terminalText.ts';

/** Lines that stay, and below them one that does not. */
export interface Screen {
  /** Prints text above the status line; an unfinished line is finished first by the next status. */
  print(text: string): void;
  /**
   * Shows one line that the next call replaces; empty for none. Of one that is too long its beginning is seen, and of one that
   * is being typed its end. Nothing on a stream that is no terminal.
   */
  status(text: string): void;
}

const CLEAR_LINE = '\r\u001b[2K';

/** `columns` null: the stream is no terminal, and gets plain lines only. */
export function createScreen(stream: Pick<Writable, 'write'>, columns: () => number | null): Screen {
  let shown = '';

  function draw(text: string): string {
    const width = columns();
    const fitted = text.endsWith(CARET) ? fitEndTo : fitTo;
    shown = width === null ? '' : fitted(text, width - 1);
    return shown;
  }

  return {
    print(text) {
      if (text === '') return;
      stream.write(shown === '' ? text : CLEAR_LINE + text + shown);
    },
    status(text) {
      const before = shown;
      if (draw(text) !== before) stream.write((before === '' ? '' : CLEAR_LINE) + shown);
    },
  };
}
