/** For what scrolls in itself: it has to scroll by the keyboard too. */
export const SCROLLS = { tabIndex: 0 } as const;
