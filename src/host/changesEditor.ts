import * as vscode from 'vscode';
import type { Between, RoundState } from '../loop/runDiff.ts';
import { runHeaderOf } from '../session/replay.ts';
import type { LoopEvent } from '../shared/events.ts';
import type { FileChange } from '../shared/fileEvents.ts';
import type { Checkpoints } from '../workspace/checkpoint.ts';

const { t } = vscode.l10n;

/** Files of checkpoints: the path is that of the file in the folder, the query tells run and tree. */
const SCHEME = 'cgloop-checkpoint';

/** The changes of a run, or of one of its rounds, in VS Code's editor for changes of several files. */
export interface ChangesEditor {
  /** `round` null: of the whole run. Rejects with what is in the way, for people. */
  open(events: readonly LoopEvent[], round: number | null): Promise<void>;
  /** Between any two states of the run's folder. */
  openBetween(events: readonly LoopEvent[], from: RoundState, to: RoundState): Promise<void>;
  dispose(): void;
}

/** What a state of the folder is called. */
export function stateName({ round }: Pick<RoundState, 'round'>): string {
  return round === 0 ? t('before the run') : t('after round {0}', round);
}

/** Serves the files of checkpoints to editors from now on. */
export function createChangesEditor(stateFolder: () => string): ChangesEditor {
  const readers = createReaders(stateFolder);
  const registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => readers.read(query),
  });
  const show = async (events: readonly LoopEvent[], between: Between, title: string): Promise<void> => {
    const { checkpointFolder, diffBetween } = await import('../loop/runDiff.ts');
    const { files } = await diffBetween({ events, stateFolder: stateFolder(), between, t });
    const run = runHeaderOf(events);
    if (run === null) return;
    if (files.length === 0) {
      await vscode.window.showInformationMessage(t('No file was changed.'));
      return;
    }
    const folder = checkpointFolder(run);
    const of = (tree: string, path: string) =>
      vscode.Uri.file(`${folder}/${path}`).with({
        scheme: SCHEME,
        query: new URLSearchParams({ run: run.id, folder, tree, path }).toString(),
      });
    const row = ({ path, status }: FileChange) => [
      vscode.Uri.file(`${folder}/${path}`),
      status === 'added' ? undefined : of(between.before.tree, path),
      status === 'deleted' ? undefined : of(between.after.tree, path),
    ];
    await vscode.commands.executeCommand('vscode.changes', title, files.map(row));
  };
  return {
    async open(events, round) {
      const { betweenOf } = await import('../loop/runDiff.ts');
      const between = betweenOf(events, round);
      if (between === null) {
        throw new Error(
          round === null
            ? t('The run ended before its work was compared with what was there: there is no diff of it.')
            : t('Round {0} ended before its work was compared with what was there: there is no diff of it.', round),
        );
      }
      await show(events, between, round === null ? t('Changes of the Run') : t('Changes in Round {0}', round));
    },
    openBetween: (events, from, to) =>
      show(
        events,
        { before: from.checkpoint, after: to.checkpoint },
        t('Changes from {0} to {1}', stateName(from), stateName(to)),
      ),
    dispose: () => registration.dispose(),
  };
}

/** One opened set of checkpoints for all the files that are asked for at the same time. */
function createReaders(stateFolder: () => string) {
  const open = new Map<string, { readonly checkpoints: Promise<Checkpoints>; uses: number }>();
  return {
    async read(query: string): Promise<string | null> {
      const asked = new URLSearchParams(query);
      const [runId, folder, tree, file] = ['run', 'folder', 'tree', 'path'].map((name) => asked.get(name) ?? '');
      if (!runId || !folder || !tree || !file) return null;
      const known = open.get(runId) ?? {
        checkpoints: import('../workspace/checkpoint.ts').then(({ openCheckpoints }) =>
          openCheckpoints({ folder, stateFolder: stateFolder(), runId }),
        ),
        uses: 0,
      };
      open.set(runId, known);
      known.uses += 1;
      try {
        const text = await (await known.checkpoints).textOf({ tree }, file);
        return text ?? t('{0} is no text, or too long to be shown here.', file);
      } finally {
        known.uses -= 1;
        if (known.uses === 0) {
          open.delete(runId);
          await known.checkpoints.then((checkpoints) => checkpoints.close()).catch(() => undefined);
        }
      }
    },
  };
}
