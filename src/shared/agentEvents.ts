/** Who works, and what an agent reports: the same for every wire. Types only. */
import type { QuestionOption } from './question.ts';
import type { ToolCallPatch } from './toolCall.ts';
import type { WireObject } from './wire.ts';

/** What an agent does in a turn. */
export type Role = 'execute' | 'review';

/** The wire that an agent speaks. */
export type AgentProtocol = 'acp' | 'claude-stream-json' | 'gemini-stream-json';

/** Which program takes a role. `version` is null until the program has told it. */
export interface AgentRef {
  /** Catalog id, such as `claude` or `gemini`. */
  readonly id: string;
  /** Name for people, such as `Claude Code`. */
  readonly name: string;
  readonly protocol: AgentProtocol;
  readonly version: string | null;
}

export type MessageChannel = 'message' | 'thought';

/** Text to append to the message `messageId` of this turn and channel. */
export interface MessageChunk {
  readonly channel: MessageChannel;
  readonly messageId: string;
  readonly text: string;
}

/** The message's whole text now stands as given; `withdrawn` means that it no longer exists (text is then empty). */
export interface MessageReplaced {
  readonly channel: MessageChannel;
  readonly messageId: string;
  readonly text: string;
  readonly reason: 'final' | 'withdrawn';
}

export interface PlanEntry {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  readonly priority?: 'high' | 'medium' | 'low';
}

/** Tokens and money of one turn. Null: the agent did not say. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly costUsd: number | null;
  /** Tokens of the model's context window that are taken, and its size, where the agent tells it. */
  readonly context?: { readonly used: number; readonly size: number };
}

/** One thing that the agent does when a prompt begins with `/` and its name. */
export interface AgentCommand {
  readonly name: string;
  readonly description: string;
  /** What to write behind the name. */
  readonly hint?: string;
}

/** One thing about a session that can be chosen: its mode, its model, or an option of the agent's own. */
export type AgentOption = {
  /** The agent's id of it; `mode` and `model` for those that have none of their own. */
  readonly id: string;
  readonly name: string;
  /** The agent's word for what it is about, such as `mode`, `model` or `thought_level`. */
  readonly category?: string;
} & (
  | { readonly type: 'choice'; readonly value: string; readonly choices: readonly QuestionOption[] }
  | { readonly type: 'switch'; readonly value: boolean }
);

/** `code` is a stable camelCase word for what happened; `text` is for people; `wire` where a message was the cause. */
export interface Diagnostic {
  readonly source: 'agent' | 'transport' | 'loop';
  readonly level: 'info' | 'warning' | 'error';
  readonly code:
    | 'agentWarning'
    | 'agentError'
    | 'stderr'
    | 'noise'
    | 'notObject'
    | 'truncatedEof'
    | 'lineTooLong'
    | 'unknownVariant'
    | 'unknownSession'
    | 'invalid'
    | 'unknownResponseId'
    | 'invalidResponse'
    | 'unknownRequest'
    | 'retrying'
    /** Nothing was heard for a while: ours, concluded from the clock. One in a row takes the place of the one before. */
    | 'silence'
    /** Said once a kind: something that the agent told and that no face draws. */
    | 'notShown'
    | 'exit'
    | 'orphan'
    | 'restarted'
    /** What a limit of the run does not count. */
    | 'budget'
    /** A repository inside the folder, which no checkpoint holds. */
    | 'nested'
    | 'loop';
  readonly text: string;
}

/** What an agent adapter reports, in wire order. */
export type AgentEvent =
  | { readonly type: 'message.chunk'; readonly wire: WireObject; readonly derived: MessageChunk }
  | { readonly type: 'message.replaced'; readonly wire: WireObject; readonly derived: MessageReplaced }
  | { readonly type: 'toolCall.started'; readonly wire: WireObject; readonly derived: ToolCallPatch }
  | { readonly type: 'toolCall.updated'; readonly wire: WireObject; readonly derived: ToolCallPatch }
  | {
      readonly type: 'plan.updated';
      readonly wire: WireObject;
      readonly derived: { readonly entries: readonly PlanEntry[] };
    }
  | { readonly type: 'usage.updated'; readonly wire: WireObject; readonly derived: Usage }
  /** The session that the agent is in, as it tells it during its turns; it may change (93-slash-commands, `/clear`). */
  | {
      readonly type: 'session.updated';
      readonly wire: WireObject;
      readonly derived: {
        readonly sessionId: string;
        readonly model: string | null;
        /** Of the agent's program, where it tells that only now. */
        readonly version?: string;
      };
    }
  | { readonly type: 'mode.updated'; readonly wire: WireObject; readonly derived: { readonly mode: string } }
  /** All commands that the agent takes now. */
  | {
      readonly type: 'commands.updated';
      readonly wire: WireObject;
      readonly derived: { readonly commands: readonly AgentCommand[] };
    }
  /** Everything that can be chosen in the session, with what is chosen. */
  | {
      readonly type: 'options.updated';
      readonly wire: WireObject;
      readonly derived: { readonly options: readonly AgentOption[] };
    }
  | { readonly type: 'diagnostic'; readonly wire: WireObject | null; readonly derived: Diagnostic };
