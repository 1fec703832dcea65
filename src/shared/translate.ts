/** Gives `text` in the person's language: the English text is the key, `{0}` … are replaced (`vscode.l10n.t`). */
export type Translate = (text: string, ...args: (string | number)[]) => string;

/** The English of it, for a face that speaks no other language. */
export const english: Translate = (text, ...args) =>
  text.replace(/\{(\d)\}/g, (place, index: string) => String(args[Number(index)] ?? place));

/** A text for more than one reader: for the person in their language, for others in English. */
export type Words = (t: Translate) => string;

/** Names as one part of a sentence: the first `most` of them, and how many there are besides. */
export function firstOf(names: readonly string[], most: number, t: Translate): string {
  const first = names.slice(0, most).join(', ');
  return names.length > most ? `${first} ${t('and {0} more', names.length - most)}` : first;
}

/** Such as `a and b`. */
export function bothOf(names: readonly string[], t: Translate): string {
  const [first = '', ...others] = names;
  return others.reduce((all, one) => t('{0} and {1}', all, one), first);
}
