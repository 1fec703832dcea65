import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exists, installPinned, pinnedFolder } from './installClis.ts';

const PINS = fileURLToPath(new URL('./claudeAcp', import.meta.url));

/**
 * Gives the script of the pinned ACP adapter of Claude Code, installing it first where it is missing (about 80 MB). It comes
 * without its own copy of Claude Code: `CLAUDE_CODE_EXECUTABLE` names the one of `installClis`. It asks for Node 22, and
 * works on the Node 20 of our tests all the same.
 */
export async function installClaudeAcp(): Promise<string> {
  const target = await pinnedFolder(PINS, 'claude-acp');
  const script = (folder: string) =>
    path.join(folder, 'node_modules', '@agentclientprotocol', 'claude-agent-acp', 'dist', 'index.js');
  if (!(await exists(target))) {
    await installPinned(PINS, target, '--omit=optional', async (folder) => {
      if (!(await exists(script(folder)))) throw new Error(`${folder} holds no ${script('')}.`);
    });
  }
  return script(target);
}
