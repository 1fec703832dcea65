import path from 'node:path';

/** Whether `inner` lies below `outer`. Both absolute and resolved; a folder is not inside itself. */
export function isInside(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
