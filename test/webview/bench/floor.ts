/**
 * The reference of D1: the same timeline by hand. Each event changes a plain record, each frame writes the records that changed
 * into the document. It reads Markdown, diffs and terminal colours with the page's own readers, so that drawing is all that differs.
 */
import type { LoopEvent } from '../../../src/shared/events.ts';
import type { HostToView } from '../../../src/shared/messages.ts';
import type { ToolCallPatch, ToolContent } from '../../../src/shared/toolCall.ts';
import { readAnsi } from '../../../webview/ansi.ts';
import { type Block, type Cut, cutBlocks } from '../../../webview/blocks.ts';
import { changedWords } from '../../../webview/changedWords.ts';
import { compare, type DiffPart } from '../../../webview/comparison.ts';
import { highlight } from '../../../webview/highlight.ts';
import { readMarkdown } from '../../../webview/markdown.ts';
import type { BlockNode, InlineNode, ItemNode } from '../../../webview/markdownTree.ts';
import '../../../webview/style.css';

interface Row {
  readonly root: HTMLElement;
  draw(): void;
}

type Child = Node | string;

function element(tag: string, name: string, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(tag);
  if (name !== '') made.className = name;
  made.append(...children);
  return made;
}

const icon = (name: string) => element('span', `codicon codicon-${name}`);

function inline(nodes: readonly InlineNode[]): Child[] {
  return nodes.map((node): Child => {
    switch (node.type) {
      case 'text':
        return node.text;
      case 'code':
        return element('code', '', node.text);
      case 'break':
        return element('br', '');
      case 'strong':
        return element('strong', '', ...inline(node.children));
      case 'emphasis':
        return element('em', '', ...inline(node.children));
      case 'deleted':
        return element('s', '', ...inline(node.children));
      case 'link':
        return element('button', 'link', ...inline(node.children));
      default:
        return node satisfies never;
    }
  });
}

function blocks(nodes: readonly BlockNode[]): Child[] {
  return nodes.flatMap((node): Child[] => {
    switch (node.type) {
      case 'paragraph':
        return [element('p', '', ...inline(node.children))];
      case 'words':
        return inline(node.children);
      case 'heading':
        return [element('h3', '', ...inline(node.children))];
      case 'code':
        return [codeBlock(node.text, node.language)];
      case 'quote':
        return [element('blockquote', '', ...blocks(node.children))];
      case 'list':
        return [element(node.ordered ? 'ol' : 'ul', '', ...items(node.items))];
      case 'table':
        return [
          element(
            'table',
            '',
            ...node.rows.map((row) => element('tr', '', ...row.map((cell) => element('td', '', ...inline(cell))))),
          ),
        ];
      case 'rule':
        return [element('hr', '')];
      default:
        return node satisfies never;
    }
  });
}

const items = (nodes: readonly ItemNode[]) => nodes.map(({ children }) => element('li', '', ...blocks(children)));

function codeBlock(text: string, language: string): HTMLElement {
  const spans = highlight(text, language)?.map(({ text: part, scope }) =>
    scope === '' ? part : element('span', `hl-${scope}`, part),
  );
  const buttons = [element('button', 'icon-button', icon('copy')), element('button', 'icon-button', icon('insert'))];
  return element(
    'div',
    'code-block',
    element('div', 'code-head', element('span', 'grow quiet', language), ...buttons),
    element('pre', 'code', element('code', '', ...(spans ?? [text]))),
  );
}

/** A message: its closed blocks stay, the open one is plain. */
function messageRow(): Row & { text: string } {
  const root = element('div', 'text');
  const open = element('p', 'plain');
  let cut: Cut | null = null;
  let drawn = 0;
  let list: HTMLElement | null = null;
  root.append(open);
  const close = (block: Block): void => {
    if (block.type !== 'item') {
      list = null;
      open.before(
        block.type === 'code' ? codeBlock(block.text, block.language) : fragment(blocks(readMarkdown(block.source))),
      );
      return;
    }
    const nodes = readMarkdown(block.source);
    if (list === null) {
      list = element(block.ordered ? 'ol' : 'ul', '');
      open.before(list);
    }
    for (const node of nodes) list.append(...(node.type === 'list' ? items(node.items) : blocks([node])));
  };
  return {
    root,
    text: '',
    draw() {
      cut = cutBlocks(this.text, cut);
      for (const block of cut.closed.slice(drawn)) close(block);
      drawn = cut.closed.length;
      open.textContent = cut.open === null ? '' : cut.open.type === 'code' ? cut.open.text : cut.open.source;
    },
  };
}

