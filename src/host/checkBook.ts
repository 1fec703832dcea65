import { readConfirmed } from '../session/checkFile.ts';
import type { FoundCheck } from '../shared/messages.ts';
import { definitionOf, digestOf } from '../workspace/checks/definition.ts';
import { detectChecks } from '../workspace/checks/detectChecks.ts';
import { filesOnDisk } from '../workspace/checks/projectFiles.ts';
import { resolvePath } from '../workspace/resolvePath.ts';

/** The checks of the open folders, as far as they were looked for. */
export interface CheckBook {
  /** Folder (absolute) → its checks. */
  readonly found: Readonly<Record<string, readonly FoundCheck[]>>;
  /** Looks again: nothing is run, only files are read. `wanted`: folder → what its setting names; null: detected ones. */
  look(wanted: ReadonlyMap<string, readonly string[] | null>): Promise<void>;
  onDidChange(listener: () => void): () => void;
}

/** `stateFolder` throws when it is wrongly set; nothing counts as confirmed then. */
export function createCheckBook(stateFolder: () => string): CheckBook {
  const listeners = new Set<() => void>();
  let found: CheckBook['found'] = {};
  let looks = 0;
  return {
    get found() {
      return found;
    },
    async look(wanted) {
      const turn = ++looks;
      const all = await Promise.all(
        [...wanted].map(async ([folder, named]) => [folder, await checksIn(folder, named, stateFolder)] as const),
      );
      const next = Object.fromEntries(all);
      // A later look is newer, whichever ends first.
      if (turn !== looks || JSON.stringify(next) === JSON.stringify(found)) return;
      found = next;
      for (const listener of listeners) listener();
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function checksIn(
  folder: string,
  named: readonly string[] | null,
  stateFolder: () => string,
): Promise<readonly FoundCheck[]> {
  const project = await filesOnDisk(folder);
  const source = named === null ? 'detected' : 'settings';
  const commands = named ?? (await detectChecks(project, process.platform)).map(({ command }) => command);
  const confirmed = await confirmedIn(folder, stateFolder);
  return Promise.all(
    commands.map(async (command) => {
      const definition = digestOf(await definitionOf(command, project));
      const isConfirmed = confirmed.some((one) => one.command === command && one.definition === definition);
      return { command, source, confirmed: isConfirmed };
    }),
  );
}

/** A file that cannot be read confirms nothing: the run says so when it asks. */
async function confirmedIn(folder: string, stateFolder: () => string) {
  try {
    return await readConfirmed(stateFolder(), resolvePath(folder));
  } catch {
    return [];
  }
}
