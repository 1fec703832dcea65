import * as vscode from 'vscode';
import { allowedOf } from '../loop/budget.ts';
import type { RunOptions } from '../loop/options.ts';
import type { ComposerOptions, Notice, NoticeAction } from '../shared/messages.ts';
import type { Feedback } from '../shared/roundEvents.ts';
import { homeOf } from '../shared/runPlace.ts';
import type { TaskImage } from '../shared/task.ts';
import type { Consent } from './consent.ts';
import { noFolderNotice, settingNotice, untrustedNotice, virtualFolderNotice } from './hostState.ts';
import type { Keys } from './keys.ts';
import { folderPaths } from './pickRun.ts';
import type { RunDeck } from './runDeck.ts';
import { composerDefaults, runOptions } from './settings.ts';
import { settingsOf } from './windowSettings.ts';

const { t } = vscode.l10n;

/** What the commands work on. */
export interface CommandParts {
  readonly controller: RunDeck;
  readonly keys: Keys;
  readonly consent: Consent;
  /** Throws when the state folder is wrongly set. */
  readonly stateFolder: () => string;
}

/** "Run Claude–Gemini Loop": asks for the task, shows the view, and starts. */
export async function runCommand(parts: CommandParts): Promise<void> {
  const folder = await folderToRunIn(parts);
  if (folder === null) return;
  const task = await vscode.window.showInputBox({
    title: t('Run Claude–Gemini Loop'),
    prompt: t('What is to be done in {0}?', folder.name),
    placeHolder: t('For example: find the test that fails and make it pass'),
    ignoreFocusOut: true,
  });
  if (task === undefined || task.trim() === '') return;
  await showView();
  await start(parts, folder, task.trim(), composerDefaults(settingsOf(folder).settings));
}

/**
 * How a run goes on that is shown: where it stood, for more rounds, or only to be reviewed once more. `feedback`: what goes
 * back with the next execution; null: the review as it came.
 */
export type GoingOn =
  | { readonly type: 'goOn'; readonly feedback: Feedback | null }
  | { readonly type: 'rounds'; readonly more: number; readonly feedback: Feedback | null }
  /** Catalog id. */
  | { readonly type: 'review'; readonly reviewer: string };

/** Goes on with the run shown; one whose rounds are over is given one more where nothing else is said. */
export async function resumeCommand(
  { controller, keys, consent, stateFolder }: CommandParts,
  how: GoingOn = { type: 'goOn', feedback: null },
): Promise<void> {
  const { run, rounds } = controller.view();
  if (run === null || !(how.type === 'review' ? controller.canReviewAgain : controller.canResume)) {
    await vscode.window.showInformationMessage(t('There is no run to go on with here.'));
    return;
  }
  if (!vscode.workspace.isTrusted) return say(untrustedNotice(t));
  const folders = await folderPaths();
  const home = homeOf(run);
  if (!folders.includes(home)) {
    await vscode.window.showErrorMessage(t('Open the folder {0} first: the run works in it.', home));
    return;
  }
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(home)) ?? null;
  const { settings, problems } = settingsOf(folder);
  const [problem] = problems;
  if (problem !== undefined) return say(settingNotice(problem, t));
  const over = rounds.filter(({ number, endedAt }) => number > 0 && endedAt !== null).length;
  const options = runOptions({
    task: run.task,
    folder: run.folder,
    chosen: {
      rounds: roundsOf(how, over, run.rounds),
      executor: run.executor.id,
      reviewer: how.type === 'review' ? how.reviewer : run.reviewer.id,
      models: settings.models,
      permissionMode: run.permissionMode,
      folder: null,
      checks: run.checks ?? [],
      newWorktree: false,
    },
    settings,
    stateFolder: stateFolder(),
    secrets: await keys.secrets(),
  });
  await consent.ask(options, async () => {
    await controller.start({
      ...options,
      threshold: run.threshold,
      // What the person added to a limit while it ran stays added.
      budget: { ...options.budget, ...allowedOf(controller.shown?.events ?? []) },
      // As it was begun: with a task, or with changes to review.
      ...(run.kind === undefined ? {} : { kind: run.kind }),
      ...(run.range === undefined ? {} : { range: run.range }),
      resume: run.id,
      reviewAgain: how.type === 'review',
      ...(how.type === 'review' || how.feedback === null ? {} : { feedback: how.feedback }),
    });
  });
}

/** As many rounds as the run may have now; `over`: those that it had. */
function roundsOf(how: GoingOn, over: number, before: number): number {
  switch (how.type) {
    case 'goOn':
      return Math.max(before, over + 1);
    case 'rounds':
      return over + how.more;
    case 'review':
      // It ends with the review.
      return Math.max(1, over);
    default:
      return how satisfies never;
  }
}

/** "Continue (N more rounds)": asks for how many. */
export async function continueRoundsCommand(parts: CommandParts): Promise<void> {
  if (!parts.controller.canResume) return resumeCommand(parts);
  const typed = await vscode.window.showInputBox({
    title: t('Continue'),
    prompt: t('How many more rounds may the run have?'),
    value: '2',
    validateInput: (text) => (isRoundCount(text) ? null : t('Give a whole number from 1 to 20.')),
  });
  if (typed === undefined || !isRoundCount(typed)) return;
  await showView();
  await resumeCommand(parts, { type: 'rounds', more: Number(typed), feedback: null });
}

function isRoundCount(text: string): boolean {
  return /^\d{1,2}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 20;
}

