import { ACP } from '../protocol/acp.ts';
import { RPC_ERROR } from '../protocol/jsonrpc.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { PermissionMode } from '../shared/permission.ts';
import type { ToolKind } from '../shared/toolCall.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import type { SignInOffer } from './agent.ts';
import { lastLines } from './claudeStart.ts';
import { reasonIn } from './geminiExit.ts';
import { geminiScope, isReplayNoise, nameGeminiChoice } from './geminiQuirks.ts';
import { compareVersions } from './versions.ts';

/** Where one ACP agent departs from the protocol, or says more than the protocol has a place for. */
export interface Quirks {
  /** The mode that a whole message chunk announces instead of saying something; null: it is a message. */
  readonly modeInText: (chunk: string) => string | null;
  /** A thought without what the agent itself put around it. */
  readonly thought: (chunk: string) => string;
  /** Whether the title of an `execute` call is its whole command line. */
  readonly commandIsTitle: boolean;
  /** What an option really reaches, for people; null: not known. */
  readonly scope: (optionId: string, kind: ToolKind) => string | null;
  /** The session modes that suit, the best first; the first that is offered is set. */
  readonly modes: (role: Role, mode: PermissionMode) => readonly string[];
  /** What goes out as `error` in place of our error object. */
  readonly errorWire: (method: string, error: WireObject) => Json;
  /** Whether a `$/cancel_request` is understood, or at least ignored. */
  readonly takesCancelRequest: boolean;
  /** Whether a text that `session/load` tells again is the agent's own doing, and nobody's words. */
  readonly replayNoise: (text: string) => boolean;
  /** Whether the replay of `session/load` goes on after its answer, until the commands are told. */
  readonly replayEndsWithCommands: boolean;
  /** Whether the end of a turn must be looked at, since `end_turn` may hide a stream that broke. */
  readonly hidesBrokenStreams: boolean;
  /** What a program that died last said of it, from its stderr. */
  readonly lastWords: (stderr: string) => string;
  /** Whether `file://` addresses are taken as they stand, without decoding. */
  readonly plainFileUris: boolean;
  /** Whether the images of a prompt are lost when files go with it. */
  readonly dropsImagesBesideFiles: boolean;
  /** How a sign-in method is offered; null: it never is. */
  readonly signIn: (methodId: string, env: Readonly<Record<string, string | undefined>>) => SignInOffer | null;
}

const STANDARD: Quirks = {
  modeInText: () => null,
  thought: (chunk) => chunk,
  commandIsTitle: false,
  scope: () => null,
  modes: sessionModes,
  errorWire: (_method, error) => error,
  takesCancelRequest: true,
  replayNoise: () => false,
  replayEndsWithCommands: false,
  hidesBrokenStreams: false,
  lastWords: lastLines,
  plainFileUris: false,
  dropsImagesBesideFiles: false,
  signIn: () => ({ changes: 'It signs in by itself; what it writes into your home folder, it does not say.' }),
};

/** One departure: of which agent, from which version on, and when its treatment can go. */
export interface Quirk {
  /** `agentInfo.name` of the answer of `initialize`. */
  readonly agent: string;
  /** The first version that it is applied to. */
  readonly from: string;
  /** The first version that no longer needs it; null: none is known. */
  readonly until: string | null;
  readonly what: string;
  /** What a version must do for this to go. A test that fails then holds it. */
  readonly goes: string;
  readonly treatment: Partial<Quirks>;
}

const GEMINI = { agent: 'gemini-cli', from: '0.0.0', until: null } as const;

