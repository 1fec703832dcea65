import { useLayoutEffect, useRef } from 'preact/hooks';

/** The focus in the timeline: its cards and rows (`.stop`) are one stop of the Tab key, and arrow keys go between them. */

const STOP = 'stop';
const CONTROLS = ['button', 'input', 'select', 'textarea'].map((name) => `${name}:not(:disabled)`).join();

/**
 * Where the focus is. `stop`: the one that Tab comes to; `element`: what has, or had last, the focus, null before the person
 * has been in the timeline.
 */
export interface Moved {
  readonly stop: HTMLElement | null;
  readonly element: HTMLElement | null;
}

/**
 * After a drawing or a move: makes one stop reachable by Tab, the newest where there was none. Where what had the focus was
 * taken away, such as the buttons of a question that is answered, the nearest one has it now.
 */
export function focusAfter(main: HTMLElement, { stop, element }: Moved): Moved {
  // Never out of an editor.
  const lost =
    element !== null && !element.isConnected && document.hasFocus() && document.activeElement === document.body;
  const within = element?.isConnected === true ? element.closest<HTMLElement>(`.${STOP}`) : null;
  const left = element !== null && stop?.isConnected === true ? stop : null;
  const kept = within ?? left ?? newestStop(main);
  if (kept !== stop) {
    if (stop !== null) stop.tabIndex = -1;
    if (kept !== null) kept.tabIndex = 0;
  }
  if (!lost) return { stop: kept, element };
  (kept ?? main).focus({ preventScroll: true });
  return { stop: kept, element: kept ?? main };
}

/**
 * Arrow keys, Home and End on a stop: up and down go to the one before and after, right opens and
 * left closes, Enter goes into a card. Whether the key is taken.
 */
export function moveFocus(main: HTMLElement, event: KeyboardEvent): boolean {
  const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (altKey || ctrlKey || metaKey || shiftKey || !(target instanceof HTMLElement)) return false;
  if (!target.classList.contains(STOP)) return false;
  const stops = stopsIn(main);
  const at = stops.indexOf(target);
  const go = (stop: HTMLElement | undefined): boolean => {
    stop?.focus();
    return stop !== undefined;
  };
  switch (key) {
    case 'ArrowDown':
      return go(stops[at + 1]);
    case 'ArrowUp':
      return go(stops[at - 1]);
    case 'Home':
      return go(stops[0]);
    case 'End':
      return go(stops.at(-1));
    case 'ArrowRight':
    case 'ArrowLeft': {
      const isOpen = target.getAttribute('aria-expanded');
      if (isOpen === null || (isOpen === 'true') === (key === 'ArrowRight')) return false;
      target.click();
      return true;
    }
    case 'Enter': {
      if (target.matches('button')) return false;
      return go(target.querySelector<HTMLElement>(CONTROLS) ?? undefined);
    }
    default:
      return false;
  }
}

function stopsIn(main: HTMLElement): HTMLElement[] {
  return [...main.querySelectorAll<HTMLElement>(`.${STOP}`)];
}

/** The browser keeps this list up to date by itself: it is asked for at every drawing. */
function newestStop(main: HTMLElement): HTMLElement | null {
  const all = main.getElementsByClassName(STOP);
  const last = all[all.length - 1];
  return last instanceof HTMLElement ? last : null;
}

/**
 * Gives the focus to the first control of what the person has just asked for, and back to where it was when that goes with the
 * focus in it. Nothing is taken out of an editor: a page without the focus gives it there once it comes, as after a palette.
 */
export function useFocusWithin<T extends HTMLElement>() {
  const box = useRef<T>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const { activeElement: before } = document;
    const enter = () => current.querySelector<HTMLElement>(CONTROLS)?.focus();
    if (document.hasFocus()) enter();
    else window.addEventListener('focus', enter, { once: true });
    return () => {
      window.removeEventListener('focus', enter);
      if (before instanceof HTMLElement && current.contains(document.activeElement)) before.focus();
    };
  }, []);
  return box;
}
