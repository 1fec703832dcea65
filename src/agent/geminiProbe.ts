import { runProgram } from '../transport/childProcess.ts';
import type { AgentLaunch } from './agent.ts';
import type { GeminiExit } from './geminiExit.ts';

/** How a start without a prompt ended; null: it did not end in time, or was stopped. */
export type GeminiProbe = GeminiExit | null;

/**
 * Starts Gemini CLI headless with nothing to do: it checks settings, trust and sign-in, finds no prompt and ends with 42. So
 * what would fail the first turn shows before one (41, 52, 55). No model is asked.
 */
export async function probeGemini(
  launch: AgentLaunch,
  cwd: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<GeminiProbe> {
  const args = [...launch.args, '--output-format', 'stream-json'];
  const { exit, stderr, stoppedBy } = await runProgram({
    command: launch.command,
    args,
    cwd,
    env,
    timeoutMs: 45_000,
    signal,
  });
  return stoppedBy === null ? { code: exit.code, signal: exit.signal, stderr } : null;
}
