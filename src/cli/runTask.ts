import { agentRef } from '../agent/catalog.ts';
import { ledgerOf, openFindings } from '../loop/findings.ts';
import { EXIT_CODES, type RunOptions, type StartProblem, USAGE_EXIT } from '../loop/options.ts';
import type { RunHandle, StartRun } from '../loop/runHandle.ts';
import { headerLine } from '../session/logFormat.ts';
import { PRODUCT } from '../session/product.ts';
import { runHeaderOf } from '../session/replay.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { Ending } from '../shared/ending.ts';
import type { LoopEvent } from '../shared/events.ts';
import { ending as endingWords } from '../shared/runWords.ts';
import { type AskBetween, createAskBetween } from './askBetween.ts';
import { type AskPerson, createAskPerson } from './askPerson.ts';
import { editText } from './editText.ts';
import { type DoneRun, nextSteps } from './nextSteps.ts';
import type { DisplayOptions } from './optionKinds.ts';
import { createRunRenderer, type RunRenderer } from './renderRun.ts';
import { reviewText, runJson, runSarif } from './runOutput.ts';
import { createScreen, type Screen } from './screen.ts';
import { createStyle, type Style, wantsColours } from './style.ts';
import { columnsOf, isInteractive, readKeys, type Terminal } from './terminal.ts';
import { safe } from './terminalText.ts';
import { clock } from './words.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 120;
/** Of a table that no terminal shows. */
const RESULT_COLUMNS = 100;

/** What this command needs besides the terminal. */
export interface RunTaskParts {
  readonly terminal: Terminal;
  readonly startRun: StartRun;
}

/** Runs a task and shows it. Resolves with the exit code, once both agents are gone. */
export async function runTask(options: RunOptions, display: DisplayOptions, parts: RunTaskParts): Promise<number> {
  const { terminal, startRun } = parts;
  const style = createStyle(wantsColours(terminal.env, terminal.stderr.isTTY === true));
  const live = terminal.stderr.isTTY === true && terminal.env.TERM !== 'dumb';
  const screen = createScreen(terminal.stderr, () => (live ? columnsOf(terminal.stderr) : null));
  const cancel = new AbortController();
  let run: RunHandle | null = null;
  let stops = 0;
  let isEditing = false;
  let isOver = false;
  const stop = (signal?: string) => {
    // The key is the editor's own while that has the terminal.
    if (isEditing && signal === 'SIGINT') return;
    stops++;
    if (stops > 1) {
      screen.status('');
      terminal.exit(EXIT_CODES.stopped);
      return;
    }
    screen.status('');
    screen.print(style.yellow('Stopping both agents … (once more ends them at once)\n'));
    cancel.abort();
    run?.stop();
  };
  const releaseSignals = terminal.onSignal(stop);
  let person: AskPerson | null = null;
  let between: AskBetween | null = null;
  const hear = (typed: string) => {
    if (typed === '\u0003') stop();
    else if (person?.asking) person.keys(typed);
    else between?.keys(typed);
  };
  const hearKeys = () => (isInteractive(terminal) ? readKeys(terminal, hear) : () => {});
  let releaseKeys = hearKeys();
  const edit = async (text: string) => {
    releaseKeys();
    isEditing = true;
    const edited = await editText(text, terminal);
    isEditing = false;
    // Keys that nobody hears any more would keep this program from ending.
    if (!isOver) releaseKeys = hearKeys();
    return edited;
  };

  const startedAt = terminal.now();
  let frame = 0;
  let activity: () => { readonly text: string; readonly since: number } | null = () => ({
    text: `Starting ${names(options)}`,
    since: startedAt,
  });
  const tick = () => {
    if (person?.asking || between?.asking || stops > 0) return;
    const now = activity();
    frame = (frame + 1) % FRAMES.length;
    screen.status(
      now === null ? '' : `${FRAMES[frame]} ${now.text} · ${clock(terminal.now() - now.since)} · Ctrl-C stops`,
    );
  };
  const timer = live && !display.quiet ? setInterval(tick, FRAME_MS).unref() : undefined;

  try {
    const { wait = false, ...atOnce } = options;
    let started = await startRun(atOnce, cancel.signal);
    if (wait && started.type === 'problems') {
      const [held] = started.problems.filter((problem) => problem.held === true);
      if (held !== undefined) {
        screen.status('');
        screen.print(style.yellow(`${safe(held.what)}\nWaiting until it has ended … (Ctrl-C gives up)\n`));
        activity = () => ({ text: 'Waiting for the other run', since: startedAt });
        started = await startRun(options, cancel.signal);
      }
    }
    screen.status('');
    if (started.type === 'cancelled') return EXIT_CODES.stopped;
    if (started.type === 'problems') {
      screen.print(started.problems.map((problem) => problemText(problem, style)).join(''));
      return started.problems.some((problem) => problem.usage === true) ? USAGE_EXIT : EXIT_CODES.failed;
    }
    const { run: handle } = started;
    run = handle;
    // Stopped between the last look at the signal and here.
    if (cancel.signal.aborted) handle.stop();
    const columns = live ? columnsOf(terminal.stderr) : 100;
    const renderer = createRunRenderer({ verbose: display.verbose, style, columns });
    activity = renderer.activity;
    if (isInteractive(terminal)) {
      const agentName = (role: Role) =>
        agentRef(role === 'execute' ? options.executor : options.reviewer, options.agents)?.name ?? role;
      person = createAskPerson({ screen, style, agentName, answer: handle.answer, now: terminal.now });
      const { proceed, log } = handle;
      between = createAskBetween({ screen, style, events: () => log.events, proceed, stop, edit, now: terminal.now });
    }
    const show = createShow(renderer, screen, display, terminal);
    const onEvent = (event: LoopEvent) => {
      show(event);
      person?.event(event);
      between?.event(event);
    };
    const { events } = handle.log;
    // What was before is known, not shown again; the log as a format is whole.
    for (const event of events.slice(0, handle.pastEvents)) show(event, true);
    for (const event of events.slice(handle.pastEvents)) onEvent(event);
    handle.log.subscribe(onEvent);

    const ending = await handle.done;
    screen.status('');
    const scene = { screen, style, display, terminal };
    await printResult(ending, handle, renderer, scene);
    const { kind = 'task', range = null } = options;
    const { id, directory, log } = handle;
    const open = openFindings(ledgerOf(log.events)).length;
    const inWorktree = runHeaderOf(log.events)?.worktree !== undefined;
    conclude(ending, renderer, { id, directory, kind, range, open, inWorktree }, scene);
    return EXIT_CODES[ending.type];
  } finally {
    isOver = true;
    clearInterval(timer);
    screen.status('');
    releaseKeys();
    releaseSignals();
  }
}

