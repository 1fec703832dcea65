import { promptWords } from '../../src/loop/language.ts';
import type { LoopParts, Reviewing } from '../../src/loop/loopParts.ts';

/** A reviewer of the run's own folder, whose prompts nothing is kept out of. */
export const REVIEWING: Reviewing = {
  name: 'Gemini CLI',
  form: 'fenced',
  copy: null,
  withheld: { clean: async (patches) => ({ ...patches, withheld: [], redact: (text) => text }) },
  words: promptWords('en'),
};

/** Checkpoints whose files nobody can look into. */
export const NO_TEXTS: Pick<LoopParts['checkpoints'], 'textOf' | 'exportTo' | 'nested'> = {
  textOf: async () => null,
  exportTo: async () => {},
  nested: [],
};
