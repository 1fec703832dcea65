import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

/** The files of a repository that say which programs git runs, and what it does with content; each with its content's stamp. */
export type GitSettings = ReadonlyMap<string, string>;

/** `gitDir` is of the work tree, `commonDir` of the repository. Those that nobody can read are not among them. */
export async function gitSettings(at: { readonly gitDir: string; readonly commonDir: string }): Promise<GitSettings> {
  const hooks = await fs.readdir(path.join(at.commonDir, 'hooks')).catch(() => []);
  const files = [
    ...['config', path.join('info', 'attributes'), path.join('info', 'exclude')],
    // The examples that git lays there are never run.
    ...hooks.filter((name) => !name.endsWith('.sample')).map((name) => path.join('hooks', name)),
  ].map((file) => path.join(at.commonDir, file));
  const found = new Map<string, string>();
  for (const file of [...files, path.join(at.gitDir, 'config.worktree')]) {
    const stamp = await stampOf(file).catch(() => null);
    if (stamp !== null) found.set(`.git/${path.relative(at.commonDir, file).split(path.sep).join('/')}`, stamp);
  }
  return found;
}

/** Those that are new, gone or other than before, by name. */
export function changedSettings(before: GitSettings, after: GitSettings): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

/** Of content and of the right to run it. Null: it is no file; the reading of a pipe would never end. */
async function stampOf(file: string): Promise<string | null> {
  const stat = await fs.stat(file);
  if (!stat.isFile()) return null;
  const { mode } = stat;
  const content = await fs.readFile(file);
  return `${mode & 0o111} ${createHash('sha256').update(content).digest('hex')}`;
}
