/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';

/** Short texts in a row with dots between them; each stays together when the line breaks. */
export function Parts({ parts }: { parts: readonly ComponentChildren[] }) {
  return (
    <>
      {parts.map((part, index) => (
        <span key={index}>
          <span class="part">
            {part}
            {index < parts.length - 1 && ' ·'}
          </span>{' '}
        </span>
      ))}
    </>
  );
}
