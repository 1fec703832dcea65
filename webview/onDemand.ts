import { useLayoutEffect, useState } from 'preact/hooks';

/** Code that the page loads on its first use. */
export interface OnDemand<T> {
  /** Null before it is loaded, and for good where loading it failed. */
  readonly code: T | null;
  /** Loads it once. Never rejects. */
  load(): Promise<void>;
}

export function onDemand<T>(fetch: () => Promise<T>): OnDemand<T> {
  let code: T | null = null;
  let loading: Promise<void> | null = null;
  return {
    get code() {
      return code;
    },
    load() {
      loading ??= fetch().then(
        (loaded) => {
          code = loaded;
        },
        // What is drawn with it stays plain text, or away.
        () => undefined,
      );
      return loading;
    },
  };
}

/** The code once it is there; draws again when it comes. Null: draw plain text. `wanted` false: nothing is loaded. */
export function useOnDemand<T>(part: OnDemand<T>, wanted = true): T | null {
  const [, drawAgain] = useState(false);
  useLayoutEffect(() => {
    if (!wanted || part.code !== null) return;
    let shown = true;
    void part.load().then(() => {
      if (shown) drawAgain(true);
    });
    return () => {
      shown = false;
    };
  }, [part, wanted]);
  return wanted ? part.code : null;
}

export const markdown = onDemand(() => import('./markdown.ts'));
export const colours = onDemand(() => import('./highlight.ts'));
export const words = onDemand(() => import('./changedWords.ts'));
export const betweenRounds = onDemand(() => import('./BetweenRounds.tsx'));
export const undoPanel = onDemand(() => import('./UndoPanel.tsx'));
export const terminal = onDemand(() => import('./ansi.ts'));
