import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { FrameLocator } from 'playwright-core';
import * as z from 'zod';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const found = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullable(),
    help: z.string(),
    nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
  }),
);

/**
 * What axe-core holds for a serious or critical fault of the page in `view` (the frame of a webview), each as one line with the
 * first element that has it; contrasts by WCAG AA among them. Throws when the frame is gone.
 */
export async function axe(view: FrameLocator): Promise<string[]> {
  const element = await view.locator('html').elementHandle();
  const frame = await element?.ownerFrame();
  if (frame === null || frame === undefined) throw new Error('The frame is gone');
  // A string, because the loader of the tests marks functions with a name that the page does not know.
  if (!(await frame.evaluate<boolean>('"axe" in window'))) await frame.evaluate(fs.readFileSync(axeFile, 'utf8'));
  const violations = found.parse(
    await frame.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => {
      const [node] = nodes;
      const more = nodes.length > 1 ? ` (and ${nodes.length - 1} more)` : '';
      return `${id}: ${help}: ${node?.html.slice(0, 200)}${more} ${node?.failureSummary?.split('\n').slice(1, 2).join('').trim()}`;
    });
}
