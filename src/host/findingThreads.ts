import fs from 'node:fs/promises';
import * as vscode from 'vscode';
import { runPlace } from '../loop/endedRun.ts';
import { runHeaderOf } from '../session/replay.ts';
import { isOpen } from '../shared/isOpen.ts';
import type { Finding } from '../shared/review.ts';
import { severityName } from '../shared/severityName.ts';
import { fileOf, lineNow, movedBy, type Place, placeBeside } from './findingPlaces.ts';
import { findingMarkdown, findingState } from './findingWords.ts';
import type { RunController } from './runControl.ts';
import { settingsOf } from './windowSettings.ts';
import { nameOf } from './words.ts';

const { t } = vscode.l10n;

/** The id of the comment controller, which menus name too. */
const CONTROLLER = 'cgloop.findings';

/** The findings of the run shown, on the lines of their files: as comment threads and in Problems. */
export interface FindingThreads {
  /** The id of the finding that a thread of ours is about; null for anything else. */
  findingOf(thread: unknown): string | null;
  /** Goes to the open finding after (1) or before (-1) the cursor, and opens its thread. */
  goBeside(by: 1 | -1): Promise<void>;
  dispose(): void;
}

interface Row extends Place {
  readonly finding: Finding;
  readonly uri: vscode.Uri;
  /** Null where comments are not wished. */
  readonly thread: vscode.CommentThread | null;
}

/** Follows the run that the deck shows. One that is only looked at has no files of this machine. */
export function createFindingThreads(
  controller: Pick<RunController, 'shown' | 'view' | 'onDidChange'>,
): FindingThreads {
  const comments = vscode.comments.createCommentController(CONTROLLER, t('Review Findings'));
  const problems = vscode.languages.createDiagnosticCollection('cgloop');
  let rows: readonly Row[] = [];
  let drawn: { readonly runId: string | null; readonly findings: readonly Finding[] } = { runId: null, findings: [] };
  let latest = 0;
  /** The thread that was opened by going to it. */
  let opened: vscode.CommentThread | null = null;

  const clear = (): void => {
    for (const { thread } of rows) thread?.dispose();
    rows = [];
    problems.clear();
  };
  const tellProblems = (uri: vscode.Uri): void => {
    const { inProblems } = wished();
    const here = rows.filter((row) => row.uri.toString() === uri.toString() && isOpen(row.finding));
    problems.set(uri, inProblems ? here.map(problemOf) : []);
  };
  /** `known`: the row as it is drawn; its line has followed the edits, unless the finding was reported anew. */
  const rowOf = (finding: Finding, file: string, lines: readonly string[], known: Row | undefined): Row => {
    const isMoved = known === undefined || known.file !== file || known.finding !== finding;
    const line = isMoved ? lineNow(finding, lines) : known.line;
    const uri = vscode.Uri.file(file);
    if (known !== undefined && known.file !== file) known.thread?.dispose();
    const former = known?.file === file ? known.thread : null;
    const thread = wished().inComments ? (former ?? comments.createCommentThread(uri, rangeOf(line), [])) : null;
    if (thread === null) former?.dispose();
    else if (isMoved) fill(thread, finding, line);
    return { finding, file, line, uri, thread };
  };
  const fill = (thread: vscode.CommentThread, finding: Finding, line: number): void => {
    const { Collapsed } = vscode.CommentThreadCollapsibleState;
    const { Resolved, Unresolved } = vscode.CommentThreadState;
    const reviewer = nameOf(controller.view().agents.review, t);
    thread.range = rangeOf(line);
    thread.label = `${severityName(finding.severity, t)} · ${finding.id} · ${findingState(finding, t)}`;
    thread.canReply = false;
    thread.contextValue = isOpen(finding) ? 'open' : 'settled';
    thread.state = isOpen(finding) ? Unresolved : Resolved;
    if (thread !== opened) thread.collapsibleState = Collapsed;
    thread.comments = [
      {
        author: { name: reviewer },
        body: new vscode.MarkdownString(findingMarkdown(finding, t)),
        mode: vscode.CommentMode.Preview,
      },
    ];
  };
  const draw = async (): Promise<void> => {
    latest += 1;
    const turn = latest;
    const { shown } = controller;
    const run = shown === null || shown.replay ? null : runHeaderOf(shown.events);
    const { inComments, inProblems } = wished();
    const findings = run === null || !(inComments || inProblems) ? [] : controller.view().findings;
    if (drawn.runId !== (run?.id ?? null)) clear();
    drawn = { runId: run?.id ?? null, findings: controller.view().findings };
    const folder = run === null || shown === null ? '' : runPlace(run, shown.events);
    const placed = findings.flatMap((finding) => {
      const file = fileOf(finding, folder);
      return file === null ? [] : [{ finding, file }];
    });
    const texts = await readAll(placed.map(({ file }) => file));
    if (turn !== latest) return;
    const before = new Map(rows.map((row) => [row.finding.id, row]));
    const uris = rows.map(({ uri }) => uri);
    rows = placed.flatMap(({ finding, file }) => {
      const lines = texts.get(file);
      if (lines === undefined) return [];
      const known = before.get(finding.id);
      before.delete(finding.id);
      return [rowOf(finding, file, lines, known)];
    });
    for (const { thread } of before.values()) thread?.dispose();
    for (const uri of [...uris, ...rows.map((row) => row.uri)]) tellProblems(uri);
  };
  const redraw = (): void => void draw().catch(() => undefined);
  const follow = ({ document, contentChanges }: vscode.TextDocumentChangeEvent): void => {
    const file = document.uri.scheme === 'file' ? document.uri.fsPath : null;
    if (file === null || contentChanges.length === 0 || !rows.some((row) => row.file === file)) return;
    let moved = false;
    rows = rows.map((row) => {
      if (row.file !== file) return row;
      const line = lineAfter(row, contentChanges, document);
      if (line === row.line) return row;
      moved = true;
      if (row.thread !== null) row.thread.range = rangeOf(line);
      return { ...row, line };
    });
    if (moved) tellProblems(document.uri);
  };
  /** The disk may have changed while no editor held the file. */
  const anchor = (document: vscode.TextDocument): void => {
    if (document.uri.scheme !== 'file' || !rows.some(({ file }) => file === document.uri.fsPath)) return;
    const lines = linesOf(document);
    rows = rows.map((row) => {
      if (row.file !== document.uri.fsPath) return row;
      const line = lineNow(row.finding, lines);
      if (row.thread !== null && line !== row.line) row.thread.range = rangeOf(line);
      return { ...row, line };
    });
    tellProblems(document.uri);
  };
  const goTo = async (row: Row): Promise<void> => {
    const position = new vscode.Position(row.line, 0);
    const selection = new vscode.Selection(position, position);
    if (opened !== null && opened !== row.thread)
      opened.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    await vscode.window.showTextDocument(row.uri, { selection });
    opened = row.thread;
    if (opened !== null) opened.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
  };
  const subscription = vscode.Disposable.from(
    comments,
    problems,
    {
      dispose: controller.onDidChange(() => {
        const { shown } = controller;
        const runId = shown === null || shown.replay ? null : shown.id;
        if (runId !== drawn.runId || controller.view().findings !== drawn.findings) redraw();
      }),
    },
    vscode.workspace.onDidChangeTextDocument(follow),
    vscode.workspace.onDidOpenTextDocument(anchor),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('cgloop.findingsInEditor')) {
        clear();
        redraw();
      }
    }),
  );
  redraw();

  return {
    findingOf: (thread) => rows.find((row) => row.thread !== null && row.thread === thread)?.finding.id ?? null,
    async goBeside(by) {
      const editor = vscode.window.activeTextEditor;
      const at = editor?.document.uri.scheme === 'file' ? editor : undefined;
      const from = at === undefined ? null : { file: at.document.uri.fsPath, line: at.selection.active.line };
      const open = rows.filter(({ finding }) => isOpen(finding));
      const row = placeBeside(open, from, by);
      if (row === null) await vscode.window.showInformationMessage(t('No finding of the run shown is open on a line.'));
      else await goTo(row);
    },
    dispose() {
      latest += 1;
      clear();
      subscription.dispose();
    },
  };
}

