import { filesOf } from './patch.ts';
import { type LeftOutMark, shortenMiddle } from './shorten.ts';

/** A diff as far as it has a place, and the files whose parts are not whole in it. */
export interface FittedPatch {
  readonly text: string;
  /** In the order of the diff. Those of `leftOut` among them. */
  readonly shortened: readonly string[];
  /** Nothing of them is in `text`. */
  readonly leftOut: readonly string[];
}

/** Less than this of a file says nothing: it is left out then. */
const LEAST_SHARE = 400;

/**
 * The diff in at most about `limit` characters: whole when it fits. Else each file has the same share of the place, and
 * what smaller files leave of theirs goes to the larger ones, so that the biggest are cut first; a part that is longer
 * than its share is cut in its middle. Files for which there is no share worth having are left out.
 */
export function fitPatch(patch: string, limit: number, mark: LeftOutMark): FittedPatch {
  if (patch.length <= limit) return { text: patch, shortened: [], leftOut: [] };
  const files = filesOf(patch);
  if (files.length === 0) return { text: shortenMiddle(patch, limit, mark), shortened: [], leftOut: [] };
  const share = Math.max(
    LEAST_SHARE,
    shareOf(
      files.map(({ text }) => text.length),
      limit,
    ),
  );
  const shortened: string[] = [];
  const leftOut: string[] = [];
  let text = '';
  for (const file of files) {
    if (text.length + Math.min(file.text.length, share) > limit) {
      leftOut.push(file.path);
      shortened.push(file.path);
      continue;
    }
    if (file.text.length > share) shortened.push(file.path);
    text += shortenMiddle(file.text, share, mark);
  }
  return { text, shortened, leftOut };
}

/** The highest share that `sizes`, each cut to it, can have together within `limit`. */
function shareOf(sizes: readonly number[], limit: number): number {
  let left = limit;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [at, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - at));
    if (size > share) return share;
    left -= size;
  }
  return limit;
}
