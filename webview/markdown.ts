// Loaded on demand: Markdown read by `marked` into the page's own tree.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { BlockNode, InlineNode, ItemNode, LinkTarget } from './markdownTree.ts';

/** Nesting beyond which the source is shown as it stands. */
const MAX_DEPTH = 20;
/** Characters beyond which it is too: no agent writes such a block for people to read. */
const MAX_LENGTH = 100_000;

/** Reads one block. What cannot be read, or is nested or long beyond reason, comes back as one paragraph of its source. */
export function readMarkdown(source: string): readonly BlockNode[] {
  const plain: readonly BlockNode[] = [{ type: 'paragraph', children: [{ type: 'text', text: source }] }];
  if (source.length > MAX_LENGTH) return plain;
  try {
    return blockNodes(Lexer.lex(source, { gfm: true }), 0);
  } catch (error) {
    // Its own limit, and the stack's, for nesting without end.
    if (error instanceof RangeError) return plain;
    throw error;
  }
}

function blockNodes(tokens: readonly Token[], depth: number): BlockNode[] {
  if (depth > MAX_DEPTH) throw new RangeError('Nested beyond reason');
  return tokens.filter(isKnown).flatMap((token): BlockNode[] => {
    switch (token.type) {
      case 'heading':
        return [{ type: 'heading', level: token.depth, children: inlineNodes(token.tokens, depth) }];
      case 'paragraph':
        return [{ type: 'paragraph', children: inlineNodes(token.tokens, depth) }];
      case 'text':
        return [{ type: 'words', children: token.tokens ? inlineNodes(token.tokens, depth) : textNodes(token.text) }];
      case 'code':
        return [
          { type: 'code', language: /^\S*/.exec(token.lang ?? '')?.[0] ?? '', text: token.text.replace(/\n$/, '') },
        ];
      case 'blockquote':
        return [{ type: 'quote', children: blockNodes(token.tokens, depth + 1) }];
      case 'list':
        return [listNode(token, depth)];
      case 'table':
        return [tableNode(token, depth)];
      case 'hr':
        return [{ type: 'rule' }];
      // Shown as it was written: it is the agent's text, and never markup of this page.
      case 'html':
      case 'def':
        return [{ type: 'paragraph', children: [{ type: 'text', text: token.raw.trimEnd() }] }];
      case 'space':
      case 'checkbox':
        return [];
      default:
        return [{ type: 'words', children: inlineNodes([token], depth) }];
    }
  });
}

function listNode({ ordered, start, items }: Tokens.List, depth: number): BlockNode {
  const nodes = items.map(
    ({ task, checked, tokens }): ItemNode => ({
      done: task ? checked === true : null,
      children: blockNodes(tokens, depth + 1),
    }),
  );
  return { type: 'list', ordered, start: start === '' ? 1 : start, items: nodes };
}

function tableNode({ align, header, rows }: Tokens.Table, depth: number): BlockNode {
  const cell = ({ tokens }: Tokens.TableCell) => inlineNodes(tokens, depth);
  return { type: 'table', align, head: header.map(cell), rows: rows.map((row) => row.map(cell)) };
}

function inlineNodes(tokens: readonly Token[], depth: number): InlineNode[] {
  if (depth > MAX_DEPTH) throw new RangeError('Nested beyond reason');
  return tokens.filter(isKnown).flatMap((token): InlineNode[] => {
    switch (token.type) {
      case 'strong':
        return [{ type: 'strong', children: inlineNodes(token.tokens, depth + 1) }];
      case 'em':
        return [{ type: 'emphasis', children: inlineNodes(token.tokens, depth + 1) }];
      case 'del':
        return [{ type: 'deleted', children: inlineNodes(token.tokens, depth + 1) }];
      case 'codespan':
        return [{ type: 'code', text: token.text }];
      case 'br':
        return [{ type: 'break' }];
      case 'escape':
        return [{ type: 'text', text: token.text }];
      case 'link':
        return linkNodes(
          token.autolink === true ? token.href : withoutReferences(token.href),
          inlineNodes(token.tokens, depth + 1),
        );
      // Never loaded: what it shows and where it lies is text.
      case 'image':
        return linkNodes(token.href, [{ type: 'text', text: token.text === '' ? token.href : token.text }]);
      case 'html':
        return /^<br\s*\/?>$/i.test(token.raw) ? [{ type: 'break' }] : [{ type: 'text', text: token.raw }];
      case 'text':
        return token.tokens ? inlineNodes(token.tokens, depth + 1) : textNodes(token.text);
      case 'checkbox':
        return [];
      default:
        return [{ type: 'text', text: token.raw }];
    }
  });
}

const textNodes = (text: string): InlineNode[] => [{ type: 'text', text: withoutReferences(text) }];

function linkNodes(href: string, children: InlineNode[]): InlineNode[] {
  const target = linkTarget(href);
  return target === null ? children : [{ type: 'link', target, children }];
}

/** Where a link leads; null for schemes that a page of text has no business with, and for places in the same text. */
export function linkTarget(href: string): LinkTarget | null {
  if (/^https?:\/\/[^/]/i.test(href)) return { type: 'web', url: href };
  const [, written = '', line] = /^(.*?)(?::(\d+)(?::\d+)?|#L(\d+)\S*)?$/.exec(href) ?? [];
  const number = line ?? /#L(\d+)/.exec(href)?.[1];
  const path = decoded(written.replace(/^file:\/\/(?=\/)/i, '')).replace(/^\/(?=[A-Za-z]:[\\/])/, '');
  if (path === '' || path.startsWith('#') || /^[A-Za-z][A-Za-z0-9+.-]+:/.test(path) || /^[\\/]{2}/.test(path))
    return null;
  return { type: 'file', path, line: number === undefined || Number(number) < 1 ? null : Number(number) };
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    // A lone percent sign.
    return path;
  }
}

const REFERENCES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  rarr: '→',
  larr: '←',
  copy: '©',
  times: '×',
};

/** `&lt;` and its like as the characters they name; others stay as they are. Those by number `marked` has read. */
function withoutReferences(text: string): string {
  return text.replace(/&([a-z]{2,8});/g, (all, name: string) => REFERENCES[name] ?? all);
}

const KNOWN = new Set([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
]);

/** Whether the token is of `marked` itself and not of an extension; we use none. */
function isKnown(token: Token): token is MarkedToken {
  return KNOWN.has(token.type);
}
