import type { FileChange } from '../shared/fileEvents.ts';
import type { CheckEnd, RoundEventBody } from '../shared/roundEvents.ts';
import { changes, count } from '../shared/runWords.ts';
import { createOutputLines, type OutputLines } from './outputLines.ts';
import type { Style } from './style.ts';
import { safe, safeLine } from './terminalText.ts';

type Of<T extends RoundEventBody['type']> = Extract<RoundEventBody, { readonly type: T }>;

/** The checks of a run, as lines. */
export interface Checks {
  started(event: Of<'check.started'>): readonly string[];
  /** Verbose: the lines that are complete now, as they come. */
  output(event: Of<'check.output'>): readonly string[];
  /** How it ended; when it is red, with its last lines where they have not been printed. */
  ended(event: Of<'check.ended'>): readonly string[];
}

const LAST_LINES = 12;
/** Files of one line. */
const MOST_NAMED = 10;

/** `verbose`: the whole output as it comes, instead of the end of a red one. */
export function createChecks(verbose: boolean, style: Style): Checks {
  const open = new Map<string, { readonly command: string; readonly output: OutputLines }>();
  return {
    started({ checkId, command }) {
      open.set(checkId, { command, output: createOutputLines(verbose, LAST_LINES, style) });
      return verbose ? [`▷ check $ ${safeLine(command)}`] : [];
    },
    output: ({ checkId, text, skipped }) => open.get(checkId)?.output.add(text, skipped) ?? [],
    ended({ checkId, end }) {
      const check = open.get(checkId);
      open.delete(checkId);
      const mark = end.passed ? style.green('✓') : style.red('✗');
      const first = `${mark} check $ ${safeLine(check?.command ?? checkId)}${style.dim(`  ${checkEnd(end)}`)}`;
      const rest = check === undefined || (end.passed && !verbose) ? [] : check.output.rest();
      return [first, ...rest];
    },
  };
}

/** Changed files with their lines, a line each. */
export function fileLines(files: readonly FileChange[]): readonly string[] {
  const marks = { added: 'A', modified: 'M', deleted: 'D', typeChanged: 'T' } as const;
  return files.map(({ path, status, added, removed }) => {
    const lines = added === null ? 'binary' : `+${added} −${removed ?? 0}`;
    return `  ${marks[status]} ${safeLine(path)}  ${lines}`;
  });
}

/** How a check ended, in a few words. */
export function checkEnd({ exitCode, signal, by, problem }: CheckEnd): string {
  if (problem !== undefined) return safe(problem);
  if (by === 'limit') return 'stopped: it took too long';
  if (by === 'stop') return 'stopped with the run';
  return signal === null ? `exit ${exitCode}` : `ended by the signal ${signal}`;
}

/** The marks of a round that stand by themselves, a line or a few each. */
export function markLines(
  event: Exclude<RoundEventBody, { readonly type: 'check.started' | 'check.output' | 'check.ended' }>,
  style: Style,
): readonly string[] {
  switch (event.type) {
    case 'check.skipped':
      return [style.yellow(`– not run: $ ${safeLine(event.command)} (${safeLine(event.why)})`)];
    case 'checks.changed':
      return event.changes.map((change) =>
        style.yellow(
          change.type === 'definition'
            ? `! The round changed what "${safeLine(change.command)}" runs, in ${safeLine(change.file)}.`
            : `! The round removed ${count(change.files.length, 'test file')}: ${change.files.map(safeLine).join(', ')}`,
        ),
      );
    case 'checks.wrote': {
      const { files } = event;
      const names = files.slice(0, MOST_NAMED).map((file) => safeLine(file.path));
      const more = files.length > MOST_NAMED ? [`and ${files.length - MOST_NAMED} more`] : [];
      return [style.dim(`The checks changed ${count(files.length, 'file')}: ${[...names, ...more].join(', ')}`)];
    }
    case 'run.paused':
      return [style.yellow(`Paused: ${safeLine(event.why)}`)];
    case 'run.resumed':
      return [style.dim('The run goes on.')];
    case 'user.note':
      return [
        style.dim(`You${event.finding === undefined ? '' : `, about ${event.finding}`}: ${safeLine(event.text)}`),
      ];
    case 'head.moved': {
      const who = event.by === 'agent' ? 'The executor' : 'Somebody else';
      const commits = event.commits.map(({ id, subject }) => style.yellow(`  ${id.slice(0, 10)} ${safeLine(subject)}`));
      return [style.yellow(`! ${who} moved HEAD to ${event.to?.slice(0, 10) ?? 'nothing'}.`), ...commits];
    }
    case 'run.undone':
      return [];
    case 'changes.reviewed':
      return [`Reviewed: ${changes(event.files)}`, ...fileLines(event.files)];
    case 'worktree.settled':
      return [style.dim(`The worktree was ${event.how}.`)];
    default:
      return event satisfies never;
  }
}
