/** Colours of a terminal, or none. Each wraps a text; nothing in it is interpreted. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** `colours` false: every text stays as it is. */
export function createStyle(colours: boolean): Style {
  const sgr = (on: number, off: number) => (text: string) =>
    colours && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: sgr(1, 22),
    dim: sgr(2, 22),
    red: sgr(31, 39),
    green: sgr(32, 39),
    yellow: sgr(33, 39),
    cyan: sgr(36, 39),
  };
}

/** Whether to colour a stream: only a terminal that is not `dumb`, and never against `NO_COLOR` (https://no-color.org). */
export function wantsColours(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const refused = env.NO_COLOR !== undefined && env.NO_COLOR !== '';
  return isTerminal && !refused && env.TERM !== 'dumb';
}
