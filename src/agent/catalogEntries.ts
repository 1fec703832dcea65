import type { AgentRef } from '../shared/agentEvents.ts';

/** One agent that the product knows by name. */
export type CatalogEntry = {
  readonly name: string;
  readonly protocol: AgentRef['protocol'];
  /** Who gets what it is given, unless its own settings name another one; empty: nobody outside this machine. */
  readonly company: string;
} & (
  | {
      readonly type: 'cli';
      readonly program: string;
      readonly args: readonly string[];
      /** The arguments of older versions, tried once when these are not known. */
      readonly oldArgs?: readonly string[];
      readonly install: string;
      /** Whether our tests run it; else it is here by its documentation only. */
      readonly tried: boolean;
      /** It is Gemini CLI, and is started as such. */
      readonly isGemini?: true;
      /** Our tests hold that a reviewer of it only reads, by a mode or by its tools. Absent: it reviews a copy. */
      readonly onlyReads?: true;
    }
  | { readonly type: 'demo'; readonly args: readonly string[] }
);

/** In the order in which they are offered. */
export const CATALOG: ReadonlyMap<string, CatalogEntry> = new Map<string, CatalogEntry>([
  [
    'claude',
    {
      type: 'cli',
      name: 'Claude Code',
      company: 'Anthropic',
      protocol: 'claude-stream-json',
      program: 'claude',
      args: [],
      install: 'npm i -g @anthropic-ai/claude-code',
      tried: true,
      onlyReads: true,
    },
  ],
  [
    'gemini',
    {
      type: 'cli',
      name: 'Gemini CLI',
      company: 'Google',
      protocol: 'acp',
      program: 'gemini',
      args: ['--acp'],
      // The name before 0.33 (case C04).
      oldArgs: ['--experimental-acp'],
      install: 'npm i -g @google/gemini-cli',
      tried: true,
      onlyReads: true,
      isGemini: true,
    },
  ],
  [
    'gemini-headless',
    {
      type: 'cli',
      name: 'Gemini CLI (headless)',
      company: 'Google',
      protocol: 'gemini-stream-json',
      program: 'gemini',
      args: [],
      install: 'npm i -g @google/gemini-cli',
      tried: true,
      onlyReads: true,
      isGemini: true,
    },
  ],
  [
    'claude-acp',
    {
      type: 'cli',
      name: 'Claude Code (over ACP)',
      company: 'Anthropic',
      protocol: 'acp',
      program: 'claude-agent-acp',
      args: [],
      install: 'npm i -g @agentclientprotocol/claude-agent-acp',
      tried: true,
      onlyReads: true,
    },
  ],
  [
    'codex',
    {
      type: 'cli',
      name: 'Codex (over ACP)',
      company: 'OpenAI',
      protocol: 'acp',
      program: 'codex-acp',
      args: [],
      // Moved from @zed-industries/codex-acp, whose program has the same name.
      install: 'npm i -g @agentclientprotocol/codex-acp',
      tried: false,
    },
  ],
  [
    'qwen',
    {
      type: 'cli',
      name: 'Qwen Code',
      company: 'Alibaba Cloud',
      protocol: 'acp',
      program: 'qwen',
      args: ['--acp'],
      oldArgs: ['--experimental-acp'],
      install: 'npm i -g @qwen-code/qwen-code',
      tried: false,
    },
  ],
  [
    'antigravity',
    {
      type: 'cli',
      name: 'Antigravity',
      company: 'Google',
      protocol: 'acp',
      program: 'agy',
      // Since 1.4.12.
      args: ['acp'],
      install: 'brew install antigravity-cli',
      tried: false,
    },
  ],
  [
    'demo-executor',
    { type: 'demo', name: 'Demo Executor', company: '', protocol: 'claude-stream-json', args: ['executor'] },
  ],
  ['demo-reviewer', { type: 'demo', name: 'Demo Reviewer', company: '', protocol: 'acp', args: ['reviewer'] }],
]);
