import type { CheckRequest } from '../shared/roundEvents.ts';
import { detectChecks } from '../workspace/checks/detectChecks.ts';
import { filesOnDisk } from '../workspace/checks/projectFiles.ts';
import type { RunOptions } from './options.ts';

/** What the project itself names: read only where the person trusts it, and of use only where something is written. */
export async function projectChecks(
  { trusted, permissionMode }: RunOptions,
  folder: string,
): Promise<readonly CheckRequest[]> {
  if (!trusted || permissionMode === 'read-only') return [];
  const found = await detectChecks(await filesOnDisk(folder), process.platform);
  return found.map(({ command }) => ({ command, source: 'detected' }));
}
