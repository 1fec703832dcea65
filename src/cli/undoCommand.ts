import { type Command, Option } from 'commander';
import { previewUndo, type UndoPreview, type UndoResult, undoRun } from '../loop/undoRun.ts';
import type { FileChange } from '../shared/fileEvents.ts';
import type { UndoScope } from '../shared/roundEvents.ts';
import { changes, count } from '../shared/runWords.ts';
import { type ConflictWay, leftInConflict, type UndoConflict, type UndoOutcome } from '../shared/undo.ts';
import { RUN_ID, whole, wrong } from './optionKinds.ts';
import { safeLine } from './terminalText.ts';

/** `cgloop undo` as it was asked for. */
export interface UndoArguments {
  readonly run: string;
  readonly scope: UndoScope;
  /** Absolute, or relative to the run's folder; null: all. */
  readonly files: readonly string[] | null;
  readonly conflicts: ConflictWay;
  /** Only told, not done. */
  readonly preview: boolean;
}

interface Raw {
  readonly round?: number;
  readonly before?: number;
  readonly after?: number;
  readonly redo: boolean;
  readonly file?: readonly string[];
  readonly conflicts: ConflictWay;
  readonly preview: boolean;
}

/** What can be said of conflicts. */
export const CONFLICT_WAYS = ['leave', 'mark', 'take'] as const satisfies readonly ConflictWay[];

/** What the command asks for. */
export type UndoInvocation = { readonly type: 'undo'; readonly asked: UndoArguments };

/** Adds `cgloop undo`. */
export function addUndoCommand(program: Command, found: (invocation: UndoInvocation) => void): void {
  const round = whole(1, 10_000);
  program
    .command('undo')
    .description('put the folder of a run back as it was before the run, or take back a part of it')
    .argument('<run>', RUN_ID)
    .addOption(new Option('--round <number>', 'only what this round changed').argParser(round))
    .addOption(new Option('--before <number>', 'this round and all later ones').argParser(round))
    .addOption(new Option('--after <number>', 'all rounds after this one: the folder as it left it').argParser(round))
    .option('--redo', 'take the last undoing back', false)
    .option('--file <path...>', "only these files or folders, relative to the run's folder")
    .addOption(
      new Option(
        '--conflicts <way>',
        'files that changed since on the same lines: left, marked in the text, or put back',
      )
        .choices(CONFLICT_WAYS)
        .default('leave'),
    )
    .option('--preview', 'only say what it would do', false)
    .action((run: string, { file, conflicts, preview, ...raw }: Raw) => {
      const asked = { run, scope: scopeOf(raw), files: file ?? null, conflicts, preview };
      if (asked.scope.type === 'redo' && asked.files !== null)
        throw wrong('--redo brings back everything: leave --file out.');
      found({ type: 'undo', asked });
    });
}

function scopeOf({ round, before, after, redo }: Pick<Raw, 'round' | 'before' | 'after' | 'redo'>): UndoScope {
  const given: UndoScope[] = [
    ...(round === undefined ? [] : [{ type: 'round', round } as const]),
    ...(before === undefined ? [] : [{ type: 'before', round: before } as const]),
    ...(after === undefined ? [] : [{ type: 'after', round: after } as const]),
    ...(redo ? [{ type: 'redo' } as const] : []),
  ];
  if (given.length > 1) throw wrong('Give one of --round, --before, --after and --redo.');
  return given[0] ?? { type: 'run' };
}

/** Does it, or tells what it would do; the exit code is 1 where it could not be done, or only in part. */
export async function undo(
  { run, scope, files, conflicts, preview }: UndoArguments,
  stateFolder: string,
): Promise<{ readonly text: string; readonly code: number }> {
  const options = { run, stateFolder, scope, conflicts, ...(files === null ? {} : { files }) };
  const result = preview ? await previewUndo(options) : await undoRun(options);
  if (result.type === 'problem') return { text: `${result.message}\n`, code: 1 };
  const isPart = result.type === 'undone' && leftInConflict(result.conflicts, conflicts).length > 0;
  return { text: renderUndo(result, conflicts), code: isPart ? 1 : 0 };
}

