import * as vscode from 'vscode';
import { errorText } from '../shared/errors.ts';

/** The texts that the person has not closed yet. */
const open = new Set<string>();

/** Faults that nobody foresaw are told, with their own words, instead of being lost; one that is still told not once more. */
export function tellFault(error: unknown): void {
  const text = errorText(error, vscode.l10n.t);
  if (open.has(text)) return;
  open.add(text);
  const closed = () => void open.delete(text);
  vscode.window.showErrorMessage(text).then(closed, closed);
}
