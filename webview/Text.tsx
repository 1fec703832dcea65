/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { allBlocks, type Block, type Cut, cutBlocks } from './blocks.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { MarkdownBlock, MarkdownItems, type Place } from './MarkdownBlock.tsx';
import { markdown, useOnDemand } from './onDemand.ts';
import { firstText } from './text.ts';
import { t } from './words.ts';

interface Props extends Place {
  readonly text: string;
  /** More of it may come: its last block is not read yet. */
  readonly live?: boolean;
  /** Opens the whole of it in an editor, where it can be had. */
  readonly openAll?: () => void;
}

/** What an agent wrote, in Markdown: each block is read once, when it is complete. Plain text until the reader is there. */
export function Text({ text, live: grows = false, openAll, page, folder }: Props) {
  const last = useRef<Cut | null>(null);
  const { first, more } = firstText(text);
  const live = grows && more === 0;
  const cut = useMemo(() => cutBlocks(first, last.current), [first]);
  last.current = cut;
  const reader = useOnDemand(markdown);
  const blocks = live ? cut.closed : allBlocks(cut);
  const drawn = (block: Block, index: number): ComponentChildren => {
    if (block.type === 'code')
      return <CodeBlock key={index} text={block.text} language={block.language} live={false} page={page} />;
    if (reader === null) return <Plain key={index} block={block} />;
    return block.type === 'text' ? (
      <MarkdownBlock key={index} source={block.source} reader={reader} page={page} folder={folder} />
    ) : (
      <MarkdownItems key={index} source={block.source} reader={reader} page={page} folder={folder} />
    );
  };
  const open = live ? cut.open : null;
  const groups = grouped(blocks);
  const listed = reader !== null && goesOn(groups, open);
  return (
    <div class="text">
      {groups.map(({ at, list, size }, index) => {
        const items = blocks.slice(at, at + size).map((block, offset) => drawn(block, at + offset));
        if (list === null || reader === null) return items;
        return (
          <List key={at} list={list}>
            {items}
            {listed && index === groups.length - 1 && open !== null && <Open block={open} page={page} />}
          </List>
        );
      })}
      {!listed && open?.type === 'item' && (
        <List list={open}>
          <Open block={open} page={page} />
        </List>
      )}
      {open !== null && open.type !== 'item' && <Open block={open} page={page} />}
      {more > 0 && (
        <p class="quiet">
          {t('{0} more characters.', more)}{' '}
          {openAll !== undefined && (
            <button type="button" class="link" onClick={openAll}>
              {t('Show all in an editor')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function List({ list, children }: { list: NonNullable<Group['list']>; children: ComponentChildren }) {
  return list.ordered ? <ol start={list.start}>{children}</ol> : <ul>{children}</ul>;
}

interface Group {
  /** Index of its first block. */
  readonly at: number;
  readonly size: number;
  /** Null: a single block that is no item. */
  readonly list: { readonly ordered: boolean; readonly start: number } | null;
}

/** Items that follow each other are one list. */
function grouped(blocks: readonly Block[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [at, block] of blocks.entries()) {
    const last = groups.at(-1);
    if (block.type !== 'item') groups.push({ at, size: 1, list: null });
    else if (last?.list?.ordered === block.ordered) groups[groups.length - 1] = { ...last, size: last.size + 1 };
    else groups.push({ at, size: 1, list: block });
  }
  return groups;
}

/** Whether the item that is being written belongs to the list before it. */
function goesOn(groups: readonly Group[], open: Block | null): boolean {
  return open?.type === 'item' && groups.at(-1)?.list?.ordered === open.ordered;
}

/** The block that is being written, as it stands. */
function Open({ block, page }: { block: Block; page: Place['page'] }) {
  switch (block.type) {
    case 'code':
      return <CodeBlock text={block.text} language={block.language} live page={page} />;
    case 'item':
      return <li class="plain">{block.source.replace(/^\s*(?:[-*+]|\d+[.)])\s*/, '')}</li>;
    case 'text':
      return <p class="plain">{block.source}</p>;
    default:
      return block satisfies never;
  }
}

function Plain({ block }: { block: Extract<Block, { readonly source: string }> }) {
  return <p class="plain">{block.source}</p>;
}
