import { countChanges, diffLines, hunksOf } from '../shared/lineDiff.ts';
import type { ToolContent } from '../shared/toolCall.ts';
import type { Style } from './style.ts';
import { safe, safeLine } from './terminalText.ts';

type Diff = Extract<ToolContent, { type: 'diff' }>;

/** `+3 −1`, in lines. */
export function diffCounts(diff: Diff): string {
  const { added, removed } = countChanges(diffLines(diff.oldText ?? '', diff.newText));
  return `+${added} −${removed}`;
}

/** The whole change, three lines around each place; every line of it, because a person decides by it. */
export function renderDiff(diff: Diff, style: Style): string {
  const hunks = hunksOf(diffLines(diff.oldText ?? '', diff.newText));
  const title = diff.oldText === null ? `${safeLine(diff.path)} (new file)` : safeLine(diff.path);
  const lines = hunks.flatMap((hunk) => [
    style.cyan(`@@ line ${hunk.newStart} @@`),
    ...hunk.lines.map(({ type, text }) => {
      const shown = safe(text);
      switch (type) {
        case 'same':
          return style.dim(` ${shown}`);
        case 'added':
          return style.green(`+${shown}`);
        case 'removed':
          return style.red(`-${shown}`);
        default:
          return type satisfies never;
      }
    }),
  ]);
  return [style.bold(title), ...(lines.length === 0 ? [style.dim('(no change)')] : lines)].join('\n');
}

/** Any content of a tool call as text. */
export function renderContent(content: readonly ToolContent[], style: Style): string {
  const parts = content.flatMap((one): string[] => {
    switch (one.type) {
      case 'text':
        return [safe(one.text)];
      case 'diff':
        return [renderDiff(one, style)];
      // Its output has been printed as it came.
      case 'terminal':
        return [];
      default:
        return one satisfies never;
    }
  });
  return parts.join('\n');
}
