import path from 'node:path';

/**
 * The file that a link names, absolute: agents and reviewers write paths relative to the run's folder or absolute.
 * Null for what is no file of this machine: an address, or a network share, whose mere opening would send
 * the person's name to it.
 */
export function linkedFile(
  written: string,
  folder: string,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  if (written === '' || written.includes('\0') || /^[\\/]{2}/.test(written)) return null;
  if (/^[A-Za-z][A-Za-z0-9+.-]+:/.test(written)) return null;
  return paths.resolve(folder, written);
}
