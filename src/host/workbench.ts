import * as vscode from 'vscode';
import { agentIds, agentRef, installedAgents } from '../agent/catalog.ts';
import type { RunOptions } from '../loop/options.ts';
import type { WarmAgents } from '../loop/warmAgents.ts';
import { readRun } from '../session/replay.ts';
import { listRuns } from '../session/runs.ts';
import { ownStateFolder } from '../session/stateFolder.ts';
import type { HostState, HostToView, ViewToHost } from '../shared/messages.ts';
import { createOfferBook, type OfferBook } from './agentOffers.ts';
import { watchChangedSince } from './changedSince.ts';
import { createChangesEditor } from './changesEditor.ts';
import { type CheckBook, createCheckBook } from './checkBook.ts';
import { chooseAgentsCommand, swapAgentsCommand } from './chooseAgents.ts';
import type { CommandName } from './commandNames.ts';
import {
  actOn,
  type CommandParts,
  continueRoundsCommand,
  freeFolders,
  openLink,
  openLog,
  openLogCommand,
  resumeCommand,
  runCommand,
  runFromView,
  showView,
  undoCommand,
  warmOptions,
} from './commands.ts';
import { createComposer } from './composer.ts';
import { type Consent, createConsent } from './consent.ts';
import { continuable, continueInTerminalCommand } from './continueInTerminal.ts';
import { demoCommand } from './demo.ts';
import { hostStateOf, type WindowFacts } from './hostState.ts';
import { createKeys } from './keys.ts';
import { runToOpen } from './lastRun.ts';
import { attachLoopView } from './loopView.ts';
import { folderPaths, offeredRuns, rowOf } from './pickRun.ts';
import { createQuestions } from './questions.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { createReviewActions } from './reviewActions.ts';
import { rulesCommand } from './rules.ts';
import { createRunController, type RunController } from './runController.ts';
import { createRunDeck, type RunDeck } from './runDeck.ts';
import { runRow } from './runRows.ts';
import type { RunRow, RunsTree } from './runsTree.ts';
import {
  actOnSetup,
  checkSetupCommand,
  clearKeysCommand,
  dependencies,
  type SetupParts,
  setGeminiKeyCommand,
  signInCommand,
  windowCheck,
} from './setup.ts';
import type { SetupCheck } from './setupCheck.ts';
import { createShownTexts, insertText } from './shownTexts.ts';
import { statusOf } from './status.ts';
import { watchUserEdits } from './userEdits.ts';
import { settingsOf } from './windowSettings.ts';

/** Everything of ours in one window, built on the first use. */
export interface Workbench {
  readonly showIn: (view: vscode.WebviewView) => void;
  /** Carries out a command and tells its faults. `args`: what VS Code gives to it. */
  readonly run: (command: CommandName, args: readonly unknown[]) => Promise<void>;
  /** The rows of the Runs view. */
  readonly runRows: () => Promise<readonly RunRow[]>;
  /** Shows the run of this folder in the Loop view. */
  readonly showRun: (directory: string) => Promise<void>;
  /** Ends the agents of a run, which then opens as interrupted, within the time that VS Code grants. */
  readonly close: () => Promise<void>;
}

const FRAME_MS = 16;
/** VS Code ends the extension host five seconds after it asks for an end. */
const CLOSE_MS = 4500;
const SHOWN_RUN = 'shownRun';

