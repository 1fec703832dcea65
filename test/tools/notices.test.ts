import assert from 'node:assert/strict';
import { NOTICES, noticesText } from './notices.ts';
import { read } from './production.ts';

describe(NOTICES, () => {
  it('names every package of the bundles with its version and licence: else run `npm run notices`', async function () {
    this.timeout(60_000);
    const text = await noticesText();
    assert.equal(read(NOTICES), text);
    for (const name of ['preact', 'marked', 'highlight.js', 'zod', 'commander', '@vscode/codicons', 'vscode-jsonrpc'])
      assert.match(text, new RegExp(`^- ${name} \\d+\\.\\d+\\.\\d+\\S* \\(\\S+\\)$`, 'm'));
    assert.doesNotMatch(text, /^- (esbuild|tsx|mocha) /m);
  });
});