function wished(): { readonly inComments: boolean; readonly inProblems: boolean } {
  const { findingsInEditor: where } = settingsOf(null).settings;
  return {
    inComments: where === 'both' || where === 'comments',
    inProblems: where === 'both' || where === 'problems',
  };
}

const SEVERITIES = {
  blocker: vscode.DiagnosticSeverity.Error,
  major: vscode.DiagnosticSeverity.Warning,
  minor: vscode.DiagnosticSeverity.Information,
  nit: vscode.DiagnosticSeverity.Hint,
} as const;

function problemOf({ finding, line, uri }: Row): vscode.Diagnostic {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  const text = document !== undefined && line < document.lineCount ? document.lineAt(line) : null;
  const range =
    text === null
      ? rangeOf(line)
      : new vscode.Range(line, text.firstNonWhitespaceCharacterIndex, line, text.text.length);
  const problem = new vscode.Diagnostic(range, finding.title, SEVERITIES[finding.severity]);
  problem.source = t('Claude–Gemini Loop');
  problem.code = finding.id;
  return problem;
}

function rangeOf(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 0);
}

/** Where the row's line is after the changes, which all speak of the text before them, the last one in it first. */
function lineAfter(
  row: Row,
  changes: readonly vscode.TextDocumentContentChangeEvent[],
  document: vscode.TextDocument,
): number {
  let { line } = row;
  let isRewritten = false;
  for (const { range, text } of changes.toSorted((a, b) => b.rangeOffset - a.rangeOffset)) {
    const { start, end } = range;
    const breaks = text.split('\n').length - 1;
    if (start.line < end.line && breaks > 0 && start.line <= row.line && row.line <= end.line) isRewritten = true;
    line = movedBy(line, { first: start.line, column: start.character, last: end.line, breaks });
  }
  // Lines that were replaced as one, as when a file is read anew: its text tells where it is among them.
  return isRewritten ? lineNow({ ...row.finding, line: line + 1 }, linesOf(document)) : line;
}

function linesOf(document: vscode.TextDocument): string[] {
  return document.getText().split(/\r?\n/);
}

/** The lines of files as the editor has them, else as they lie on disk; what cannot be read is left out. */
async function readAll(files: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = new Map<string, readonly string[]>();
  for (const file of new Set(files)) {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file);
    if (document !== undefined) texts.set(file, linesOf(document));
    else {
      const text = await fs.readFile(file, 'utf8').catch(() => null);
      if (text !== null) texts.set(file, text.split(/\r?\n/));
    }
  }
  return texts;
}
