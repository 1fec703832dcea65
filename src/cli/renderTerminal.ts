import type { LoopEvent } from '../shared/events.ts';
import { createOutputLines, type OutputLines } from './outputLines.ts';
import type { Style } from './style.ts';
import { safe, safeLine } from './terminalText.ts';

type Of<T extends LoopEvent['type']> = Extract<LoopEvent, { readonly type: T }>;

/** The commands that we run for agents, as lines. */
export interface Terminals {
  started(event: Of<'terminal.started'>): readonly string[];
  /** Verbose: the lines that are complete now, as they come. */
  output(event: Of<'terminal.output'>): readonly string[];
  /** How it ended, with its last lines where they have not been printed. */
  ended(event: Of<'terminal.ended'>): readonly string[];
  /** One line a command that runs on. */
  running(): readonly string[];
}

const LAST_LINES = 6;

/** `verbose`: the whole output as it comes, instead of its end. */
export function createTerminals(verbose: boolean, style: Style): Terminals {
  const open = new Map<string, { readonly command: string; readonly output: OutputLines }>();

  return {
    started({ terminalId, command }) {
      open.set(terminalId, { command, output: createOutputLines(verbose, LAST_LINES, style) });
      return verbose ? [`▷ $ ${safeLine(command)}`] : [];
    },
    output: ({ terminalId, text, skipped }) => open.get(terminalId)?.output.add(text, skipped) ?? [],
    ended({ terminalId, end }) {
      const terminal = open.get(terminalId);
      if (terminal === undefined) return [];
      open.delete(terminalId);
      const failed = end.exitCode !== 0;
      const how =
        end.problem !== undefined
          ? safe(end.problem)
          : end.by === 'itself' && end.signal === null
            ? `exit ${end.exitCode}`
            : `ended by ${{ itself: `the signal ${end.signal}`, agent: 'the agent', stop: 'the stop' }[end.by]}`;
      const mark = !failed ? style.green('✓') : end.by === 'itself' ? style.red('✗') : style.yellow('–');
      const first = `${mark} $ ${safeLine(terminal.command)}${failed ? style.dim(`  ${how}`) : ''}`;
      return [first, ...terminal.output.rest()];
    },
    running: () => [...open.values()].map(({ command }) => `▷ still running: $ ${safeLine(command)}`),
  };
}
