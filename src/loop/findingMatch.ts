import type { Finding, ReviewFinding } from '../shared/review.ts';

/** A finding of a review, with the text of its line where that is known. */
export type FoundHere = ReviewFinding & Pick<Finding, 'anchor'>;

type Rule = (known: Finding, found: FoundHere) => boolean;

/** From the surest to the least sure. */
const RULES: readonly Rule[] = [
  (known, found) => isOurId(known, found.id) && !areStrangers(known, found),
  (known, found) =>
    isTheirId(known, found.id) && mayShareFile(known, found) && (sameLine(known, found) || alike(known, found)),
  (known, found) => sameTitle(known, found) && mayShareFile(known, found) && sameLine(known, found),
  (known, found) => sameTitle(known, found) && mayShareFile(known, found),
  (known, found) => isSameFile(known, found) && sameLine(known, found) && alike(known, found),
];

/**
 * Which finding of the ledger each finding of a review is, as a place in the ledger; null: a new one. Each takes one at
 * most: the sure matches go first, so that of two findings with one title each finds its own.
 */
export function placesOf(ledger: readonly Finding[], found: readonly FoundHere[]): readonly (number | null)[] {
  const places: (number | null)[] = found.map(() => null);
  const taken = new Set<number>();
  for (const isSame of RULES) {
    for (const [index, one] of found.entries()) {
      if (places[index] !== null) continue;
      const at = ledger.findIndex((known, place) => !taken.has(place) && isSame(known, one));
      if (at < 0) continue;
      taken.add(at);
      places[index] = at;
    }
  }
  return places;
}

/** Reviewers that number anew in each round reuse `F1` for another matter: another file and another title. */
function areStrangers(known: Finding, found: FoundHere): boolean {
  return !mayShareFile(known, found) && !sameTitle(known, found);
}

function isOurId(known: Finding, id: string | undefined): boolean {
  return id !== undefined && known.id === id.trim().toUpperCase();
}

function isTheirId(known: Finding, id: string | undefined): boolean {
  return id !== undefined && known.theirIds?.includes(id.trim()) === true;
}

function mayShareFile(known: Finding, found: FoundHere): boolean {
  return known.file === undefined || found.file === undefined || isSameFile(known, found);
}

function isSameFile(known: Finding, found: FoundHere): boolean {
  return known.file !== undefined && found.file !== undefined && normalFile(known.file) === normalFile(found.file);
}

/** A brace stands everywhere: it tells no lines apart. */
const LEAST_ANCHOR = 8;

function sameLine(known: Finding, found: FoundHere): boolean {
  return known.anchor !== undefined && known.anchor.length >= LEAST_ANCHOR && known.anchor === found.anchor;
}

function sameTitle(known: Finding, found: FoundHere): boolean {
  return normalTitle(known.title) === normalTitle(found.title);
}

/** Whether at least half of the pairs of letters in the titles are the same (Dice), in any language. */
function alike(known: Finding, found: FoundHere): boolean {
  const [a, b] = [pairsOf(known.title), pairsOf(found.title)];
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return a.size + b.size > 0 && (2 * shared) / (a.size + b.size) >= 0.5;
}

function pairsOf(title: string): Set<string> {
  const letters = [...normalTitle(title)];
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
}

function normalTitle(title: string): string {
  const words = title.normalize('NFKC').toLowerCase();
  const plain = words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return plain === '' ? words.trim() : plain;
}

/** A relative path as one writes it: with `/`, and nothing before it. */
export function normalFile(file: string): string {
  return file
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');
}