/** Builds it. Starts no process and no run. */
export function createWorkbench(context: vscode.ExtensionContext, tree: RunsTree): Workbench {
  const offers = createOfferBook();
  const warm = lazyWarmAgents(offers);
  const controller = createRunDeck(() => createController(warm));
  const runsFolder = ownStateFolder;
  const keys = createKeys(context.secrets);
  const check = windowCheck(keys, runsFolder);
  const consent = createConsent(context.globalState);
  const checks = createCheckBook(runsFolder);
  const composer = createComposer({ consent, stateFolder: runsFolder, showView });
  const parts: CommandParts = { controller, keys, consent, stateFolder: runsFolder };
  const setup: SetupParts = { keys, check, stateFolder: runsFolder };
  const changed = new vscode.EventEmitter<void>();
  const fire = () => changed.fire();
  let installed: WindowFacts['installed'] = new Map();
  const glance = () => {
    void check.glance().catch(tellFault);
    void lookForAgents(runsFolder)
      .then((found) => {
        installed = found;
        fire();
      })
      .catch(tellFault);
    lookAtChecks();
  };
  const lookAtChecks = () => void lookForChecks(checks).catch(tellFault);
  const restored = restore(context, controller, runsFolder);
  // A state folder that is wrongly set is told by whoever opens the last run.
  void tellOrphans(runsFolder).catch(() => undefined);
  keepStatus(context, controller, tree);
  let loop: vscode.WebviewView | null = null;
  const questions = createQuestions({
    deck: controller,
    stateFolder: runsFolder,
    showView,
    isViewVisible: () => loop?.visible === true,
    onFault: tellFault,
  });
  const texts = createShownTexts(controller);
  const changes = createChangesEditor(runsFolder);
  const review = createReviewActions({ ...parts, changes });
  const since = watchChangedSince(controller, runsFolder);
  context.subscriptions.push(
    changed,
    questions,
    texts,
    changes,
    since,
    { dispose: since.onDidChange(fire) },
    watchUserEdits(controller.noteUserEdit),
    composer,
    { dispose: check.onDidChange(fire) },
    { dispose: offers.onDidChange(fire) },
    { dispose: consent.onDidChange(fire) },
    { dispose: checks.onDidChange(fire) },
    // A run that ends may have confirmed some.
    {
      dispose: controller.onDidChange((change) => change === 'state' && controller.phase === 'idle' && lookAtChecks()),
    },
    vscode.workspace.onDidGrantWorkspaceTrust(glance),
    vscode.workspace.onDidGrantWorkspaceTrust(fire),
    vscode.workspace.onDidChangeWorkspaceFolders(fire),
    vscode.workspace.onDidChangeWorkspaceFolders(lookAtChecks),
    vscode.workspace.onDidSaveTextDocument(lookAtChecks),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('cgloop')) return;
      fire();
      glance();
    }),
  );

  const commands: Readonly<Record<CommandName, (...args: readonly unknown[]) => Promise<void>>> = {
    run: () => runCommand(parts),
    stop: async () => controller.stop(),
    pause: async () => controller.pause(!controller.pauseWanted),
    continueRounds: () => continueRoundsCommand(parts),
    approve: (uri) => questions.decide('approve', uri instanceof vscode.Uri ? uri : undefined),
    deny: (uri) => questions.decide('deny', uri instanceof vscode.Uri ? uri : undefined),
    showWaiting: questions.showWaiting,
    undo: async () => {
      await restored;
      await undoCommand(parts);
    },
    newRun: async () => controller.showNew(),
    openLog: () => openLogCommand(parts),
    runOnSelection: () => composer.mentionSelection(),
    runOnFile: (uri, all) => composer.mentionFiles(urisOf(uri, all)),
    swapAgents: swapAgentsCommand,
    chooseAgents: chooseAgentsCommand,
    demo: () => demoCommand(parts),
    checkSetup: () => checkSetupCommand(setup),
    signIn: () => signInCommand(setup),
    setGeminiKey: () => setGeminiKeyCommand(setup),
    clearKeys: () => clearKeysCommand(setup),
    continueInTerminal: () => continueInTerminalCommand(parts),
    replay: () => replayCommand(parts),
    report: () => reportCommand(parts, check),
    rules: () => rulesCommand(parts.stateFolder),
  };
  const act = async (
    message: Exclude<ViewToHost, { readonly type: 'ready' }>,
    reply: (message: HostToView) => void,
  ): Promise<void> => {
    switch (message.type) {
      case 'run':
        return runFromView(parts, message.task, message.options, composer.images(), composer.clearImages);
      case 'warm': {
        lookAtChecks();
        const asked = await warmOptions(parts, message.options);
        if (asked !== null) await warm.warm(asked.options, asked.idleMs);
        return;
      }
      case 'complete':
      case 'askTasks':
      case 'addImage':
      case 'removeImage':
      case 'dropped':
      case 'consent':
        return composer.act(message, reply);
      case 'resume':
        return resumeCommand(parts, { type: 'goOn', feedback: message.feedback });
      case 'continueRounds':
        return resumeCommand(parts, { type: 'rounds', more: message.rounds, feedback: message.feedback });
      case 'reviewAgain':
        return resumeCommand(parts, { type: 'review', reviewer: message.reviewer });
      case 'pause':
        return controller.pause(message.wanted);
      case 'proceed':
        controller.proceed(message.feedback);
        return;
      case 'note':
        controller.note(message.text);
        return;
      case 'answer':
        return questions.answer(message.permissionId, message.answer);
      case 'openDiff':
        return questions.openDiff(message.permissionId);
      case 'stop':
      case 'newRun':
        return commands[message.type]();
      case 'previewUndo':
      case 'undo':
      case 'decide':
      case 'ask':
      case 'openChanges':
      case 'commit':
      case 'export':
      case 'settleWorktree':
        return review.act(message, reply);
      case 'openLog':
        return controller.shown === null ? commands.openLog() : openLog(controller.shown.directory);
      case 'openFile':
        return openLink(parts, message.path, message.line);
      case 'openPart':
        return texts.openPart(message.id, message.part);
      case 'openTerminal':
        return texts.openTerminal(message.terminalId);
      case 'openCheck':
        return texts.openCheck(message.checkId);
      case 'copyText':
        return vscode.env.clipboard.writeText(message.text);
      case 'insertText':
        return insertText(message.text);
      case 'act':
        if (message.action !== 'waitForFolder') return actOn(message.action);
        await controller.startWhenFree();
        return;
      case 'continueInTerminal':
        return commands.continueInTerminal();
      case 'doctor':
        switch (message.action.type) {
          case 'check':
            await check.check();
            return;
          case 'close':
            check.close();
            return;
          default:
            return actOnSetup(setup, message.action);
        }
      default:
        return message satisfies never;
    }
  };

  return {
    run: (command, args) => commands[command](...args).catch(tellFault),
    async runRows() {
      const runs = offeredRuns(await listRuns(runsFolder()), await folderPaths());
      return runs.map((run) => runRow(run, rowOf(run)));
    },
    async showRun(directory) {
      await controller.showRun(directory);
      await showView();
    },
    showIn(view) {
      loop = view;
      view.onDidChangeVisibility(questions.visibilityChanged);
      view.onDidDispose(() => {
        if (loop === view) loop = null;
        questions.visibilityChanged();
      });
      glance();
      attachLoopView(view, {
        extensionUri: context.extensionUri,
        controller,
        state: () => windowState(controller, check, { consent, offers, installed, checks, changedSince: since.files }),
        onDidChangeState: changed.event,
        act: (message, reply) => void act(message, reply).catch(tellFault),
        attach: composer.attach,
      });
    },
    async close() {
      const gone = Promise.all([controller.abandon(), warm.dispose()]);
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, CLOSE_MS))]);
    },
  };
}

