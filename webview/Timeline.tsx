/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusAfter, type Moved, moveFocus } from './roving.ts';
import type { Page } from './state.ts';
import { t } from './words.ts';

/** Distance from the bottom, in pixels, within which the timeline counts as being there. */
const NEAR = 32;

/**
 * Keeps to the newest row unless the person scrolled up; then nothing moves until they come back. Its cards and rows are one
 * stop of the Tab key, and the arrow keys go from one to the next.
 */
export function Timeline({ hasRun, page, children }: { hasRun: boolean; page: Page; children: ComponentChildren }) {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const focused = useRef<Moved>({ stop: null, element: null });
  useLayoutEffect(() => {
    const { current: outer } = box;
    const { current: inner } = content;
    if (outer === null || inner === null) return;
    // What stands in place of a run is read from its beginning.
    if (!hasRun) {
      outer.scrollTop = 0;
      return;
    }
    // Called before the next painting, whatever made either of them grow: events, a wider text, a narrower side bar.
    const observer = new ResizeObserver(() => {
      if (sticks.current) outer.scrollTop = outer.scrollHeight;
    });
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [hasRun]);
  useLayoutEffect(() => {
    // Whoever clicks elsewhere has left: what had the focus is not looked for when it is taken away.
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && box.current?.contains(target) === false)
        focused.current = { ...focused.current, element: null };
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, []);
  useLayoutEffect(() => {
    if (box.current !== null) focused.current = focusAfter(box.current, focused.current);
  });
  return (
    <main
      ref={box}
      class="timeline"
      tabIndex={-1}
      aria-label={t('Run')}
      onFocusIn={({ target }) => {
        if (box.current === null || !(target instanceof HTMLElement)) return;
        focused.current = focusAfter(box.current, { ...focused.current, element: target });
      }}
      onKeyDown={(event) => {
        if (box.current !== null && moveFocus(box.current, event)) event.preventDefault();
      }}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        sticks.current = scrollHeight - scrollTop - clientHeight < NEAR;
        page.dispatch({ type: 'reading', reading: !sticks.current });
      }}
    >
      <div ref={content}>{children}</div>
    </main>
  );
}
