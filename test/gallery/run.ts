import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

// `npm run gallery [-- --state review,question] [--theme dark,high-contrast] [--out FOLDER]`: plays every state of the extension, as
// it is packed, in the real VS Code, in four themes and several widths; saves a picture of each, and fails where something is wider
// than its view, or axe-core finds a serious fault. A state goes by its name or a part of it. Takes about a quarter of an hour.
// `npm run gallery -- --readme` makes the pictures of README in `media` instead.
const { values } = parseArgs({
  options: {
    state: { type: 'string' },
    theme: { type: 'string' },
    out: { type: 'string' },
    readme: { type: 'boolean' },
  },
});
const root = path.resolve(import.meta.dirname, '../..');
const folder = path.resolve(values.out ?? path.join(root, 'test-artifacts/gallery'));
const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
const what = values.readme === true ? 'readme' : 'gallery';
const { status } = spawnSync(process.execPath, [mocha, `test/gallery/${what}.ts`], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    CGLOOP_VSIX: '1',
    GALLERY_FOLDER: folder,
    GALLERY_STATES: values.state ?? '',
    GALLERY_THEMES: values.theme ?? '',
  },
});
console.log(`The pictures are in ${what === 'readme' ? path.join(root, 'media') : folder}`);
process.exitCode = status ?? 1;
