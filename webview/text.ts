/** Text cut into what can be drawn without a Markdown library: paragraphs and fenced code. */
export type Block =
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'code'; readonly language: string; readonly text: string };

/** Cuts at blank lines and fences. An open fence reaches to the end, so that streamed code is code from its first line. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let fence: { mark: string; language: string; lines: string[] } | null = null;
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ type: 'paragraph', text: paragraph.join('\n') });
    paragraph = [];
  };
  for (const line of text.split('\n')) {
    if (fence !== null) {
      if (line.trim().startsWith(fence.mark) && line.trim().replaceAll(fence.mark.charAt(0), '') === '') {
        blocks.push({ type: 'code', language: fence.language, text: fence.lines.join('\n') });
        fence = null;
      } else fence.lines.push(line);
      continue;
    }
    const open = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/.exec(line);
    if (open !== null) {
      endParagraph();
      fence = { mark: open[1] ?? '```', language: open[2] ?? '', lines: [] };
    } else if (line.trim() === '') endParagraph();
    else paragraph.push(line);
  }
  endParagraph();
  if (fence !== null) blocks.push({ type: 'code', language: fence.language, text: fence.lines.join('\n') });
  return blocks;
}

/** A review's words, and what it says from its last JSON block on, which the review card says for people. */
export function splitReview(text: string): { readonly words: string; readonly verdict: string | null } {
  const lines = text.split('\n');
  const start = lines.findLastIndex((line) => /^ {0,3}(`{3,}|~{3,})\s*json\s*$/i.test(line));
  if (start < 0) return { words: text, verdict: null };
  return { words: lines.slice(0, start).join('\n').trimEnd(), verdict: lines.slice(start).join('\n') };
}

/** Terminal output without its control sequences, so that it reads as text. */
export function withoutAnsi(text: string): string {
  return text.replace(ANSI, '').replaceAll('\r\n', '\n');
}

// Operating system commands (titles, links), control sequences (colours, cursor) and two-character escapes.
const ANSI = new RegExp(
  ['\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)', '\\u001b\\[[0-?]*[ -/]*[@-~]', '\\u001b[@-_]'].join('|'),
  'g',
);

/** The last `count` lines, and how many were left out before them. */
export function lastLines(text: string, count: number): { readonly text: string; readonly hidden: number } {
  const lines = text.replace(/\n+$/, '').split('\n');
  const hidden = Math.max(0, lines.length - count);
  return { text: lines.slice(hidden).join('\n'), hidden };
}
