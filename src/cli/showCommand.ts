import { diffOfRun } from '../loop/runDiff.ts';
import { type RunRecord, readRun, runHeaderOf } from '../session/replay.ts';
import { findProblem, findRun } from '../session/runs.ts';
import { errorText } from '../shared/errors.ts';
import { count, ending as endingWords } from '../shared/runWords.ts';
import { createRunRenderer } from './renderRun.ts';
import { runJson } from './runOutput.ts';
import { createStyle, type Style, wantsColours } from './style.ts';
import { columnsOf, type Terminal } from './terminal.ts';
import { safe, safeLine } from './terminalText.ts';

/** What `cgloop show` shows of a run. */
export interface ShowArguments {
  readonly run: string;
  /** Its changes instead of its story. */
  readonly diff: boolean;
  /** Null: all rounds. */
  readonly round: number | null;
  readonly verbose: boolean;
  readonly json: boolean;
}

/** Shows a run of before. Gives the exit code. */
export async function showCommand(args: ShowArguments, stateFolder: string, terminal: Terminal): Promise<number> {
  const { stdout } = terminal;
  const refuse = (message: string): number => {
    terminal.stderr.write(`${safeLine(message)}\n`);
    return 1;
  };
  const found = await findRun(stateFolder, args.run);
  if (found.type !== 'found') return refuse(findProblem(found, args.run));
  const record = await readRun(found.directory);
  for (const problem of record.problems) terminal.stderr.write(`${safeLine(problem)}\n`);
  if (args.json) {
    stdout.write(runJson(record.events, record.state));
    return 0;
  }
  const rounds = record.events.filter((event) => event.type === 'round.started').length;
  if (args.round !== null && args.round > rounds) return refuse(`Run ${found.id} has ${count(rounds, 'round')}.`);
  const style = createStyle(wantsColours(terminal.env, stdout.isTTY === true));
  if (!args.diff) {
    stdout.write(story(args, record, style, stdout.isTTY === true ? columnsOf(terminal.stderr) : 100));
    return 0;
  }
  try {
    const { patch } = await diffOfRun({ events: record.events, stateFolder, round: args.round });
    stdout.write(stdout.isTTY === true ? coloured(patch, style) : patch);
    return 0;
  } catch (error) {
    return refuse(errorText(error));
  }
}

function story({ round, verbose }: ShowArguments, record: RunRecord, style: Style, columns: number): string {
  const renderer = createRunRenderer({ verbose, style, columns });
  // All of it is rendered, so that what a round builds on is known; what is not asked for is left out.
  const parts = record.events.map((event) => {
    const text = renderer.event(event);
    return round === null || event.round === round ? text : '';
  });
  const ended = record.events.findLast((event) => event.type === 'run.ended');
  const words =
    ended?.type === 'run.ended' ? endingWords(ended.ending, renderer.scores()) : `The run is ${record.state}.`;
  const isWhole = round === null && runHeaderOf(record.events) !== null;
  return `${parts.join('')}${isWhole ? `${style.bold(safeLine(words))}\n` : ''}`;
}

/** A patch as a terminal shows it. */
function coloured(patch: string, style: Style): string {
  const lines = patch.split('\n').map((line) => {
    const shown = safe(line);
    if (/^(?:diff|index|---|\+\+\+|new file|deleted file) /.test(line)) return style.bold(shown);
    if (line.startsWith('@@')) return style.cyan(shown);
    if (line.startsWith('+')) return style.green(shown);
    return line.startsWith('-') ? style.red(shown) : shown;
  });
  return lines.join('\n');
}
