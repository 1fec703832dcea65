import type { Ending } from '../shared/ending.ts';
import { failureOf, type LoopParts } from './loopParts.ts';
import { goOnPrompt } from './prompts.ts';

/** What an execution gave for its reviewer. */
export interface Work {
  readonly texts: readonly string[];
  readonly denials: readonly string[];
}

/**
 * One execution. When its program ends in the middle of it, it is asked again only if the person wants it, with a
 * prompt that says so: what was begun may be done already.
 */
export async function execute(
  parts: LoopParts,
  prompt: string,
  opening: string,
  earlier: Work,
): Promise<Work | Ending> {
  let next = opening;
  let work = earlier;
  for (;;) {
    const { result } = await parts.turns.run('execute', next);
    work = { texts: [...work.texts, ...result.texts], denials: [...work.denials, ...result.denials] };
    const failed = failureOf('execute', result, parts.stopped);
    if (failed === null) return work;
    if (failed.type !== 'failed' || failed.cause !== 'agentExit' || !(await parts.revive())) {
      return parts.stopped.aborted ? { type: 'stopped' } : failed;
    }
    next = goOnPrompt(prompt, parts.reviewing.words);
  }
}
