import assert from 'node:assert/strict';
import type { Metafile } from 'esbuild';
import { PAGE_LIMITS } from '../bench/page.ts';
import { pageSizes, publishedMetafile } from '../tools/production.ts';

describe('the page as it is published', () => {
  it('begins with at most 150 kB and loads at most 250 kB on demand, without zod', async function () {
    this.timeout(60_000);
    const { first, onDemand, packages } = pageSizes(await publishedMetafile('webview'));
    assert.ok(first > 0 && first <= PAGE_LIMITS.first, `${first} bytes at the start`);
    assert.ok(onDemand > 0 && onDemand <= PAGE_LIMITS.onDemand, `${onDemand} bytes on demand`);
    assert.deepEqual(packages, {
      first: ['preact'],
      onDemand: ['anser', 'diff', 'highlight.js', 'lowlight', 'marked'],
    });
  });

  it('is measured by what it loads: what the start imports counts with it, what it imports on demand does not', () => {
    const input = (bytesInOutput: number) => ({ bytesInOutput });
    const output = (bytes: number, imports: Metafile['outputs'][string]['imports'], inputs = {}) => ({
      bytes,
      imports,
      inputs,
      exports: [],
    });
    const sizes = pageSizes({
      inputs: {},
      outputs: {
        'dist/webview.js': output(10, [
          { path: 'dist/shared.js', kind: 'import-statement' },
          { path: 'dist/later.js', kind: 'dynamic-import' },
        ]),
        'dist/shared.js': output(5, [], { 'node_modules/zod/a.js': input(3), 'node_modules/gone/b.js': input(0) }),
        'dist/later.js': output(100, [{ path: 'dist/shared.js', kind: 'import-statement' }], {
          'node_modules/@a/b/c.js': input(1),
        }),
        'dist/webview.css': output(1000, []),
      },
    });
    assert.deepEqual(sizes, { first: 15, onDemand: 100, packages: { first: ['zod'], onDemand: ['@a/b'] } });
  });
});
