import { english, type Translate, type Words } from './translate.ts';

/** An error that can say what is wrong in the person's language; its message is the English of it. */
export class WordedError extends Error {
  readonly words: Words;
  constructor(words: Words) {
    super(words(english));
    this.words = words;
  }
}

/** What an error says, for people, in their language where it can; of what is no error, its text. */
export function errorText(error: unknown, t: Translate = english): string {
  if (error instanceof WordedError) return error.words(t);
  return error instanceof Error ? error.message : String(error);
}

/** Whether the error says that a file, or a folder on the way to it, is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
