import type { TurnTruth } from '../shared/fileEvents.ts';
import { count } from '../shared/runWords.ts';
import type { Style } from './style.ts';
import { safeLine } from './terminalText.ts';

const SHOWN = 10;

/**
 * Where the agent's word and the folder differ, a line each kind. In a terminal nothing tells what the person edits
 * meanwhile, so that it counts as unannounced: the line says so.
 */
export function truthLines(truth: TurnTruth | undefined, style: Style): readonly string[] {
  if (truth === undefined) return [];
  const maker = truth.ranCommands ? 'a command of the agent, or you' : 'yours, if you edited meanwhile';
  const lines = [
    [`Not announced by the agent (${maker})`, truth.unannounced],
    ['Announced, and nothing differs', truth.unseen],
    ['Announced, outside the folder: not compared, and not undone', truth.outside],
    ['Changed by you', truth.byUser],
    ['Changed by you and by the agent', truth.byBoth],
  ] as const;
  return lines.flatMap(([what, paths]) => (paths.length === 0 ? [] : [style.yellow(`${what}: ${listed(paths)}`)]));
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN).map(safeLine).join(', ');
  return paths.length > SHOWN ? `${shown} and ${count(paths.length - SHOWN, 'more file')}` : shown;
}
