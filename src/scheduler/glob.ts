/**
 * A pattern of paths as a test: `*` and `?` within one folder, `**` over folders, everything else itself. A pattern
 * without `/` is about the file's name in any folder, one that ends in `/` about all that lies below. Paths are relative
 * and use `/`.
 */
export function globTest(pattern: string, caseInsensitive: boolean): (path: string) => boolean {
  const place = pattern.replace(/^(?:\.?\/)+/, '').replace(/\/$/, '/**');
  const whole = pattern.includes('/') ? place : `**/${pattern}`;
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
