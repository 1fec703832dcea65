/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { CodeBlock } from './CodeBlock.tsx';
import { FileLink } from './FileLink.tsx';
import { Icon } from './Icon.tsx';
import type { BlockNode, InlineNode, ItemNode, LinkTarget } from './markdownTree.ts';
import { memo } from './memo.ts';
import { SCROLLS } from './scrolls.ts';
import type { Page } from './state.ts';
import { t } from './words.ts';

/** Where links of a text lead from. */
export interface Place {
  readonly page: Page;
  /** The run's folder. */
  readonly folder: string;
}

interface Props extends Place {
  readonly source: string;
  readonly reader: { readonly readMarkdown: (source: string) => readonly BlockNode[] };
}

/** One block of Markdown. Read and drawn once. */
export const MarkdownBlock = memo(({ source, reader, ...place }: Props) => (
  <Blocks nodes={reader.readMarkdown(source)} {...place} />
));

/** The items of a list, to be drawn in a list that may have more. */
export const MarkdownItems = memo(({ source, reader, ...place }: Props) => {
  const nodes = reader.readMarkdown(source);
  const [list, ...rest] = nodes;
  if (list?.type !== 'list')
    return (
      <li>
        <Blocks nodes={nodes} {...place} />
      </li>
    );
  return (
    <>
      <Items items={list.items} {...place} />
      {rest.length > 0 && (
        <li class="more">
          <Blocks nodes={rest} {...place} />
        </li>
      )}
    </>
  );
});

function Blocks({ nodes, ...place }: Place & { nodes: readonly BlockNode[] }) {
  return (
    <>
      {nodes.map((node, index) => (
        <BlockView key={index} node={node} {...place} />
      ))}
    </>
  );
}

/** The page's own headings end at the third level. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;

function BlockView({ node, page, folder }: Place & { node: BlockNode }) {
  const words = (children: readonly InlineNode[]) => <Words nodes={children} page={page} folder={folder} />;
  switch (node.type) {
    case 'paragraph':
      return <p>{words(node.children)}</p>;
    case 'words':
      return words(node.children);
    case 'heading': {
      const Heading = HEADINGS[node.level - 1] ?? 'h6';
      return <Heading>{words(node.children)}</Heading>;
    }
    case 'code':
      return <CodeBlock text={node.text} language={node.language} live={false} page={page} />;
    case 'quote':
      return (
        <blockquote>
          <Blocks nodes={node.children} page={page} folder={folder} />
        </blockquote>
      );
    case 'list': {
      const items = <Items items={node.items} page={page} folder={folder} />;
      return node.ordered ? <ol start={node.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return <Table table={node} words={words} />;
    case 'rule':
      return <hr />;
    default:
      return node satisfies never;
  }
}

function Items({ items, ...place }: Place & { items: readonly ItemNode[] }) {
  return (
    <>
      {items.map(({ done, children }, index) => (
        <li key={index} class={done === null ? undefined : 'task-item'}>
          {done !== null && (
            <>
              <Icon name={done ? 'pass-filled' : 'circle-large-outline'} tone={done ? 'good' : 'quiet'} />
              <span class="sr-only">{done ? t('done') : t('not started')}</span>
            </>
          )}
          {done === null ? (
            <Blocks nodes={children} {...place} />
          ) : (
            <div class="grow">
              <Blocks nodes={children} {...place} />
            </div>
          )}
        </li>
      ))}
    </>
  );
}

interface TableProps {
  readonly table: Extract<BlockNode, { readonly type: 'table' }>;
  readonly words: (children: readonly InlineNode[]) => ComponentChildren;
}

/** Wide tables scroll in themselves, also by the keyboard. */
function Table({ table, words }: TableProps) {
  const side = (column: number) => table.align[column] ?? 'left';
  return (
    <section class="table" aria-label={t('Table')} {...SCROLLS}>
      <table>
        <thead>
          <tr>
            {table.head.map((cell, column) => (
              <th key={column} scope="col" class={side(column)}>
                {words(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={side(column)}>
                  {words(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Words({ nodes, ...place }: Place & { nodes: readonly InlineNode[] }): ComponentChildren {
  return nodes.map((node, index) => <Word key={index} node={node} {...place} />);
}

function Word({ node, ...place }: Place & { node: InlineNode }): ComponentChildren {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'code':
      return <code>{node.text}</code>;
    case 'break':
      return <br />;
    case 'strong':
      return (
        <strong>
          <Words nodes={node.children} {...place} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Words nodes={node.children} {...place} />
        </em>
      );
    case 'deleted':
      return (
        <s>
          <Words nodes={node.children} {...place} />
        </s>
      );
    case 'link':
      return (
        <Link target={node.target} {...place}>
          <Words nodes={node.children} {...place} />
        </Link>
      );
    default:
      return node satisfies never;
  }
}

/** VS Code opens the addresses of a page itself, after a click, and asks about places that the person has not trusted. */
function Link({ target, page, folder, children }: Place & { target: LinkTarget; children: ComponentChildren }) {
  if (target.type === 'web')
    return (
      <a href={target.url} title={target.url}>
        {children}
      </a>
    );
  return (
    <FileLink path={target.path} line={target.line ?? undefined} folder={folder} page={page}>
      {children}
    </FileLink>
  );
}
