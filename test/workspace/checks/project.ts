import type { ProjectFiles } from '../../../src/workspace/checks/projectFiles.ts';

/** A project that is made of these texts. */
export function projectOf(files: Readonly<Record<string, string>>): ProjectFiles {
  const names = [...new Set(Object.keys(files).map((file) => file.split('/', 1).join('')))];
  return { names, read: async (file) => files[file] ?? null };
}

/** A package.json with these scripts and more. */
export function manifest(scripts: Readonly<Record<string, string>>, more: object = {}): string {
  return JSON.stringify({ name: 'p', scripts, ...more }, null, 2);
}
