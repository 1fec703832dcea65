import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fillDemoProject } from '../../src/loop/demoRun.ts';

const lines = (count: number, of: (line: number) => string) =>
  `${Array.from({ length: count }, (_, index) => of(index + 1)).join('\n')}\n`;

const FILES: Readonly<Record<string, string>> = {
  'src/columns.ts': `export const SEPARATOR = ',';\n\nexport const indexOf = (header: string[], name: string) => header.indexOf(name);\n`,
  'src/importer.ts': lines(48, (line) =>
    line === 31
      ? "  for await (const chunk of createReadStream(file, 'utf8')) {"
      : `  // Line ${line} of the importer.`,
  ),
  'src/parse.ts': lines(20, (line) => (line === 12 ? `  while (line[at] !== '"') at++;` : `  // Line ${line}.`)),
  'test/parse.test.ts': lines(12, (line) => `// Line ${line} of the tests.`),
  'docs/notes-on-the-format-of-files-that-people-send-us.md': '# Notes\n',
};

/** A project in git that holds what the runs of the gallery name, and the sample project of the demo. */
export function fillProject(folder: string): void {
  fillDemoProject(folder);
  for (const [name, text] of Object.entries(FILES)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=Gallery', '-c', 'user.email=gallery@localhost', 'commit', '-qm', 'Begin');
}
