import type { Translate } from './translate.ts';
import type { PermissionItem } from './view.ts';

/** The path as people see it: relative to the run's folder where it lies inside. */
export function shortPath(path: string, folder: string): string {
  const inside = path.startsWith(folder) && /^[\\/]/.test(path.slice(folder.length));
  return inside ? path.slice(folder.length + 1) : path;
}

/** What the question is about: the command, the file, else the agent's own title. */
export function subjectOf({ request }: PermissionItem, folder: string): string {
  const [path] = request.paths;
  return (
    request.command ?? (request.paths.length === 1 && path !== undefined ? shortPath(path, folder) : request.title)
  );
}

/** The question in one sentence, such as "Claude wants to edit src/a.ts". */
export function questionOf(item: PermissionItem, name: string, folder: string, t: Translate): string {
  const { request } = item;
  const subject = subjectOf(item, folder);
  switch (request.kind) {
    case 'edit':
      return t('{0} wants to edit {1}', name, subject);
    case 'delete':
      return t('{0} wants to delete {1}', name, subject);
    case 'move':
      return t('{0} wants to move {1}', name, subject);
    case 'read':
      return t('{0} wants to read {1}', name, subject);
    case 'search':
      return t('{0} wants to search: {1}', name, subject);
    case 'execute':
      return request.command === undefined
        ? t('{0} wants to run: {1}', name, subject)
        : t('{0} wants to run a command', name);
    case 'fetch':
      return t('{0} wants to open {1}', name, subject);
    case 'ask':
      return request.asker === 'loop' ? request.title : t('{0} asks: {1}', name, request.title);
    case 'switch_mode':
    case 'plan':
    case 'think':
    case 'other':
      return t('{0} wants to use a tool: {1}', name, subject);
    default:
      return request.kind satisfies never;
  }
}
