/** @jsxRuntime automatic @jsxImportSource preact */
import { FileLink } from './FileLink.tsx';
import type { Page } from './state.ts';
import { t } from './words.ts';

/** A place that a search found; `line` null: the file alone. */
export interface Hit {
  readonly path: string;
  readonly line: number | null;
  readonly text: string;
}

/** What a search found, where its output is lines of `path:line:text`, or of paths under `Found N files`; null for any other text. */
export function hitsIn(text: string): readonly Hit[] | null {
  const [first = '', ...others] = text.split('\n').filter((line) => line.trim() !== '' && !/^--+$/.test(line));
  const isList = /^Found \d+ files?\b/.test(first);
  const hits = (isList ? others : [first, ...others]).map((line) => (isList ? fileOf(line) : placeOf(line)));
  const found = hits.filter((hit) => hit !== null);
  return found.length === 0 || found.length < hits.length ? null : found;
}

function placeOf(line: string): Hit | null {
  const [, path = '', at = '', text = ''] = /^((?:[A-Za-z]:)?[^:\s][^:]*):(\d+):(.*)$/.exec(line) ?? [];
  return path === '' ? null : { path, line: Number(at), text };
}

function fileOf(line: string): Hit | null {
  return /^\S.*[^\s.:]$/.test(line) ? { path: line.trim(), line: null, text: '' } : null;
}

const FIRST = 12;

/** The places that a search found, each a link; of many the first, with a way to all. */
export function SearchHits({
  hits,
  folder,
  page,
  openAll,
}: {
  readonly hits: readonly Hit[];
  readonly folder: string;
  readonly page: Page;
  readonly openAll: () => void;
}) {
  return (
    <>
      <ul class="hits">
        {hits.slice(0, FIRST).map(({ path, line, text }, index) => (
          <li key={index}>
            <FileLink path={path} line={line ?? undefined} folder={folder} page={page} />{' '}
            {text !== '' && <code>{text.trim().slice(0, 200)}</code>}
          </li>
        ))}
      </ul>
      {hits.length > FIRST && (
        <button type="button" class="link" onClick={openAll}>
          {t('{0} more hits: show all in an editor', hits.length - FIRST)}
        </button>
      )}
    </>
  );
}