/** What the Explorer gives to a command: the file under the pointer, and all that are selected. */
function urisOf(uri: unknown, all: unknown): vscode.Uri[] {
  const several = Array.isArray(all) ? all.filter((one) => one instanceof vscode.Uri) : [];
  return several.length > 0 ? several : uri instanceof vscode.Uri ? [uri] : [];
}

/** Loaded on the first use: a window in which nothing is written starts nothing, and waits for nothing. */
function lazyWarmAgents(offers: OfferBook) {
  let agents: Promise<WarmAgents> | null = null;
  return {
    loaded: (): Promise<WarmAgents | null> => agents ?? Promise.resolve(null),
    async warm(options: RunOptions, idleMs: number): Promise<void> {
      const { servicesFor } = await import('./runServices.ts');
      agents ??= import('../loop/warmAgents.ts').then(({ createWarmAgents }) =>
        createWarmAgents({
          after: (ms, callback) => {
            const timer = setTimeout(callback, ms);
            return () => clearTimeout(timer);
          },
          onOffer: offers.heard,
        }),
      );
      (await agents).warm(options, servicesFor(options.folder), idleMs);
    },
    async dispose(): Promise<void> {
      await (await agents)?.dispose();
    },
  };
}

function createController(warm: ReturnType<typeof lazyWarmAgents>): RunController {
  return createRunController({
    startRun: async (options, cancel) => {
      const { startRun } = await import('../loop/startRun.ts');
      const { servicesFor } = await import('./runServices.ts');
      return startRun(options, cancel, servicesFor(options.folder), await warm.loaded());
    },
    undoRun: async (options) => (await import('../loop/undoRun.ts')).undoRun(options),
    previewUndo: async (options) => (await import('../loop/undoRun.ts')).previewUndo(options),
    decideAfterwards: async (asked) => (await import('../loop/decideFinding.ts')).decideAfterwards(asked),
    askAfterwards: async (asked) => (await import('../loop/decideFinding.ts')).askAfterwards(asked),
    readRun,
    nextFrame: (callback) => {
      const timer = setTimeout(callback, FRAME_MS);
      return () => clearTimeout(timer);
    },
  });
}

/** Which agents' programs are where those of the chosen ones are looked for. Starts nothing in an untrusted window. */
async function lookForAgents(runsFolder: () => string): Promise<WindowFacts['installed']> {
  if (!vscode.workspace.isTrusted) return new Map();
  const { executor, reviewer, agents } = settingsOf(vscode.workspace.workspaceFolders?.[0] ?? null).settings;
  return installedAgents(agentIds(agents), await dependencies([executor, reviewer], runsFolder()));
}

/** The checks of the open folders; nothing of an untrusted one is looked at. */
async function lookForChecks(checks: CheckBook): Promise<void> {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const onDisk = folders.filter(({ uri }) => uri.scheme === 'file');
  await checks.look(new Map(onDisk.map((folder) => [folder.uri.fsPath, settingsOf(folder).settings.checks])));
}

