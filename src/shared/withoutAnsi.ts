// Operating system commands (titles, links), control sequences (colours, cursor) and two-character escapes.
const ANSI = new RegExp(
  ['\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)', '\\u001b\\[[0-?]*[ -/]*[@-~]', '\\u001b[ -/]*[0-~]'].join(
    '|',
  ),
  'g',
);

/** Terminal output without its control sequences, so that it reads as text. */
export function withoutAnsi(text: string): string {
  return text.replace(ANSI, '').replace(/\r+\n/g, '\n');
}
