/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';
import type { Page } from './state.ts';

interface Props {
  /** Unique in the run: what was opened stays open under this name. */
  readonly id: string;
  readonly open: boolean;
  readonly page: Page;
  readonly summary: ComponentChildren;
  readonly class?: string;
  /** Drawn only while open. */
  readonly children: () => ComponentChildren;
}

/** A row that opens and closes what lies under it. */
export function Disclosure({ id, open, page, summary, class: name = '', children }: Props) {
  return (
    <div class={`disclosure ${name}`}>
      <button
        type="button"
        class="disclosure-row stop"
        tabIndex={-1}
        aria-expanded={open}
        onClick={() => page.dispatch({ type: 'toggle', id, open: !open })}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        {summary}
      </button>
      {open && <div class="disclosure-body">{children()}</div>}
    </div>
  );
}
