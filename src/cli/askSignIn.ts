import type { SignInQuestion } from '../agent/agent.ts';
import { createStyle, wantsColours } from './style.ts';
import type { Terminal } from './terminal.ts';
import { safe, safeLine } from './terminalText.ts';

/**
 * Asks on the terminal whether to sign in to an agent, one agent after the other. A digit chooses, every other key is no.
 * The keys come unechoed while a run is being started (`readKeys`), so that one is enough.
 */
export function createAskSignIn(terminal: Terminal): (question: SignInQuestion) => Promise<string | null> {
  const style = createStyle(wantsColours(terminal.env, terminal.stderr.isTTY === true));
  let last: Promise<unknown> = Promise.resolve();

  const ask = (question: SignInQuestion): Promise<string | null> => {
    const choices = question.choices.slice(0, 9);
    const lines = [
      style.bold(`${safeLine(question.agent.name)} wants a sign-in: ${safe(question.message)}`),
      ...choices.map(({ name, changes }, place) => `  ${place + 1}  ${safeLine(name)}. ${safeLine(changes)}`),
      ...question.commands.map((command) => `     In a terminal: ${safeLine(command)}`),
      style.dim('A number signs in that way, any other key does not.'),
    ];
    // Over the line that says what is being started.
    terminal.stderr.write(`\r\u001b[2K\u0007${lines.join('\n')}\n`);
    return new Promise((resolve) => {
      terminal.stdin.once('data', (typed: string | Buffer) => {
        const place = /^[1-9]$/.test(String(typed)) ? Number(typed) - 1 : -1;
        resolve(choices[place]?.id ?? null);
      });
    });
  };

  return (question) => {
    const answer = last.then(() => ask(question));
    last = answer;
    return answer;
  };
}
