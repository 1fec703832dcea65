import { loadReplay } from '../loop/loadReplay.ts';
import type { LoopEvent } from '../shared/events.ts';
import { ending as endingWords } from '../shared/runWords.ts';
import { createRunRenderer } from './renderRun.ts';
import { createStyle, wantsColours } from './style.ts';
import { columnsOf, type Terminal } from './terminal.ts';
import { safeLine } from './terminalText.ts';

/** What `cgloop replay` shows, and how. */
export interface ReplayArguments {
  /** A log, a trace, a run's folder, or the id of a run. */
  readonly file: string;
  /** How many times as fast as it happened; null: all at once. */
  readonly speed: number | null;
  readonly verbose: boolean;
}

/** No pause of a replay lasts longer, in milliseconds: a person may have thought for hours. */
const LONGEST_PAUSE_MS = 5_000;

/** Shows a run again as it was shown when it ran. Gives the exit code; Ctrl-C ends it (130). */
export async function replay(args: ReplayArguments, stateFolder: string, terminal: Terminal): Promise<number> {
  const { source, file, events, problems } = await loadReplay(args.file, stateFolder);
  const style = createStyle(wantsColours(terminal.env, terminal.stdout.isTTY === true));
  const columns = terminal.stdout.isTTY === true ? columnsOf(terminal.stderr) : 100;
  // A trace holds no verdict, so that nothing stands for the JSON of a review: it is shown as it came.
  const renderer = createRunRenderer({ verbose: args.verbose || source === 'trace', style, columns });
  const stopped = new AbortController();
  const release = terminal.onSignal(() => stopped.abort());
  try {
    terminal.stdout.write(`${style.dim(`Replay of the ${source} ${safeLine(file)}`)}\n\n`);
    let last: LoopEvent | null = null;
    for (const event of events) {
      if (args.speed !== null && last !== null) {
        const pause = Math.min(LONGEST_PAUSE_MS, (event.at - last.at) / args.speed);
        if (pause > 0) await wait(pause, stopped.signal);
      }
      if (stopped.signal.aborted) return 130;
      last = event;
      terminal.stdout.write(renderer.event(event));
    }
    const ended = events.findLast((event) => event.type === 'run.ended');
    if (ended?.type === 'run.ended') {
      terminal.stdout.write(`${style.bold(safeLine(endingWords(ended.ending, renderer.scores())))}\n`);
    }
    for (const problem of problems) terminal.stderr.write(`${style.yellow(safeLine(problem))}\n`);
    return 0;
  } finally {
    release();
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
