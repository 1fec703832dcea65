import * as vscode from 'vscode';
import { errorText } from '../shared/errors.ts';

/** Faults that nobody foresaw are told, with their own words, instead of being lost. */
export function tellFault(error: unknown): void {
  void vscode.window.showErrorMessage(errorText(error, vscode.l10n.t));
}