/** What an undoing did, or would do; `way`: what was said of conflicts. */
export function renderUndo(
  result: Exclude<UndoResult | UndoPreview, { readonly type: 'problem' }>,
  way: ConflictWay = 'leave',
): string {
  const { folder, files } = result;
  const place = safeLine(folder);
  const state = stateWords(result.scope);
  const would = result.type === 'preview';
  const isSame = files.length === 0 && result.ignored.length === 0;
  const { only } = result;
  const subject = only === undefined ? place : `In ${place}, ${only.map(safeLine).join(', ')}`;
  const [is, was] = only !== undefined && only.length > 1 ? ['are', 'were'] : ['is', 'was'];
  const isPart = leftInConflict(result.conflicts, way).length > 0;
  const same = isPart
    ? `Nothing ${would ? 'would be' : 'was'} put back in ${place}: all of it is in conflict with what changed since.\n`
    : `${subject} ${would ? is : was} already ${state}.\n`;
  const head = isSame
    ? same
    : `${subject} ${would ? 'would be' : is} ${state}${isPart ? ', but for what is in conflict' : ''} (${changes(files)}).\n`;
  const saved =
    result.type === 'preview' || isSame ? '' : `What stood there is kept as checkpoint ${result.replaced.id}.\n`;
  return [head, ...files.map((file) => fileLine(file)), saved, ...otherLines(result, way), findingLines(result)].join(
    '',
  );
}

function stateWords(scope: UndoScope): string {
  switch (scope.type) {
    case 'run':
      return 'as before the run';
    case 'before':
      return `as before round ${scope.round}`;
    case 'after':
      return `as after round ${scope.round}`;
    case 'round':
      return `without what round ${scope.round} changed`;
    case 'redo':
      return 'as before the last undoing';
    default:
      return scope satisfies never;
  }
}

/** What becomes of a file, in one word of the same width each. */
export type FileMarks = Readonly<Record<FileChange['status'], string>>;

const MARKS: FileMarks = { added: 'back   ', modified: 'changed', deleted: 'removed', typeChanged: 'changed' };

/** One file and what becomes of it. */
export function fileLine({ path, status, added, removed }: FileChange, marks: FileMarks = MARKS): string {
  const lines = added === null || removed === null ? 'binary' : `+${added} −${removed}`;
  return `  ${marks[status]}  ${safeLine(path)}  ${lines}\n`;
}

function otherLines(
  { kept, merged, mixed, conflicts, ignored, beyond }: UndoOutcome,
  way: ConflictWay,
): readonly string[] {
  return [
    listOf('Ignored by git, and put back too:', ignored),
    listOf('You changed these too, and your part is in that checkpoint only:', mixed),
    listOf('Changed since; both changes were put together:', merged),
    listOf('Left as it is, because you alone changed it during the run:', kept),
    conflictLines('In conflict with what changed since', conflicts, way),
    listOf('Not undone: what these commands did outside the files of the folder:', beyond.commands),
    listOf(
      "Not undone: the agent's commits, which your branch still has:",
      beyond.commits.map(({ id, subject }) => `${id.slice(0, 10)} ${subject}`),
    ),
    listOf('Not looked at: git repositories of their own inside the folder:', beyond.nested ?? []),
  ];
}

/** Paths under a heading, a line each; empty for none. */
export function listOf(head: string, paths: readonly string[]): string {
  return paths.length === 0 ? '' : `${head}\n${paths.map((path) => `  ${safeLine(path)}\n`).join('')}`;
}

/** The conflicts, each with its reason: what `way` made of them, and what else can be said of those that stay. */
export function conflictLines(head: string, conflicts: readonly UndoConflict[], way: ConflictWay): string {
  const left = leftInConflict(conflicts, way);
  const lines = (some: readonly UndoConflict[]) => some.map(({ path, why }) => `${path}  (${CONFLICT_WORDS[why]})`);
  const answered = conflicts.filter((conflict) => !left.includes(conflict));
  return [
    listOf(`${head}, and ${way === 'mark' ? 'marked in the text' : 'taken all the same'}:`, lines(answered)),
    listOf(`${head}, and left as they are${WAYS[way]}:`, lines(left)),
  ].join('');
}

/** What else can be done about the conflicts that stay. */
const WAYS = {
  leave: ' (--conflicts mark writes marks into texts, --conflicts take puts these in their place)',
  mark: ' (--conflicts take puts these in their place)',
  take: ' (something else stands in their place: move it away first)',
} as const satisfies Record<ConflictWay, string>;

const CONFLICT_WORDS = {
  lines: 'the same lines',
  binary: 'no text',
  deleted: 'deleted on one side',
  type: 'a link or a file',
  folder: 'a folder and a file in one place',
  unkept: 'git ignores it, and what stands there cannot be saved first',
} as const satisfies Record<UndoConflict['why'], string>;

function findingLines(result: Exclude<UndoResult | UndoPreview, { readonly type: 'problem' }>): string {
  if (result.type === 'preview' || result.findings.length === 0) return '';
  const { findings, scope } = result;
  const are = `${count(findings.length, 'finding')} ${findings.length === 1 ? 'is' : 'are'}`;
  return `${are} ${scope.type === 'redo' ? 'fixed' : 'open'} again: ${findings.join(', ')}.\n`;
}
