/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { shortPath } from '../src/shared/questionWords.ts';
import type { Page } from './state.ts';

interface Props {
  readonly path: string;
  readonly line?: number | undefined;
  readonly folder: string;
  readonly page: Page;
  /** Words of the link's own; default: the path in the folder. */
  readonly children?: ComponentChildren;
}

/** Opens the file in the editor. */
export function FileLink({ path, line, folder, page, children }: Props) {
  return (
    <button
      type="button"
      class="link"
      title={line === undefined ? path : `${path}:${line}`}
      onClick={() => page.post({ type: 'openFile', path, line: line ?? null })}
    >
      {children ?? `${shortPath(path, folder)}${line === undefined ? '' : `:${line}`}`}
    </button>
  );
}
