/** @jsxRuntime automatic @jsxImportSource preact */
import type { Page } from './state.ts';
import { lastLines, withoutAnsi } from './text.ts';
import { t } from './words.ts';

const LAST_LINES = 12;

/** Output of a program: the newest lines, the others on demand. */
export function Output({ text, id, all, page }: { text: string; id: string; all: boolean; page: Page }) {
  const plain = withoutAnsi(text);
  const { text: shown, hidden } = lastLines(plain, all ? Number.POSITIVE_INFINITY : LAST_LINES);
  return (
    <>
      {(hidden > 0 || all) && (
        <button type="button" class="link" onClick={() => page.dispatch({ type: 'toggle', id, open: !all })}>
          {all ? t('Show the last lines only') : t('Show {0} earlier lines', hidden)}
        </button>
      )}
      <pre class="code">{shown}</pre>
    </>
  );
}
