/** @jsxRuntime automatic @jsxImportSource preact */
import { useMemo } from 'preact/hooks';
import { withoutAnsi } from '../src/shared/withoutAnsi.ts';
import type { Look, OutputLine } from './ansi.ts';
import { terminal, useOnDemand } from './onDemand.ts';
import { SCROLLS } from './scrolls.ts';
import type { Page } from './state.ts';
import { newestText } from './text.ts';
import { t } from './words.ts';

interface Props {
  readonly text: string;
  /** Where it is remembered that all of it was asked for. */
  readonly id: string;
  readonly all: boolean;
  readonly page: Page;
  /** Opens the whole of it in an editor, where it can be had. */
  readonly openAll?: () => void;
}

const LAST_LINES = 12;
/** Lines beyond which "all" is an editor's matter. */
const MOST_LINES = 400;

/** Output of a program as a terminal would show it: the newest lines, the others on demand. */
export function Output({ text, id, all, page, openAll }: Props) {
  const reader = useOnDemand(terminal);
  const { newest, earlier } = useMemo(() => newestText(text), [text]);
  const lines = useMemo(() => reader?.readAnsi(newest) ?? plainLines(newest), [newest, reader]);
  const shown = lines.slice(-(all ? MOST_LINES : LAST_LINES));
  const hidden = earlier + lines.length - shown.length;
  return (
    <>
      <div class="links">
        {(lines.length > LAST_LINES || all) && (
          <button type="button" class="link" onClick={() => page.dispatch({ type: 'toggle', id, open: !all })}>
            {all
              ? t('Show the last lines only')
              : t('Show {0} earlier lines', Math.min(lines.length, MOST_LINES) - shown.length)}
          </button>
        )}
        {openAll !== undefined && hidden > MOST_LINES - LAST_LINES && (
          <button type="button" class="link" onClick={openAll}>
            {t('Open all {0} lines in an editor', hidden + shown.length)}
          </button>
        )}
      </div>
      <pre class="code output" {...SCROLLS}>
        {shown.map((line, index) => (
          <Line key={index} line={line} last={index === shown.length - 1} />
        ))}
      </pre>
    </>
  );
}

function Line({ line, last }: { line: OutputLine; last: boolean }) {
  return (
    <>
      {line.map(({ text, look }, index) =>
        look === null ? (
          text
        ) : (
          <span key={index} class={classesOf(look)} style={styleOf(look)}>
            {text}
          </span>
        ),
      )}
      {!last && '\n'}
    </>
  );
}

const isExact = (colour: string) => colour.startsWith('rgb(');

function classesOf({ colour, background, bold, dim, italic, underline, strike }: Look): string {
  const classes: string[] = [];
  if (colour !== null && !isExact(colour)) classes.push(`ansi-${colour}`);
  if (background !== null && !isExact(background)) classes.push(`on-${background}`);
  for (const [name, is] of Object.entries({ bold, dim, italic, underline, strike }))
    if (is) classes.push(`ansi-${name}`);
  return classes.join(' ');
}

function styleOf({ colour, background }: Look): Record<string, string> {
  return {
    ...(colour !== null && isExact(colour) ? { color: colour } : {}),
    ...(background !== null && isExact(background) ? { 'background-color': background } : {}),
  };
}

function plainLines(text: string): readonly OutputLine[] {
  const lines = withoutAnsi(text).replace(/\n+$/, '').split('\n');
  return lines.map((line) => [{ text: line, look: null }]);
}
