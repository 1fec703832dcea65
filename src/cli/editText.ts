import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errorText } from '../shared/errors.ts';
import { runForeground } from '../transport/childProcess.ts';
import { environmentOf, type Terminal } from './terminal.ts';

export type EditedText =
  | { readonly type: 'text'; readonly text: string }
  /** Why there is none, and the way out. */
  | { readonly type: 'problem'; readonly what: string };

/** Opens the text in the person's own editor (`VISUAL`, else `EDITOR`), on a private file, until it is closed. Never rejects. */
export async function editText(text: string, { env, program }: Pick<Terminal, 'env' | 'program'>): Promise<EditedText> {
  // Set by the person for this very purpose: a program, and arguments where it has some, such as `code --wait`.
  const [command, ...args] = (env.VISUAL || env.EDITOR || '').trim().split(/\s+/);
  if (command === undefined || command === '') {
    return problem('No editor is named: set EDITOR, such as EDITOR=vim. An instruction ([i]) needs none.');
  }
  let folder: string | null = null;
  try {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'cgloop-review-'));
    const file = path.join(folder, 'review.md');
    await fs.writeFile(file, `${text}\n`, { mode: 0o600 });
    const exit = await runForeground({ command, args: [...args, file], cwd: folder, env: environmentOf({ env }) });
    if (exit.error !== null) return problem(`${command} did not start: ${exit.error.message}`);
    if (exit.code !== 0) return problem(`${command} ended with ${exit.code ?? exit.signal}: nothing was changed.`);
    return { type: 'text', text: await fs.readFile(file, 'utf8') };
  } catch (error) {
    return problem(`${program} could not hand the review over: ${errorText(error)}`);
  } finally {
    if (folder !== null) await fs.rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function problem(what: string): EditedText {
  return { type: 'problem', what };
}
