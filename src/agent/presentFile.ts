import { readFile, stat } from 'node:fs/promises';
import { type FileText, PREVIEW_LIMIT } from './claudeContent.ts';

/** What stands in a file now, for comparing. Reads at most 512 kB, plain files only, and never rejects. */
export async function readPresentFile(path: string): Promise<FileText> {
  try {
    const { size, isFile } = await stat(path).then((found) => ({ size: found.size, isFile: found.isFile() }));
    if (!isFile) return { type: 'unread', why: 'it is not a plain file' };
    if (size > PREVIEW_LIMIT) return { type: 'unread', why: `the file has ${size} bytes` };
    const text = await readFile(path, 'utf8');
    return text.includes('\0') ? { type: 'unread', why: 'the file is binary' } : { type: 'text', text };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return code === 'ENOENT' ? { type: 'missing' } : { type: 'unread', why: `it could not be read (${code})` };
  }
}
