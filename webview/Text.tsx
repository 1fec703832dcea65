/** @jsxRuntime automatic @jsxImportSource preact */
import { blocksOf } from './text.ts';

/** What an agent wrote, as plain text: paragraphs and code, never HTML. */
export function Text({ text }: { text: string }) {
  return (
    <div class="text">
      {blocksOf(text).map((block, index) =>
        block.type === 'paragraph' ? (
          <p key={index}>{block.text}</p>
        ) : (
          <pre key={index} class="code">
            <code>{block.text}</code>
          </pre>
        ),
      )}
    </div>
  );
}
