/** @jsxRuntime automatic @jsxImportSource preact */
import { shortPath } from '../src/shared/questionWords.ts';
import type { Page } from './state.ts';

interface Props {
  readonly path: string;
  readonly line?: number | undefined;
  readonly folder: string;
  readonly page: Page;
}

/** Opens the file in the editor. */
export function FileLink({ path, line, folder, page }: Props) {
  return (
    <button
      type="button"
      class="link"
      title={path}
      onClick={() => page.post({ type: 'openFile', path, line: line ?? null })}
    >
      {shortPath(path, folder)}
      {line !== undefined && `:${line}`}
    </button>
  );
}
