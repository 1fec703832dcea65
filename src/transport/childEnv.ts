/**
 * Names that belong to the program we run in, not to its children: the editor's own Node and debugger settings, the
 * markers of a session around us, the IDE links of either agent, and the switch to a second Gemini CLI inside the one
 * that we know (sj-01c).
 */
const DROPPED = new Set([
  'NODE_OPTIONS',
  'NODE_CHANNEL_FD',
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SSE_PORT',
  'GEMINI_CLI_EXP_AGENT',
  'FORCE_COLOR',
  'CLICOLOR_FORCE',
]);
const DROPPED_PREFIXES = ['ELECTRON_', 'VSCODE_', 'GEMINI_CLI_IDE_'];

/**
 * The environment of a child: `base` without what belongs to the host, without colours, and `extra` on top as given.
 * PATH, HOME, proxies and sign-in variables stay.
 */
export function childEnv(
  base: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = {};
  // The editor's git password program cannot work without the VSCODE_ variables that are dropped.
  const editorAskpass = base.VSCODE_GIT_ASKPASS_MAIN !== undefined;
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || isDropped(name) || (editorAskpass && name === 'GIT_ASKPASS')) continue;
    env[name] = value;
  }
  return { ...env, NO_COLOR: '1', ...extra };
}

function isDropped(name: string): boolean {
  const upper = name.toUpperCase();
  return DROPPED.has(upper) || DROPPED_PREFIXES.some((prefix) => upper.startsWith(prefix));
}
