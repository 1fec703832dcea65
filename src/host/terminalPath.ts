import type * as vscode from 'vscode';

/** What the terminals of a window are given. */
export interface TerminalPathFacts {
  /** The window is trusted, and the setting wants it. */
  readonly wanted: boolean;
  /** Absolute folder of the bundled `cgloop`. */
  readonly bin: string;
  /** The program that runs this extension: a Node, or VS Code itself, which becomes one by a variable. */
  readonly node: string;
  readonly platform: NodeJS.Platform;
  /** What VS Code says of it to the person. */
  readonly description: string;
}

/** Of `cgloop`, whether terminals find it. The entry reads it, before any schema is loaded. */
export const TERMINAL_SETTING = 'terminalCommand';

/**
 * Puts the bundled `cgloop` on the PATH of the window's terminals, or takes it away. VS Code keeps this for the terminals that
 * it restores before the extension is there.
 */
export function keepTerminalPath(
  collection: Pick<vscode.EnvironmentVariableCollection, 'clear' | 'prepend' | 'replace' | 'description'>,
  { wanted, bin, node, platform, description }: TerminalPathFacts,
): void {
  collection.clear();
  if (!wanted) return;
  collection.description = description;
  const separator = platform === 'win32' ? ';' : ':';
  // Twice, because a shell's own start files may set the PATH anew.
  const both = { applyAtProcessCreation: true, applyAtShellIntegration: true };
  collection.prepend('PATH', `${bin}${separator}`, both);
  collection.replace('CGLOOP_NODE', node);
}