/** What a run as the composer has it now would be started with; null where a start would have to ask or to refuse. */
export async function warmOptions(
  { controller, keys, consent, stateFolder }: CommandParts,
  chosen: ComposerOptions,
): Promise<{ readonly options: RunOptions; readonly idleMs: number } | null> {
  if (!vscode.workspace.isTrusted || controller.phase !== 'idle' || !consent.covers(chosen)) return null;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const free = freeFolders(folders, controller);
  const folder = folders.length === 1 ? free[0] : free.find(({ uri }) => uri.fsPath === chosen.folder);
  if (folder === undefined) return null;
  const { settings, problems } = settingsOf(folder);
  if (!settings.warmStart || settings.traceWire || problems.length > 0) return null;
  const asked = { task: '', folder: folder.uri.fsPath, chosen, settings, stateFolder: stateFolder() };
  const options = runOptions({ ...asked, secrets: await keys.secrets() });
  return { options, idleMs: settings.idleStopMinutes * 60_000 };
}

/** A run as the composer asks for it; `images` go with it, and `begun` is called when they did. */
export async function runFromView(
  parts: CommandParts,
  task: string,
  options: ComposerOptions,
  images: readonly TaskImage[],
  begun: () => void,
): Promise<void> {
  if (parts.controller.phase !== 'idle') return;
  const folder = await folderToRunIn(parts, options.folder);
  if (folder !== null) await start(parts, folder, task, options, images, begun);
}

async function start(
  parts: CommandParts,
  folder: vscode.WorkspaceFolder,
  task: string,
  chosen: ComposerOptions,
  images: readonly TaskImage[] = [],
  begun: () => void = () => undefined,
): Promise<void> {
  const { settings, problems } = settingsOf(folder);
  const [problem] = problems;
  if (problem !== undefined) return say(settingNotice(problem, t));
  const stateFolder = parts.stateFolder();
  const secrets = await parts.keys.secrets();
  const options = runOptions({ task, folder: folder.uri.fsPath, chosen, settings, stateFolder, secrets });
  await parts.consent.ask(chosen, async () => {
    if (await parts.controller.start({ ...options, ...(images.length === 0 ? {} : { images }) })) begun();
  });
}

/**
 * The folder for a run, one that no run of this window works in; null after the person was told why there is none. Nothing
 * is started in an untrusted window.
 */
export async function folderToRunIn(
  { controller }: CommandParts,
  wanted: string | null = null,
): Promise<vscode.WorkspaceFolder | null> {
  if (!vscode.workspace.isTrusted) {
    await say(untrustedNotice(t));
    return null;
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 0) {
    const virtual = vscode.workspace.workspaceFolders?.[0]?.uri.scheme;
    await say(virtual === undefined ? noFolderNotice(t) : virtualFolderNotice(virtual, t));
    return null;
  }
  const free = freeFolders(folders, controller);
  const [first] = free;
  if (first === undefined) {
    const show = t('Show');
    const picked = await vscode.window.showInformationMessage(t('A run is under way in this window.'), show);
    if (picked === show) await showView();
    return null;
  }
  if (folders.length === 1) return first;
  const chosen = free.find(({ uri }) => uri.fsPath === wanted);
  if (chosen !== undefined) return chosen;
  const picked = await vscode.window.showQuickPick(
    free.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder })),
    { title: t('Which folder is the run to work in?') },
  );
  return picked?.folder ?? null;
}

/** The folders that no run of this window works in. */
export function freeFolders(
  folders: readonly vscode.WorkspaceFolder[],
  { live }: Pick<RunDeck, 'live'>,
): readonly vscode.WorkspaceFolder[] {
  return folders.filter(({ uri }) => !live.some((run) => run.folder === uri.fsPath));
}

/** Shows the Loop view. */
export async function showView(): Promise<void> {
  await vscode.commands.executeCommand('cgloop.loop.focus');
}

/** What the buttons of a notice do, but for what belongs to one run. */
export async function actOn(action: Exclude<NoticeAction, 'waitForFolder'>): Promise<void> {
  switch (action) {
    case 'manageTrust':
      return vscode.commands.executeCommand('workbench.trust.manage');
    case 'openSettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', '@ext:cgloop.claude-gemini-loop');
    case 'openFolder':
      return vscode.commands.executeCommand('vscode.openFolder');
    case 'checkSetup':
      return vscode.commands.executeCommand('cgloop.checkSetup');
    case 'tryDemo':
      return vscode.commands.executeCommand('cgloop.demo');
    default:
      return action satisfies never;
  }
}

/** Tells it as a notification, with its ways out as buttons. */
export async function say({ level, what, fix, actions }: Notice): Promise<void> {
  const items = actions.map((action) => ({ title: titleOf(action), action }));
  const text = `${what} ${fix}`.trim();
  const picked =
    level === 'error'
      ? await vscode.window.showErrorMessage(text, ...items)
      : await vscode.window.showWarningMessage(text, ...items);
  if (picked !== undefined && picked.action !== 'waitForFolder') await actOn(picked.action);
}

function titleOf(action: NoticeAction): string {
  switch (action) {
    case 'manageTrust':
      return t('Manage Workspace Trust');
    case 'openSettings':
      return t('Open Settings');
    case 'openFolder':
      return t('Open Folder');
    case 'checkSetup':
      return t('Check Setup');
    case 'tryDemo':
      return t('Try the Demo');
    case 'waitForFolder':
      return t('Wait and Run');
    default:
      return action satisfies never;
  }
}
