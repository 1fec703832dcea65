import * as vscode from 'vscode';
import { ownStateFolder } from '../session/stateFolder.ts';
import { createOfferBook } from './agentOffers.ts';
import { watchChangedSince } from './changedSince.ts';
import { createChangesEditor } from './changesEditor.ts';
import { createCheckBook } from './checkBook.ts';
import { chooseAgentsCommand, swapAgentsCommand } from './chooseAgents.ts';
import type { CommandName } from './commandNames.ts';
import { type CommandParts, continueRoundsCommand, runCommand, showView } from './commands.ts';
import { createComposer } from './composer.ts';
import { createConsent } from './consent.ts';
import { continueInTerminalCommand } from './continueInTerminal.ts';
import { demoCommand } from './demo.ts';
import { tellFault } from './faults.ts';
import { askFindingCommand, dismissFindingCommand, fixFindingCommand } from './findingCommands.ts';
import { createFindingThreads } from './findingThreads.ts';
import { followRun } from './followRun.ts';
import type { WindowFacts } from './hostState.ts';
import { createKeys } from './keys.ts';
import { createController, lazyWarmAgents } from './lazyRuns.ts';
import { lookForAgents, lookForChecks } from './lookAround.ts';
import { attachLoopView, type PagePlace } from './loopView.ts';
import { openLogCommand } from './openFiles.ts';
import { createPageMessages } from './pageMessages.ts';
import { createQuestions } from './questions.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { restoreRun, tellOrphans } from './restoreRun.ts';
import { createReviewActions } from './reviewActions.ts';
import { reviewChangesCommand } from './reviewChanges.ts';
import { rowCommands } from './rowCommands.ts';
import { rulesCommand } from './rules.ts';
import { createRunDeck } from './runDeck.ts';
import { createRunList } from './runList.ts';
import { createRunPanel } from './runPanel.ts';
import type { RunGroup, RunsTree } from './runsTree.ts';
import {
  checkSetupCommand,
  clearKeysCommand,
  type SetupParts,
  setGeminiKeyCommand,
  signInCommand,
  windowCheck,
} from './setup.ts';
import { createShownTexts } from './shownTexts.ts';
import { keepStatus } from './statusItem.ts';
import { undoCommand, undoRoundCommand } from './undoCommands.ts';
import { watchUserEdits } from './userEdits.ts';
import { windowState } from './windowState.ts';

/** Everything of ours in one window, built on the first use. */
export interface Workbench {
  readonly showIn: (view: vscode.WebviewView) => void;
  /** In an editor panel that VS Code has restored. */
  readonly showInPanel: (panel: vscode.WebviewPanel) => void;
  /** Carries out a command and tells its faults. `args`: what VS Code gives to it. */
  readonly run: (command: CommandName, args: readonly unknown[]) => Promise<void>;
  /** What the Runs view shows. */
  readonly runGroups: () => Promise<readonly RunGroup[]>;
  /** Shows the run of this folder in the Loop view. */
  readonly showRun: (directory: string) => Promise<void>;
  /** Ends the agents of a run, which then opens as interrupted, within the time that VS Code grants. */
  readonly close: () => Promise<void>;
}

/** VS Code ends the extension host five seconds after it asks for an end. */
const CLOSE_MS = 4500;

/** Builds it. Starts no process and no run. */
export function createWorkbench(context: vscode.ExtensionContext, tree: RunsTree): Workbench {
  const offers = createOfferBook();
  const warm = lazyWarmAgents(offers);
  const controller = createRunDeck(() => createController(warm, vscode.l10n.t));
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
  let looks = 0;
  const glance = () => {
    void check.glance().catch(tellFault);
    looks += 1;
    const turn = looks;
    void lookForAgents(runsFolder)
      .then((found) => {
        // One that began later knows better.
        if (turn !== looks) return;
        installed = found;
        fire();
      })
      .catch(tellFault);
    lookAtChecks();
  };
  const lookAtChecks = () => void lookForChecks(checks).catch(tellFault);
  const restored = restoreRun(context, controller, runsFolder, Date.now);
  // A state folder that is wrongly set is told by whoever opens the last run.
  void tellOrphans(runsFolder).catch(() => undefined);
  keepStatus(context, controller, tree);
  let loop: vscode.WebviewView | null = null;
  const questions = createQuestions({
    deck: controller,
    stateFolder: runsFolder,
    showView,
    isViewVisible: () => loop?.visible === true || editor.visible,
    onFault: tellFault,
  });
  const texts = createShownTexts(controller);
  const changes = createChangesEditor(runsFolder);
  const review = createReviewActions({ ...parts, changes });
  const list = createRunList({
    tree,
    stateFolder: runsFolder,
    isOwn: (directory) => controller.live.some(({ shown }) => shown?.directory === directory),
    now: Date.now,
  });
  const threads = createFindingThreads(controller);
  const findings = { threads, review };
  const since = watchChangedSince(controller, runsFolder);
  context.subscriptions.push(
    changed,
    questions,
    texts,
    changes,
    threads,
    list,
    followRun(controller, tellFault),
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
    reviewChanges: (source) => reviewChangesCommand(parts, 'review', source),
    fixChanges: (source) => reviewChangesCommand(parts, 'fix', source),
    stop: async () => controller.stop(),
    pause: async () => controller.pause(!controller.pauseWanted),
    continueRounds: () => continueRoundsCommand(parts),
    nextFinding: () => threads.goBeside(1),
    previousFinding: () => threads.goBeside(-1),
    fixFinding: (thread) => fixFindingCommand(findings, thread),
    dismissFinding: (thread) => dismissFindingCommand(findings, thread),
    askFinding: (thread) => askFindingCommand(findings, thread),
    approve: (uri) => questions.decide('approve', uri instanceof vscode.Uri ? uri : undefined),
    deny: (uri) => questions.decide('deny', uri instanceof vscode.Uri ? uri : undefined),
    showWaiting: questions.showWaiting,
    undo: async () => {
      await restored;
      await undoCommand(parts, { type: 'run' });
    },
    undoRound: () => undoRoundCommand(parts, 'round'),
    goBack: () => undoRoundCommand(parts, 'before'),
    redo: () => undoCommand(parts, { type: 'redo' }),
    commit: review.commit,
    ...rowCommands({
      parts,
      list,
      tree,
      changes,
      open: () => {
        glance();
        editor.open();
      },
    }),
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
  const act = createPageMessages({
    parts,
    setup,
    warm,
    composer,
    questions,
    review,
    texts,
    run: (command) => commands[command](),
    lookAtChecks,
  });

  const attach = (place: PagePlace): void =>
    attachLoopView(place, {
      extensionUri: context.extensionUri,
      controller,
      state: () => windowState(controller, check, { consent, offers, installed, checks, changedSince: since.files }),
      onDidChangeState: changed.event,
      act: (message, reply) => void act(message, reply).catch(tellFault),
      attach: composer.attach,
    });
  const editor = createRunPanel(context, controller, attach, questions.visibilityChanged);
  context.subscriptions.push(editor);

  return {
    run: (command, args) => commands[command](...args).catch(tellFault),
    runGroups: list.groups,
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
      attach(view);
    },
    showInPanel(panel) {
      glance();
      editor.restore(panel);
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
