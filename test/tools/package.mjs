// `npm run package [-- --out FOLDER --baseContentUrl URL --baseImagesUrl URL]`: makes the VSIX and the package of `cgloop` alone. The
// addresses are where README's links and pictures lead on a marketplace.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { register } from 'tsx/esm/api';

register();
const { makePackages } = await import('./package.ts');
const { values } = parseArgs({
  options: { out: { type: 'string' }, baseContentUrl: { type: 'string' }, baseImagesUrl: { type: 'string' } },
});
const { out = '.', ...links } = values;
for (const file of Object.values(await makePackages(path.resolve(out), links))) {
  console.log(`${path.relative('', file)}  ${Math.round(fs.statSync(file).size / 1000)} kB`);
}
