/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { type Comparison, compare, type DiffPart, type DiffRow } from './comparison.ts';
import { useOnDemand, words } from './onDemand.ts';
import { firstOfLine } from './text.ts';
import { t } from './words.ts';

interface Props {
  /** Opens the whole change in a diff editor. */
  readonly openAll: () => void;
}

const FIRST_ROWS = 30;

/** The changed lines with numbers, signs and marked words; of a long diff the start, with a way to all of it. */
export function Diff({ part, openAll }: Props & { part: DiffPart }) {
  return <DiffRows {...compare(part)} openAll={openAll} />;
}

/** The same of lines that are compared already. */
export function DiffRows({ rows, removed, openAll }: Props & Pick<Comparison, 'rows' | 'removed'>) {
  const reader = useOnDemand(words, removed > 0);
  if (rows.length === 0) return <p class="quiet">{t('No line differs.')}</p>;
  const digits = String(Math.max(...rows.map((row) => (row.type === 'gap' ? 0 : row.number)))).length;
  const shown = rows.length <= FIRST_ROWS ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <div class="diff" style={{ '--digits': `${digits}ch` }}>
      {shown.map((row, index) => (
        <Row key={index} row={row} reader={reader} />
      ))}
      {rows.length > shown.length && (
        <button type="button" class="link diff-more" onClick={openAll}>
          {t('{0} more lines: show all in a diff editor', rows.length - shown.length)}
        </button>
      )}
    </div>
  );
}

type Reader = Pick<typeof import('./changedWords.ts'), 'changedWords'>;

function Row({ row, reader }: { row: DiffRow; reader: Reader | null }) {
  switch (row.type) {
    case 'gap':
      return (
        <div class="gap quiet">{row.count === 1 ? t('⋯ 1 unchanged line') : t('⋯ {0} unchanged lines', row.count)}</div>
      );
    case 'same':
      return <Line tag="div" sign=" " row={row} />;
    case 'added': {
      const parts = row.partner === null ? null : reader?.changedWords(row.partner, row.text)?.after;
      return <Line tag="ins" sign="+" row={row} parts={parts} />;
    }
    case 'removed': {
      const parts = row.partner === null ? null : reader?.changedWords(row.text, row.partner)?.before;
      return <Line tag="del" sign="−" row={row} parts={parts} />;
    }
    default:
      return row satisfies never;
  }
}

interface LineProps {
  readonly tag: 'div' | 'ins' | 'del';
  readonly sign: string;
  readonly row: Exclude<DiffRow, { readonly type: 'gap' }>;
  readonly parts?: readonly { readonly text: string; readonly changed: boolean }[] | null | undefined;
}

function Line({ tag: Tag, sign, row, parts }: LineProps) {
  const text: ComponentChildren =
    parts?.map((part, index) => (part.changed ? <mark key={index}>{part.text}</mark> : part.text)) ??
    firstOfLine(row.text);
  return (
    <Tag class="line">
      <span class="line-number" aria-hidden="true">
        {row.number}
      </span>
      <span class="sign">{sign}</span>
      <span class="line-text">{text}</span>
    </Tag>
  );
}
