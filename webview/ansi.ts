// Loaded on demand: what a program wrote to a terminal, as the lines that a person would see there.
import Anser from 'anser';

/** How a piece of output looks. Colours are `red`, `bright-red` … of the theme, or `rgb(…)`; null is the default. */
export interface Look {
  readonly colour: string | null;
  readonly background: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
}

export interface OutputSpan {
  readonly text: string;
  /** Null: nothing special. */
  readonly look: Look | null;
}

export type OutputLine = readonly OutputSpan[];

/** Operating system commands (titles, links), control sequences, other escapes, and the controls that move. */
const CONTROL = new RegExp(
  [
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '\\u001b\\[([<-?]*)([\\d;:]*)[ -/]*([@-~])',
    // The last one may still be on its way.
    '\\u001b(?:\\[[0-?]*[ -/]*|\\][^\\u0007\\u001b]*)?$',
    '\\u001b[ -/]*[0-~]',
    '[\\n\\r\\b]',
    '[\\u0000-\\u0007\\u000b\\u000c\\u000e-\\u001f\\u007f]',
  ].join('|'),
  'g',
);

/**
 * Reads colours and styles, and follows what rewrites: carriage returns, backspaces, erased lines and screens, and the
 * cursor's moves over lines. The last line is left out when it is empty.
 */
export function readAnsi(text: string): readonly OutputLine[] {
  const screen = createScreen();
  const style = new Anser();
  let look: Look | null = null;
  let from = 0;
  for (const found of text.matchAll(CONTROL)) {
    screen.write(text.slice(from, found.index), look);
    from = found.index + found[0].length;
    const [all, mark, parameters = '', command] = found;
    if (command === 'm' && mark === '')
      look = lookOf(style.processChunkJson(`${parameters.replaceAll(':', ';')}m`, { use_classes: true }, true));
    else if (command === undefined) screen.control(all);
    else if (mark === '') screen.command(command, Number.parseInt(parameters, 10));
  }
  screen.write(text.slice(from), look);
  return screen.lines();
}

/** Columns of a line beyond which it is not laid out: nobody rewrites such a line. */
const MAX_COLUMN = 10_000;

function createScreen() {
  const rows: OutputSpan[][] = [[]];
  let row = 0;
  let column = 0;
  const move = (to: number) => {
    row = Math.max(0, Math.min(to, rows.length - 1));
  };
  return {
    write(text: string, look: Look | null) {
      const line = rows[row];
      if (text === '' || line === undefined) return;
      const length = widthOf(line);
      if (column === length) line.push({ text, look });
      else {
        const gap = column > length ? [{ text: ' '.repeat(column - length), look: null }] : [];
        rows[row] = [...part(line, 0, column), ...gap, { text, look }, ...part(line, column + text.length, length)];
      }
      column += text.length;
    },
    control(name: string) {
      if (name === '\n') {
        row += 1;
        if (row === rows.length) rows.push([]);
        column = 0;
      } else if (name === '\r') column = 0;
      else if (name === '\b') column = Math.max(0, column - 1);
    },
    command(name: string, parameter: number) {
      const count = Number.isNaN(parameter) || parameter < 1 ? 1 : Math.min(parameter, MAX_COLUMN);
      const line = rows[row] ?? [];
      switch (name) {
        case 'A':
          return move(row - count);
        case 'B':
          return move(row + count);
        case 'C':
          column = Math.min(MAX_COLUMN, column + count);
          return;
        case 'D':
          column = Math.max(0, column - count);
          return;
        case 'E':
          column = 0;
          return move(row + count);
        case 'F':
          column = 0;
          return move(row - count);
        case 'G':
          column = count - 1;
          return;
        case 'K':
          if (parameter === 1)
            rows[row] = [{ text: ' '.repeat(column), look: null }, ...part(line, column, widthOf(line))];
          else rows[row] = parameter === 2 ? [] : part(line, 0, column);
          return;
        case 'J':
          // The whole screen, or all below: what was there is gone for who looks at it.
          if (parameter === 2 || parameter === 3) {
            rows.splice(0, rows.length, []);
            row = 0;
            column = 0;
          } else if (parameter !== 1) {
            rows[row] = part(line, 0, column);
            rows.splice(row + 1);
          }
          return;
        default:
          return;
      }
    },
    lines: () => (rows.at(-1)?.length === 0 ? rows.slice(0, -1) : rows),
  };
}

const widthOf = (line: OutputLine) => line.reduce((sum, { text }) => sum + text.length, 0);

/** The part of a line between two columns. */
function part(line: OutputLine, from: number, to: number): OutputSpan[] {
  const parts: OutputSpan[] = [];
  let column = 0;
  for (const { text, look } of line) {
    const cut = text.slice(Math.max(0, from - column), Math.max(0, to - column));
    if (cut !== '') parts.push({ text: cut, look });
    column += text.length;
  }
  return parts;
}

function lookOf({ fg, bg, fg_truecolor, bg_truecolor, decorations }: Anser.AnserJsonEntry): Look | null {
  const colours = [colourOf(fg, fg_truecolor), colourOf(bg, bg_truecolor)] as const;
  const [colour, background] = decorations.includes('reverse')
    ? ([colours[1] ?? 'page', colours[0] ?? 'text'] as const)
    : colours;
  if (colour === null && background === null && decorations.length === 0) return null;
  return {
    colour,
    background,
    bold: decorations.includes('bold'),
    dim: decorations.includes('dim'),
    italic: decorations.includes('italic'),
    underline: decorations.includes('underline'),
    strike: decorations.includes('strikethrough'),
  };
}

/** anser's class as a colour: `ansi-red` by name, `ansi-palette-N` by the rule of the 256 colours. */
function colourOf(name: string | null, exact: string | null): string | null {
  if (name === null) return null;
  if (name === 'ansi-truecolor') return `rgb(${exact ?? '0, 0, 0'})`;
  const palette = /^ansi-palette-(\d+)$/.exec(name);
  if (palette === null) return name.replace(/^ansi-/, '');
  return paletteColour(Number(palette[1]));
}

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const LEVELS = [0, 95, 135, 175, 215, 255];

function paletteColour(index: number): string {
  if (index < 16) return `${index < 8 ? '' : 'bright-'}${NAMES[index % 8] ?? 'white'}`;
  if (index >= 232) {
    const grey = 8 + (Math.min(index, 255) - 232) * 10;
    return `rgb(${grey}, ${grey}, ${grey})`;
  }
  const level = (step: number) => LEVELS[Math.floor((index - 16) / step) % 6] ?? 0;
  return `rgb(${level(36)}, ${level(6)}, ${level(1)})`;
}