/** Everything that is known. Seen in 0.61.0; to be looked at again with each version that the tests are pinned to. */
export const QUIRKS: readonly Quirk[] = [
  {
    ...GEMINI,
    what: 'Changes of the mode come as the text "[MODE_UPDATE] …" (acp-14, acp-26d, acp-28).',
    goes: 'It sends current_mode_update.',
    treatment: { modeInText: (chunk) => /^\[MODE_UPDATE\] (default|autoEdit|yolo|plan)$/.exec(chunk)?.[1] ?? null },
  },
  {
    ...GEMINI,
    what: 'Its stderr holds the same warnings after each start, told at its end (acp-16, acp-17).',
    goes: 'A start in a plain pipe warns of nothing.',
    treatment: { lastWords: reasonIn },
  },
  {
    ...GEMINI,
    what: 'A thought without a subject begins with "****" (acp-36).',
    goes: 'Thoughts come as the model wrote them.',
    treatment: { thought: (chunk) => chunk.replace(/^\*{4}\n?/, '') },
  },
  {
    ...GEMINI,
    what: 'The title of a command is its whole command line; there is no rawInput (acp-03, acp-08).',
    goes: 'It sends rawInput.command.',
    treatment: { commandIsTitle: true },
  },
  {
    ...GEMINI,
    what: 'An option that says "session" may reach further than its words (acp-19b, acp-26c, acp-26d, acp-52).',
    goes: 'The names of its options say what they reach.',
    treatment: { scope: geminiScope },
  },
  {
    ...GEMINI,
    what: 'It takes no error object as "there is no such file": each breaks the creation of files (acp-02c, acp-51c).',
    goes: 'write_file creates a file after the answer -32002 with "Resource not found".',
    treatment: {
      errorWire: (method, error) =>
        method === ACP.readTextFile && error.code === RPC_ERROR.resourceNotFound ? MISSING_FILE : error,
    },
  },
  {
    ...GEMINI,
    what: 'A $/cancel_request is an error to it (bundle of 0.61.0).',
    goes: 'It honours or ignores $/cancel_request.',
    treatment: { takesCancelRequest: false },
  },
  {
    ...GEMINI,
    what: 'session/load tells hidden context and tool results as words of the person, also after its answer (acp-13c).',
    goes: 'The replay is over with the answer and holds only what was said.',
    treatment: { replayNoise: isReplayNoise, replayEndsWithCommands: true },
  },
  {
    ...GEMINI,
    what: 'A stream that broke for good ends with end_turn; its text came up to four times (acp-24-stream-nofinish, -streamerror).',
    goes: 'Such a turn ends with an error, or with another stop reason.',
    treatment: { hidesBrokenStreams: true },
  },
  {
    ...GEMINI,
    what: 'file:// addresses are not decoded, they only lose their beginning (acp-20).',
    goes: 'A path with a blank in a file:// address is found.',
    treatment: { plainFileUris: true },
  },
  {
    ...GEMINI,
    what: 'A prompt with a file or a text loses its images without a word (test/e2e/attached.test.ts).',
    goes: 'The model gets the image of a prompt that also holds a resource_link.',
    treatment: { dropsImagesBesideFiles: true },
  },
  {
    ...GEMINI,
    what: 'Signing in with Google over the wire prints to it and reads from it; the other methods need the key in the environment and rewrite the settings (GEMINI.md 0.13, 7).',
    goes: 'Never for Google; for the others when authenticate writes nothing.',
    treatment: { signIn: nameGeminiChoice },
  },
];

/** The one answer after which `write_file` and `replace` create a file (acp-02c-absent-string, acp-51c). */
const MISSING_FILE = 'ENOENT: no such file or directory';

/** What is known of the agent that calls itself so in the answer of `initialize`. */
export function quirksOf(agentName: string | null, version: string | null = null): Quirks {
  const known = QUIRKS.filter(({ agent, from, until }) => {
    if (agent !== agentName) return false;
    // A version that is none, such as a build of one's own, is taken for the newest.
    if (version === null || !/^\d/.test(version)) return until === null;
    return compareVersions(version, from) >= 0 && (until === null || compareVersions(version, until) < 0);
  });
  let quirks = STANDARD;
  for (const { treatment } of known) quirks = { ...quirks, ...treatment };
  return quirks;
}

/**
 * Gemini CLI's names, which other agents use too, then those of the adapter for Claude Code. Never `yolo` or
 * `bypassPermissions`: with everything allowed, edits run by themselves and our policy answers the rest.
 */
function sessionModes(role: Role, mode: PermissionMode): readonly string[] {
  if (role === 'review') return ['plan', 'read-only'];
  switch (mode) {
    case 'ask':
      return ['default'];
    case 'edits':
    case 'all':
      return ['autoEdit', 'acceptEdits', 'auto-edit'];
    case 'read-only':
      return ['plan', 'read-only'];
    default:
      return mode satisfies never;
  }
}
