import type { Usage } from './agentEvents.ts';
import { NO_USAGE } from './view.ts';

/** The sum of what the turns said; a figure that nobody said stays null, and so does a turn that said nothing. */
export function sumUsage(parts: readonly (Usage | null)[]): Usage {
  return parts.reduce<Usage>((total, part) => (part === null ? total : addUsage(total, part)), NO_USAGE);
}

function addUsage(a: Usage, b: Usage): Usage {
  const add = (x: number | null, y: number | null) => (x === null ? y : y === null ? x : x + y);
  return {
    inputTokens: add(a.inputTokens, b.inputTokens),
    outputTokens: add(a.outputTokens, b.outputTokens),
    cachedTokens: add(a.cachedTokens, b.cachedTokens),
    costUsd: add(a.costUsd, b.costUsd),
  };
}
