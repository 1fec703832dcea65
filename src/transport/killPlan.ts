/** What ends a child and everything it started: a signal to its group, or a program that walks the tree. */
export type KillPlan =
  | { readonly type: 'signal'; readonly target: number; readonly signal: 'SIGTERM' | 'SIGKILL' }
  | { readonly type: 'program'; readonly command: string; readonly args: readonly string[] };

/**
 * How a child that leads its own group is ended on a platform. Windows has no groups and no SIGTERM: `taskkill /T`
 * walks the tree, and only `/F` ends a program without a window.
 */
export function killPlan(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
  signal: 'SIGTERM' | 'SIGKILL',
): KillPlan {
  if (platform !== 'win32') return { type: 'signal', target: -pid, signal };
  const root = env.SystemRoot ?? 'C:\\Windows';
  const force = signal === 'SIGKILL' ? ['/F'] : [];
  return { type: 'program', command: `${root}\\System32\\taskkill.exe`, args: ['/PID', String(pid), '/T', ...force] };
}
