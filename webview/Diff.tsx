/** @jsxRuntime automatic @jsxImportSource preact */
import { Disclosure } from './Disclosure.tsx';
import { type DiffLine, lineDiff } from './lineDiff.ts';
import type { Page } from './state.ts';
import { t } from './words.ts';

interface Props {
  readonly id: string;
  readonly before: string | null;
  readonly after: string;
  /** Whether the person asked for all lines. */
  readonly all: boolean;
  readonly page: Page;
}

const FIRST_LINES = 40;

/** The changed lines with their signs; a long diff shows its start until the person asks for all of it. */
export function Diff({ id, before, after, all, page }: Props) {
  const lines = lineDiff(before, after);
  const shown = lines.slice(0, FIRST_LINES);
  const rest = lines.slice(FIRST_LINES);
  if (lines.length === 0) return <p class="quiet">{t('No line differs.')}</p>;
  return (
    <div class="diff">
      <Lines lines={shown} />
      {rest.length > 0 && (
        <Disclosure id={id} open={all} page={page} summary={t('{0} more lines', rest.length)}>
          {() => <Lines lines={rest} />}
        </Disclosure>
      )}
    </div>
  );
}

function Lines({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <pre class="code">
      {lines.map((line, index) => (
        <DiffRow key={index} line={line} />
      ))}
    </pre>
  );
}

function DiffRow({ line }: { line: DiffLine }) {
  switch (line.type) {
    case 'same':
      return <div class="line">{`  ${line.text}`}</div>;
    case 'added':
      return <ins class="line">{`+ ${line.text}`}</ins>;
    case 'removed':
      return <del class="line">{`- ${line.text}`}</del>;
    case 'gap':
      return <div class="line quiet">{t('  ⋯ {0} equal lines', line.count)}</div>;
    default:
      return line satisfies never;
  }
}