function fragment(children: readonly Child[]): DocumentFragment {
  const made = document.createDocumentFragment();
  made.append(...children);
  return made;
}

function thoughtRow(): Row & { text: string } {
  const head = element(
    'button',
    'disclosure-row stop',
    icon('chevron-right'),
    element('span', 'grow quiet', 'Claude thought'),
  );
  return { root: element('div', 'disclosure thought', head), text: '', draw: () => undefined };
}

function toolRow(): Row & { call: Partial<ToolCallPatch> } {
  const root = element('div', 'disclosure tool');
  return {
    root,
    call: {},
    draw() {
      const { title = '', state, kind, content = [] } = this.call;
      const isShown = content.length > 0 && kind !== 'read';
      const counts = content.flatMap((part) => {
        if (part.type !== 'diff') return [];
        const { added, removed } = compare(part);
        return [element('span', 'counts', element('ins', '', `+${added}`), ' ', element('del', '', `−${removed}`))];
      });
      const head = element(
        'button',
        'disclosure-row stop',
        icon(isShown ? 'chevron-down' : 'chevron-right'),
        icon('tools'),
        element('span', 'grow title', title),
        ...counts,
        element(
          'span',
          'state',
          icon(state === 'success' ? 'check' : 'loading'),
          element('span', 'sr-only', state ?? ''),
        ),
      );
      root.replaceChildren(head, ...(isShown ? [element('div', 'disclosure-body', ...content.map(contentOf))] : []));
    },
  };
}

function contentOf(part: ToolContent): Child {
  switch (part.type) {
    case 'text':
      return output(part.text);
    case 'diff':
      return diff(part);
    case 'terminal':
      return '';
    default:
      return part satisfies never;
  }
}

function output(text: string): HTMLElement {
  const lines = readAnsi(text).slice(-12);
  const spans = lines.flatMap((line, index) => [
    ...line.map(({ text: part, look }) =>
      look === null ? part : element('span', look.colour === null ? '' : `ansi-${look.colour}`, part),
    ),
    ...(index < lines.length - 1 ? ['\n'] : []),
  ]);
  return element('pre', 'code output', ...spans);
}

function diff(part: DiffPart): HTMLElement {
  const rows = compare(part).rows.slice(0, 30);
  const made = element(
    'div',
    'diff',
    ...rows.map((row) => {
      if (row.type === 'gap') return element('div', 'gap quiet', `⋯ ${row.count} unchanged lines`);
      const isOld = row.type === 'removed';
      const words =
        row.partner === null ? null : changedWords(isOld ? row.text : row.partner, isOld ? row.partner : row.text);
      const parts = (isOld ? words?.before : words?.after) ?? [{ text: row.text, changed: false }];
      return element(
        row.type === 'same' ? 'div' : isOld ? 'del' : 'ins',
        'line',
        element('span', 'line-number', String(row.number)),
        element('span', 'sign', row.type === 'same' ? ' ' : isOld ? '−' : '+'),
        element('span', 'line-text', ...parts.map(({ text, changed }) => (changed ? element('mark', '', text) : text))),
      );
    }),
  );
  made.style.setProperty('--digits', '2ch');
  return made;
}

const main = element('main', 'timeline');
const messages = new Map<string, ReturnType<typeof messageRow>>();
const tools = new Map<string, ReturnType<typeof toolRow>>();
const changed = new Set<Row>();
let frame = 0;
document.body.append(main);

function draw(): void {
  frame = 0;
  for (const row of changed) {
    row.draw();
    if (!row.root.isConnected) main.append(row.root);
  }
  changed.clear();
  main.scrollTop = main.scrollHeight;
}

function known<T>(rows: Map<string, T>, key: string, make: () => T): T {
  const row = rows.get(key) ?? make();
  rows.set(key, row);
  return row;
}

function take(event: LoopEvent): void {
  switch (event.type) {
    case 'message.chunk': {
      const { channel, messageId, text } = event.derived;
      const row = known(messages, messageId, channel === 'message' ? messageRow : thoughtRow);
      row.text += text;
      changed.add(row);
      return;
    }
    case 'toolCall.started':
    case 'toolCall.updated': {
      const row = known(tools, event.derived.toolCallId, toolRow);
      row.call = { ...row.call, ...event.derived };
      changed.add(row);
      return;
    }
    default:
  }
}

window.addEventListener('message', ({ data }: MessageEvent<HostToView>) => {
  if (data.type === 'reset') {
    main.replaceChildren();
    messages.clear();
    tools.clear();
  }
  if (data.type !== 'batch') return;
  for (const event of data.events) take(event);
  if (frame === 0) frame = requestAnimationFrame(draw);
});
