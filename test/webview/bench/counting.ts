/** Loaded before the page's own code in a build of its own for D4: counts what the page draws. The product has none of it. */
import { type ComponentClass, options } from 'preact';
import { App } from '../../../webview/App.tsx';
import { ItemRow } from '../../../webview/ItemRow.tsx';
import { MarkdownBlock, MarkdownItems } from '../../../webview/MarkdownBlock.tsx';
import { CHUNK_ROWS, OVERSCAN } from '../../../webview/Rows.tsx';

/** What was drawn since the page was opened. */
interface Drawn {
  /** The most drawings of the whole page in one frame. */
  most: number;
  /** Drawings of rows. */
  rows: number;
  /** Characters that were read as Markdown. */
  parsed: number;
  readonly chunk: number;
  /** In pixels. */
  readonly overscan: number;
}

declare global {
  var drawn: Drawn;
}

const counts: Drawn = { most: 0, rows: 0, parsed: 0, chunk: CHUNK_ROWS, overscan: OVERSCAN };
globalThis.drawn = counts;

function beforeDrawing<P>(of: ComponentClass<P>, tell: (props: P) => void): void {
  const { prototype }: { readonly prototype: { render(props: P): unknown; readonly props: P } } = of;
  const { render } = prototype;
  prototype.render = function (props) {
    tell(props);
    return render.call(this, props);
  };
}

beforeDrawing(ItemRow, () => counts.rows++);
for (const block of [MarkdownBlock, MarkdownItems])
  beforeDrawing(block, ({ source }) => {
    counts.parsed += source.length;
  });

let inFrame = 0;
const { diffed } = options;
options.diffed = (node) => {
  if (Object.is(node.type, App)) counts.most = Math.max(counts.most, ++inFrame);
  diffed?.(node);
};
requestAnimationFrame(function nextFrame() {
  inFrame = 0;
  requestAnimationFrame(nextFrame);
});
