import { isWireObject } from '../protocol/parseWire.ts';
import type { WireObject } from '../shared/wire.ts';
import { type ChildExit, runProgram } from '../transport/childProcess.ts';
import { type AgentLaunch, AgentStartError } from './agent.ts';

/** The version that a program tells of itself; null when it tells none. */
export async function programVersion(
  launch: AgentLaunch,
  cwd: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string | null> {
  const args = [...launch.args, '--version'];
  const { exit, stdout } = await runProgram({ command: launch.command, args, cwd, env, timeoutMs: 10_000, signal });
  // "2.1.197 (Claude Code)" (00-version)
  return exit.code === 0 ? (/^\s*v?(\d+\.\d+\S*)/.exec(stdout.toString('utf8'))?.[1] ?? null) : null;
}

/**
 * False when the answer of `initialize` says that there are no credentials (59-missing-auth-persistent). It cannot tell
 * whether existing ones are right: that shows in the first turn.
 */
export function isSignedIn(initialized: WireObject): boolean {
  const { account } = initialized;
  if (!isWireObject(account) || account.apiProvider !== 'firstParty') return true;
  return account.tokenSource !== 'none' || typeof account.apiKeySource === 'string';
}

/** Whether the program ended because the session that it was to go on with is not there (75-resume-unknown). */
export function isUnknownSession(stderr: string): boolean {
  return /^No conversation found with session ID/m.test(stderr);
}

/** What, on which command, with the last words of its stderr. */
export function startError(
  reason: AgentStartError['reason'],
  launch: AgentLaunch,
  what: string,
  stderr: string,
): AgentStartError {
  const said = lastLines(stderr);
  const words = `${launch.ref.name} did not start (${launch.command}): ${what}`;
  return new AgentStartError(reason, said === '' ? words : `${words}\n${said}`);
}

export function describeExit(exit: ChildExit): string {
  if (exit.error !== null) return exit.error.message;
  return exit.signal === null ? `it ended with exit code ${exit.code ?? 'unknown'}` : `it was ended by ${exit.signal}`;
}

/** The last ten lines, for a message. */
export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-10).join('\n');
}
