import fs from 'node:fs/promises';
import path from 'node:path';
import type { Attachment } from '../agent/agent.ts';
import type { FileService } from '../scheduler/fileService.ts';
import type { TaskAttachment } from '../shared/events.ts';
import { linesOf, mentionsIn } from '../shared/mentions.ts';
import { bytesOf, type TaskImage } from '../shared/task.ts';
import { isInside } from '../workspace/isInside.ts';
import { resolvePath } from '../workspace/resolvePath.ts';

/** Named files at most: more would be a listing, which an agent makes itself. */
const MOST_FILES = 50;

/**
 * What goes with the task: each file of the folder that it names, once, then the images. A name that is no file, or
 * leads out of the folder, stays a word of the task. `folder` is absolute, links resolved. Never rejects.
 */
export async function attachedTo(
  task: string,
  folder: string,
  images: readonly TaskImage[] = [],
): Promise<TaskAttachment[]> {
  const found = new Map<string, TaskAttachment>();
  for (const mention of mentionsIn(task)) {
    const file = leadsTo(path.resolve(folder, mention.path));
    if (file === null || !isInside(file, folder) || !(await isFile(file))) continue;
    const relative = path.relative(folder, file).split(path.sep).join('/');
    const { lines } = mention;
    const key = `${relative}:${lines === null ? '' : linesOf(lines)}`;
    if (found.size < MOST_FILES) {
      found.set(key, { type: 'file', path: relative, ...(lines === null ? {} : { lines }) });
    }
  }
  return [
    ...found.values(),
    ...images.map(({ name, mimeType, data }) => ({ type: 'image', name, mimeType, bytes: bytesOf(data) }) as const),
  ];
}

/**
 * The same as the executor is given it: files by their path, named lines with their text as it stands now. Lines that
 * cannot be read, or are not there, are given as the file that they are of. Never rejects.
 */
export async function attachmentsFor(
  attached: readonly TaskAttachment[],
  folder: string,
  images: readonly TaskImage[],
  files: FileService | null,
): Promise<Attachment[]> {
  const named = attached.flatMap((one) => (one.type === 'file' ? [one] : []));
  const given = await Promise.all(
    named.map(async ({ path: relative, lines }): Promise<Attachment> => {
      const file = path.join(folder, ...relative.split('/'));
      const text = lines === undefined ? null : await linesFrom(file, lines, folder, files);
      if (lines === undefined || text === null) return { type: 'file', path: file };
      return { type: 'text', path: file, text, lines };
    }),
  );
  return [...given, ...images.map(({ mimeType, data }) => ({ type: 'image', mimeType, data }) as const)];
}

/** What the reviewer is told of it, a line each. */
export function attachedLines(attached: readonly TaskAttachment[]): string[] {
  return attached.map((one) => {
    switch (one.type) {
      case 'file':
        return one.lines === undefined ? one.path : `${one.path}:${linesOf(one.lines)}`;
      case 'image':
        return `${one.name} (${one.mimeType})`;
      default:
        return one satisfies never;
    }
  });
}

async function linesFrom(
  file: string,
  { from, to }: NonNullable<Extract<TaskAttachment, { readonly type: 'file' }>['lines']>,
  folder: string,
  files: FileService | null,
): Promise<string | null> {
  try {
    const text = files === null ? await fs.readFile(file, 'utf8') : await files.open(folder).look(file);
    const lines = text?.split(/\r?\n/).slice(from - 1, to) ?? [];
    return lines.length === 0 ? null : lines.join('\n');
  } catch {
    return null;
  }
}

/** Null: links lead in a circle. */
function leadsTo(file: string): string | null {
  try {
    return resolvePath(file);
  } catch {
    return null;
  }
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await fs.stat(file)).isFile();
  } catch {
    return false;
  }
}
