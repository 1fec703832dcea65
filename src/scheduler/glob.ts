/**
 * A pattern of paths as a test: `*` and `?` within one folder, `**` over folders, everything else itself. A pattern
 * without `/` is about the file's name in any folder. Paths are relative and use `/`.
 */
export function globTest(pattern: string, caseInsensitive: boolean): (path: string) => boolean {
  const whole = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
  const source = whole.split(/(\*\*\/|\*\*|\*|\?)/).map((part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  const expression = new RegExp(`^${source.join('')}$`, caseInsensitive ? 'isu' : 'su');
  return (path) => expression.test(path);
}