function createShow(renderer: RunRenderer, screen: Screen, display: DisplayOptions, terminal: Terminal) {
  const isLog = display.output === 'stream-json';
  if (isLog) terminal.stdout.write(headerLine(PRODUCT));
  return (event: LoopEvent, isPast = false) => {
    const text = renderer.event(event);
    if (isLog) terminal.stdout.write(`${JSON.stringify(event)}\n`);
    else if (!display.quiet && !isPast) screen.print(text);
  };
}

interface Scene {
  readonly screen: Screen;
  readonly style: Style;
  readonly display: DisplayOptions;
  readonly terminal: Terminal;
}

/** The result on stdout, in the format that was asked for. */
async function printResult(ending: Ending, { log }: RunHandle, renderer: RunRenderer, scene: Scene): Promise<void> {
  const { screen, style, display, terminal } = scene;
  const { stdout } = terminal;
  switch (display.output) {
    case 'json':
      stdout.write(runJson(log.events, 'ended'));
      return;
    case 'sarif':
      stdout.write(await runSarif(log.events, 'ended'));
      return;
    case 'stream-json':
      return;
    case 'text': {
      const seen = stdout.isTTY === true;
      const executed = renderer.result();
      const onStdout = createStyle(wantsColours(terminal.env, seen));
      const result = executed === '' ? reviewText(log.events, RESULT_COLUMNS, onStdout) : executed;
      if (result === '' || ending.type === 'stopped') return;
      if (seen && !display.quiet) screen.print(`${style.bold('Result')}\n`);
      // A terminal would obey control characters; a file gets the text as it is.
      stdout.write(`${(seen && executed !== '' ? safe(result) : result).trimEnd()}\n`);
      if (seen) screen.print('\n');
      return;
    }
    default:
      display.output satisfies never;
  }
}

/** On stderr how it ended and what can be done next. */
function conclude(
  ending: Ending,
  renderer: RunRenderer,
  run: Omit<DoneRun, 'program' | 'rounds'>,
  { screen, style, display, terminal }: Scene,
): void {
  const words = safe(endingWords(ending, renderer.scores()));
  const colour = ending.type === 'approved' ? style.green : ending.type === 'failed' ? style.red : style.yellow;
  const rounds = renderer.scores().length;
  const steps = display.quiet ? [] : nextSteps(ending, { ...run, program: terminal.program, rounds });
  screen.print(`${colour(style.bold(words))}\n${steps.map((step) => `${style.dim(step)}\n`).join('')}`);
}

function problemText({ what, fix }: StartProblem, style: Style): string {
  return `${style.red(safe(what))}\n${fix === '' ? '' : `${safe(fix)}\n`}`;
}

function names({ kind, executor, reviewer, agents }: RunOptions): string {
  const name = (id: string) => agentRef(id, agents)?.name ?? id;
  if (kind === 'review') return name(reviewer);
  return executor === reviewer ? `${name(executor)}, twice` : `${name(executor)} and ${name(reviewer)}`;
}
