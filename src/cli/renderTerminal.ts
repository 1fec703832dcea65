import type { LoopEvent } from '../shared/events.ts';
import { count } from '../shared/runWords.ts';
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
const KEPT = 32_000;

/** `verbose`: the whole output as it comes, instead of its end. */
export function createTerminals(verbose: boolean, style: Style): Terminals {
  const open = new Map<string, { readonly command: string; text: string; skipped: number }>();
  const lines = (text: string) => text.split('\n').map((line) => style.dim(`  ${safe(line)}`));
  const missing = (bytes: number) => style.dim(`  … ${count(bytes, 'byte')} not shown`);

  return {
    started({ terminalId, command }) {
      open.set(terminalId, { command, text: '', skipped: 0 });
      return verbose ? [`▷ $ ${safeLine(command)}`] : [];
    },
    output({ terminalId, text, skipped }) {
      const terminal = open.get(terminalId);
      if (terminal === undefined) return [];
      terminal.skipped += skipped;
      terminal.text += text;
      if (!verbose) {
        const cut = Math.max(0, terminal.text.length - KEPT);
        terminal.text = terminal.text.slice(cut);
        return [];
      }
      const end = terminal.text.lastIndexOf('\n');
      const whole = end < 0 ? [] : lines(terminal.text.slice(0, end));
      terminal.text = terminal.text.slice(end + 1);
      return skipped > 0 ? [missing(skipped), ...whole] : whole;
    },
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
      const rest = terminal.text.trimEnd();
      if (rest === '') return [first];
      const all = rest.split('\n');
      const last = verbose ? all : all.slice(-LAST_LINES);
      const left = all.length - last.length;
      const before = left > 0 ? [style.dim(`  … ${count(left, 'line')} before`)] : [];
      return [first, ...before, ...lines(last.join('\n'))];
    },
    running: () => [...open.values()].map(({ command }) => `▷ still running: $ ${safeLine(command)}`),
  };
}
