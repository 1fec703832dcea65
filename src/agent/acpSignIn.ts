import type { AuthMethod } from '../protocol/acpRequests.ts';
import type { AgentLaunch, SignInQuestion } from './agent.ts';
import type { Quirks } from './quirks.ts';

/** The way to sign in. Gemini CLI asks for it on a terminal of its own only: over ACP it would print to our wire. */
export function signInHint(launch: AgentLaunch): string {
  return launch.ref.id === 'gemini'
    ? 'Run "gemini" in a terminal and sign in there, or set GEMINI_API_KEY.'
    : `Run "${launch.command}" in a terminal and sign in there.`;
}

/**
 * What an agent that asks for a sign-in can be offered. A method of type `terminal` is the agent's own command with more
 * arguments, for the person to run; every other one is asked about first, since it writes into the person's home.
 */
export function signInQuestion(
  launch: AgentLaunch,
  message: string,
  methods: readonly AuthMethod[],
  quirks: Quirks,
  env: Readonly<Record<string, string | undefined>>,
): SignInQuestion {
  const choices = methods
    .filter(({ type }) => type !== 'terminal')
    .flatMap(({ id, name }) => {
      const offer = quirks.signIn(id, env);
      return offer === null ? [] : [{ id, name, changes: offer.changes }];
    });
  return { agent: launch.ref, message, choices, commands: terminalCommands(launch, methods) };
}

/** The command lines that sign in when they are run in a terminal. */
export function terminalCommands(launch: AgentLaunch, methods: readonly AuthMethod[]): readonly string[] {
  return methods.filter(({ type }) => type === 'terminal').map((method) => commandLine(launch, method));
}

/** A line for a POSIX shell: what is no plain word is quoted. */
function commandLine({ command, args }: AgentLaunch, method: AuthMethod): string {
  const variables = Object.entries(method.env ?? {}).map(([name, value]) => `${name}=${quoted(value)}`);
  return [...variables, ...[command, ...args, ...(method.args ?? [])].map(quoted)].join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
