/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from './words.ts';

interface Props<T> {
  readonly of: readonly T[];
  /** Gives a `li`. */
  readonly draw: (one: T, index: number) => ComponentChildren;
}

const FIRST = 30;
const STEP = 200;

/** The items of a list: of many the first, and more of them on demand. */
export function Many<T>({ of, draw }: Props<T>) {
  const [most, setMost] = useState(FIRST);
  const hidden = of.length - most;
  return (
    <>
      {of.slice(0, most).map(draw)}
      {hidden > 0 && (
        <li class="row">
          <button type="button" class="link" onClick={() => setMost(most + STEP)}>
            {t('Show {0} more of {1}', Math.min(STEP, hidden), of.length)}
          </button>
        </li>
      )}
    </>
  );
}
