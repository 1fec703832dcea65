// Loaded on demand: the words in which two lines differ.
import { diffWordsWithSpace } from 'diff';

/** A piece of a line; `changed`: the other line does not have it. */
export interface LinePart {
  readonly text: string;
  readonly changed: boolean;
}

/** Characters beyond which a line is not compared word by word. */
const MAX_LENGTH = 1000;
/** Share of a line that must have stayed, for the marks to say more than the line's colour does. */
const LEAST_SAME = 0.35;

/** Both lines in parts, complete and in order; null where they have too little in common. */
export function changedWords(
  before: string,
  after: string,
): { readonly before: readonly LinePart[]; readonly after: readonly LinePart[] } | null {
  if (before.length > MAX_LENGTH || after.length > MAX_LENGTH) return null;
  const changes = diffWordsWithSpace(before, after);
  const same = changes.reduce(
    (sum, { added, removed, value }) => (added || removed ? sum : sum + value.trim().length),
    0,
  );
  if (same < LEAST_SAME * Math.max(before.trim().length, after.trim().length)) return null;
  const side = (other: 'added' | 'removed') =>
    changes
      .filter((change) => !change[other])
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  return { before: side('added'), after: side('removed') };
}
