import path from 'node:path';
import { isWireObject } from '../protocol/parseWire.ts';
import type { ToolKind, ToolLocation } from '../shared/toolCall.ts';
import type { Json, WireObject } from '../shared/wire.ts';
import { claudeToolKind } from './toolKind.ts';

/** One tool call of Claude Code in words and paths; see CLAUDE's tools of 2.1.197 (48-which-tools-ask). */
export interface ClaudeToolCall {
  readonly kind: ToolKind;
  /** One line, cut at 200 characters. */
  readonly title: string;
  /** Absolute. */
  readonly paths: readonly string[];
  readonly locations: readonly ToolLocation[];
  /** The whole command line of a command. */
  readonly command: string | null;
}

/** Names a tool call by the exact tool name and its input; an input of another shape than expected gives a plain title. */
export function describeClaudeTool(name: string, input: WireObject, folder: string): ClaudeToolCall {
  const text = (field: string): string | null => {
    const value = input[field];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const file = text('file_path') ?? text('notebook_path');
  const place = file ?? (name === 'Glob' || name === 'Grep' ? text('path') : null);
  const absolute = place === null ? null : path.resolve(folder, place);
  const line = typeof input.offset === 'number' && input.offset >= 1 ? { line: input.offset } : {};
  return {
    kind: claudeToolKind(name) ?? 'other',
    title: oneLine(titleOf(name, text, input, file === null ? null : shown(file, folder))),
    paths: absolute === null ? [] : [absolute],
    locations: file === null || absolute === null ? [] : [{ path: absolute, ...line }],
    command: name === 'Bash' ? text('command') : null,
  };
}

function titleOf(name: string, text: (field: string) => string | null, input: WireObject, file: string | null): string {
  switch (name) {
    case 'Bash':
      return text('description') ?? text('command') ?? 'Run a command';
    case 'Read':
      return `Read ${file ?? 'a file'}${range(input)}`;
    case 'Write':
      return `Write ${file ?? 'a file'}`;
    case 'Edit':
      return `Edit ${file ?? 'a file'}`;
    case 'NotebookEdit':
      return `Edit notebook ${file ?? 'cell'}`;
    case 'Glob':
      return `Find ${text('pattern') ?? 'files'}`;
    case 'Grep':
      return `Search /${text('pattern') ?? ''}/`;
    case 'WebFetch':
      return `Fetch ${text('url') ?? 'a page'}`;
    case 'WebSearch':
      return `Search the web: ${text('query') ?? ''}`;
    case 'Agent':
    case 'Task':
      return text('description') ?? 'Run a sub-agent';
    case 'Skill':
      return `Skill ${text('skill') ?? ''}`;
    case 'TaskCreate':
      return `Add task: ${text('subject') ?? ''}`;
    case 'TaskUpdate':
      return `Task ${text('taskId') ?? ''}: ${text('status')?.replace('_', ' ') ?? 'update'}`;
    case 'TaskGet':
    case 'TaskList':
      return 'Look at the tasks';
    case 'TodoWrite':
      return 'Update the task list';
    case 'AskUserQuestion':
      return questionsOf(input)[0]?.question ?? 'Ask a question';
    case 'StructuredOutput':
      return 'Give the verdict';
    case 'ExitPlanMode':
      return 'Approve the plan and begin';
    default: {
      const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
      return server === undefined || tool === undefined ? name : `${server}: ${tool}`;
    }
  }
}

/** One question of `AskUserQuestion` (37-ask-user-question). */
export interface ClaudeQuestion {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiSelect: boolean;
}

/** The questions in the input of `AskUserQuestion`, in order; those of another shape are left out. */
export function questionsOf(input: WireObject): readonly ClaudeQuestion[] {
  return objects(input.questions).flatMap((one) => {
    if (typeof one.question !== 'string') return [];
    const options = objects(one.options).flatMap(({ label, description }) => {
      if (typeof label !== 'string') return [];
      return [typeof description === 'string' ? { label, description } : { label }];
    });
    return [{ question: one.question, options, multiSelect: one.multiSelect === true }];
  });
}

function objects(value: Json | undefined): readonly WireObject[] {
  return Array.isArray(value) ? value.filter(isWireObject) : [];
}

/** Relative to the folder when it lies in it. */
function shown(file: string, folder: string): string {
  const relative = path.relative(folder, path.resolve(folder, file));
  return relative === '' || relative.split(path.sep)[0] === '..' || path.isAbsolute(relative) ? file : relative;
}

function range(input: WireObject): string {
  const { offset, limit } = input;
  if (typeof limit !== 'number') return typeof offset === 'number' ? `:${offset}` : '';
  const from = typeof offset === 'number' ? Math.max(1, offset) : 1;
  return `:${from}-${from + limit - 1}`;
}

function oneLine(text: string): string {
  const [first = ''] = text.trim().split(/[\r\n]/, 1);
  return first.length > 200 ? `${first.slice(0, 199)}…` : first;
}
