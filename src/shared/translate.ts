/** Gives `text` in the person's language: the English text is the key, `{0}` … are replaced (`vscode.l10n.t`). */
export type Translate = (text: string, ...args: (string | number)[]) => string;

/** The English of it, for a face that speaks no other language. */
export const english: Translate = (text, ...args) =>
  text.replace(/\{(\d)\}/g, (place, index: string) => String(args[Number(index)] ?? place));
