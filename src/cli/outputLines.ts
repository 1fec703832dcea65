import { count } from '../shared/runWords.ts';
import { withoutAnsi } from '../shared/withoutAnsi.ts';
import type { Style } from './style.ts';
import { safe } from './terminalText.ts';

/** Characters that are kept of an output that is not shown as it comes. */
const KEPT = 32_000;

/** What a command writes, as indented lines without its colours. */
export interface OutputLines {
  /** Verbose: the lines that are complete now. `skipped`: bytes before `text` that nobody kept. */
  add(text: string, skipped: number): readonly string[];
  /** What has not been printed yet: of one that is not verbose the last lines. */
  rest(): readonly string[];
}

/** `verbose`: the whole output as it comes, instead of its `last` lines. */
export function createOutputLines(verbose: boolean, last: number, style: Style): OutputLines {
  let kept = '';
  const lines = (text: string) => text.split('\n').map((line) => style.dim(`  ${safe(line)}`));
  return {
    add(text, skipped) {
      kept += text;
      if (!verbose) {
        kept = kept.slice(-KEPT);
        return [];
      }
      const end = kept.lastIndexOf('\n');
      const whole = end < 0 ? [] : lines(withoutAnsi(kept.slice(0, end + 1)).slice(0, -1));
      kept = kept.slice(end + 1);
      return skipped > 0 ? [style.dim(`  … ${count(skipped, 'byte')} not shown`), ...whole] : whole;
    },
    rest() {
      const left = withoutAnsi(kept).trimEnd();
      if (left === '') return [];
      const all = lines(left);
      const more = verbose ? 0 : Math.max(0, all.length - last);
      return more === 0 ? all : [style.dim(`  … ${count(more, 'line')} before`), ...all.slice(more)];
    },
  };
}
