import type { AskedUndo } from '../src/shared/messages.ts';
import type { Page } from './state.ts';

/** Opens the panel with this undoing, and asks what it would do. */
export function askUndo(page: Page, asked: AskedUndo): void {
  page.dispatch({ type: 'undo', asked });
  page.post({ type: 'previewUndo', asked });
}
