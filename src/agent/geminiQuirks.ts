import type { ToolKind } from '../shared/toolCall.ts';
import type { SignInOffer } from './agent.ts';

/** acp-26d-edit-always, acp-26c-permanent-unoffered, acp-19b-mcp-always, acp-52-shell-always-scope. */
export function geminiScope(optionId: string, kind: ToolKind): string | null {
  switch (optionId) {
    case 'proceed_always':
      if (kind === 'edit') return 'every edit of this session, of any file';
      return kind === 'execute' ? 'this program with any arguments, in this session' : 'this tool, in this session';
    case 'proceed_always_tool':
      return 'this tool of the MCP server, in this session';
    case 'proceed_always_server':
      return 'every tool of the MCP server, in this session';
    case 'proceed_always_and_save':
      return 'for ever, in every project of this computer';
    default:
      return null;
  }
}

/** What `session/load` of Gemini CLI tells as the person's words and nobody said (acp-13c-load-later-2n). */
export function isReplayNoise(text: string): boolean {
  return (
    /^<session_context>[\s\S]*<\/session_context>\s*$/.test(text) || /^(\[Function Response: [^\]]*\])+$/.test(text)
  );
}

/** Variables that hold the credentials of a sign-in method. A method without them would be accepted and then fail (acp-18c). */
const CREDENTIALS: ReadonlyMap<string, readonly string[]> = new Map([
  ['gemini-api-key', ['GEMINI_API_KEY']],
  ['vertex-ai', ['GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT']],
  ['gateway', ['GOOGLE_GEMINI_BASE_URL']],
]);

/** Never `oauth-personal`: it would print to our wire and read the next message as its code. */
export function nameGeminiChoice(
  methodId: string,
  env: Readonly<Record<string, string | undefined>>,
): SignInOffer | null {
  const variables = CREDENTIALS.get(methodId) ?? [];
  if (!variables.some((name) => (env[name] ?? '') !== '')) return null;
  return {
    changes:
      'It writes security.auth.selectedType into .gemini/settings.json in your home folder: "gemini" in a terminal will sign in that way too.',
  };
}
