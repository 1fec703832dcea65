import * as vscode from 'vscode';
import type { RoundState } from '../loop/runDiff.ts';
import type { LoopEvent } from '../shared/events.ts';
import { reduce } from '../shared/reduce.ts';
import { EMPTY_VIEW } from '../shared/view.ts';
import { type ChangesEditor, stateName } from './changesEditor.ts';
import { changeWords } from './words.ts';

const { t } = vscode.l10n;

interface Row extends vscode.QuickPickItem {
  readonly open: () => Promise<void>;
}

/** "Open Changes of Round…": those of the run, of one of its rounds, or between two states of its folder. */
export async function openChangesCommand(
  changes: Pick<ChangesEditor, 'open' | 'openBetween'>,
  events: readonly LoopEvent[],
): Promise<void> {
  const { statesOf } = await import('../loop/runDiff.ts');
  const { rounds } = reduce(EMPTY_VIEW, events);
  const states = statesOf(events);
  const worked = rounds.flatMap(({ number, changes: files }) =>
    number > 0 && files !== null ? [{ number, files }] : [],
  );
  const rows: readonly Row[] = [
    { label: t('The whole run'), open: () => changes.open(events, null) },
    ...worked.map(({ number, files }) => ({
      label: t('Round {0}', number),
      description: changeWords(files, t),
      open: () => changes.open(events, number),
    })),
    ...(states.length > 2
      ? [{ label: t('Between two rounds…'), open: () => openBetween(changes, events, states) }]
      : []),
  ];
  if (worked.length === 0) {
    await vscode.window.showInformationMessage(t('The run has changed nothing yet.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(rows, { title: t('Which changes?') });
  await picked?.open();
}

async function openBetween(
  changes: Pick<ChangesEditor, 'openBetween'>,
  events: readonly LoopEvent[],
  states: readonly RoundState[],
): Promise<void> {
  const pick = (of: readonly RoundState[], title: string) =>
    vscode.window.showQuickPick(
      of.map((state) => ({ label: stateName(state), state })),
      { title },
    );
  const from = await pick(states.slice(0, -1), t('Changes from…'));
  if (from === undefined) return;
  const to = await pick(states.slice(states.indexOf(from.state) + 1), t('Changes from {0} to…', from.label));
  if (to !== undefined) await changes.openBetween(events, from.state, to.state);
}
