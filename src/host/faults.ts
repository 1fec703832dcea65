import * as vscode from 'vscode';

/** Faults that nobody foresaw are told, with their own words, instead of being lost. */
export function tellFault(error: unknown): void {
  void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
}
