// `npm run notices`: writes THIRD-PARTY-NOTICES, with the licence of every package of which something is in a bundle.
import fs from 'node:fs';
import path from 'node:path';
import { bundles } from '../../esbuild.mjs';
import { bundledFolders, publishedMetafile, read, root } from './production.ts';

export const NOTICES = 'THIRD-PARTY-NOTICES';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|third-?party-?notices)/i;

/** The whole text of the file as it has to be. Throws for a package that comes without its licence's text. */
export async function noticesText(): Promise<string> {
  const folders = new Set<string>();
  for (const name of Object.keys(bundles))
    for (const folder of bundledFolders(await publishedMetafile(name))) folders.add(folder);
  const packages = [...folders].map(packageNotice).sort((a, b) => (a.name < b.name ? -1 : 1));
  const list = packages.map(({ name, version, licence }) => `- ${name} ${version} (${licence})`);
  const head = [
    'Claude–Gemini Loop includes the following packages. Each stands under its own licence, whose text follows.',
    `Made by \`npm run notices\` from what the bundles hold.`,
    '',
    ...list,
  ].join('\n');
  return `${[head, ...packages.map(({ text }) => text)].join('\n\n')}\n`;
}

interface Notice {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

function packageNotice(folder: string): Notice {
  const { name, version, license: licence, homepage = '' } = JSON.parse(read(`${folder}/package.json`));
  const files = fs.readdirSync(path.join(root, folder)).filter((file) => LICENCE_FILE.test(file));
  if (files.length === 0) throw new Error(`${folder} holds no text of its licence (${licence}).`);
  const texts = files.sort().map((file) => read(`${folder}/${file}`).replaceAll('\r\n', '\n').trim());
  const title = [`${name} ${version}`, homepage].filter((part) => part !== '').join(' — ');
  return { name, version, licence, text: ['='.repeat(80), title, '='.repeat(80), '', texts.join('\n\n')].join('\n') };
}

if (import.meta.filename === process.argv[1]) fs.writeFileSync(path.join(root, NOTICES), await noticesText());
