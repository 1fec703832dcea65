import { layOut } from './reviewLines.ts';

/**
 * Whether the JSON that a review ends with stands word for word in the reviewed work (`material`: diffs, the executor's
 * texts, what the reviewer's tools gave): then it is quoted, and nobody's verdict. Blanks and the signs of a diff's lines
 * are not compared.
 */
export function isQuotedVerdict(review: string, material: readonly string[]): boolean {
  const { lastFence } = layOut(review);
  const body = squeezed(lastFence?.body ?? review.slice(Math.max(0, review.indexOf('{')), review.lastIndexOf('}') + 1));
  return body.startsWith('{') && material.some((text) => squeezed(text.replace(/^[+ -]/gm, '')).includes(body));
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}