function windowState(
  controller: RunController,
  check: SetupCheck,
  told: {
    readonly consent: Consent;
    readonly offers: OfferBook;
    readonly installed: WindowFacts['installed'];
    readonly checks: CheckBook;
    readonly changedSince: number;
  },
): HostState {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const { settings, problems } = settingsOf(folders[0] ?? null);
  const ids = agentIds(settings.agents);
  return hostStateOf(
    controller,
    {
      trusted: vscode.workspace.isTrusted,
      folders: folders.map(({ name, uri }) => ({ name, path: uri.fsPath })),
      settings,
      settingProblems: problems,
      doctor: check.card,
      hasSession: continuable(controller.shown?.events ?? []).length > 0,
      agents: ids.flatMap((id) => agentRef(id, settings.agents) ?? []),
      installed: told.installed,
      offers: told.offers.of(ids, settings.agents),
      consent: told.consent.state,
      checks: told.checks.found,
      changedSince: told.changedSince,
      words: vscode.l10n.bundle ?? {},
      language: vscode.env.language,
    },
    vscode.l10n.t,
  );
}

/** Ends what a window or a program that was killed has left at work, and says so. */
async function tellOrphans(runsFolder: () => string): Promise<void> {
  const { endOrphans } = await import('../workspace/orphans.ts');
  const { t } = vscode.l10n;
  for (const { name, pid } of await endOrphans(runsFolder())) {
    const text = t('{0} (process {1}) was still at work for a run that was killed: it was ended.', name, pid);
    void vscode.window.showInformationMessage(text);
  }
}

/** Opens from disk what this window showed last, and remembers what it shows. */
async function restore(
  context: vscode.ExtensionContext,
  controller: RunController,
  runsFolder: () => string,
): Promise<void> {
  const remembered = context.workspaceState.get<string | null>(SHOWN_RUN);
  let known = remembered;
  const unsubscribe = controller.onDidChange((change) => {
    const id = controller.shown?.id ?? null;
    // While agents are being started no run is shown yet, and the last one is still the one to open.
    // What is only looked at is not what the window was at.
    if (controller.shown?.replay === true) return;
    if (change !== 'state' || controller.phase === 'starting' || id === known) return;
    known = id;
    void context.workspaceState.update(SHOWN_RUN, id);
  });
  context.subscriptions.push({ dispose: unsubscribe });
  try {
    const run = runToOpen(await listRuns(runsFolder()), await folderPaths(), remembered);
    if (run !== null && controller.shown === null) await controller.open(run.directory);
  } catch (error) {
    tellFault(error);
  }
}

/** The status bar item, the badge, and the context keys that commands and menus depend on. */
function keepStatus(context: vscode.ExtensionContext, controller: RunDeck, tree: RunsTree): void {
  const item = vscode.window.createStatusBarItem('cgloop.status', vscode.StatusBarAlignment.Left, 0);
  item.name = vscode.l10n.t('Claude–Gemini Loop');
  const keys = new Map<string, boolean>();
  const setKey = (key: string, value: boolean) => {
    if (keys.get(key) === value) return;
    keys.set(key, value);
    void vscode.commands.executeCommand('setContext', `cgloop.${key}`, value);
  };
  let counted = 0;
  const update = () => {
    const waiting = controller.waiting().length;
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    setKey('running', controller.phase !== 'idle');
    setKey('busy', folders.length > 0 && freeFolders(folders, controller).length === 0);
    setKey('waiting', waiting > 0);
    setKey('canUndo', controller.canUndo);
    setKey('canResume', controller.canResume);
    setKey('paused', controller.view().paused !== null);
    setKey('shown', controller.shown !== null);
    if (waiting !== counted) tree.setWaiting(waiting);
    counted = waiting;
    // Where the run shown is at rest, another one may be at work.
    const run = controller.phase === 'idle' ? (controller.live[0] ?? controller) : controller;
    const status = statusOf(run.view(), run.phase, vscode.l10n.t, waiting);
    item.command = waiting > controller.view().waiting.length ? 'cgloop.showWaiting' : 'cgloop.loop.focus';
    if (status === null) return item.hide();
    item.text = status.text;
    item.tooltip = status.tooltip;
    item.backgroundColor = status.waits ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  };
  context.subscriptions.push(
    item,
    { dispose: controller.onDidChangeAny(update) },
    {
      dispose: controller.onDidChangeAny((change) => {
        if (change === 'state') tree.refresh();
      }),
    },
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      update();
      tree.refresh();
    }),
  );
}

/** Faults that nobody foresaw are told, with their own words, instead of being lost. */
function tellFault(error: unknown): void {
  void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
}
