import { type ClaudeToolAsk, suggestedRules, type ToolAnswer } from '../protocol/claudeStream.ts';
import type { PermissionAnswer, PermissionOption, PermissionRequest } from '../shared/permission.ts';
import type { FormValues, QuestionField } from '../shared/question.ts';
import { formProblems } from '../shared/questionForm.ts';
import type { WireObject } from '../shared/wire.ts';
import { type FileText, PREVIEW_LIMIT, previewOf } from './claudeContent.ts';
import { describeClaudeTool, questionsOf } from './claudeTools.ts';

/** A question of Claude Code in our words, and the way back to its wire. */
export interface ClaudePermission {
  readonly request: PermissionRequest;
  /** What the answer is on the wire. An option that we did not offer refuses. */
  readonly toWire: (answer: PermissionAnswer) => ToolAnswer;
}

const ALLOW: PermissionOption = { optionId: 'allow', name: 'Allow', kind: 'allow_once' };
const DENY: PermissionOption = { optionId: 'deny', name: 'Deny', kind: 'reject_once' };
const REFUSED = 'The user refused this. Do not try it another way.';

/**
 * Claude Code offers no options of its own, so they are derived: allow this call, allow its kind in this session when
 * the CLI suggests a rule for that, and deny with words. Its questions and plans become forms. `file` is the present
 * text of the file that is asked about.
 */
export function permissionOf(ask: ClaudeToolAsk, file: FileText, folder: string): ClaudePermission {
  switch (ask.tool_name) {
    case 'AskUserQuestion':
      return questionPermission(ask, folder);
    case 'ExitPlanMode':
      return planPermission(ask, folder);
    default:
      return toolPermission(ask, file, folder);
  }
}

function toolPermission(ask: ClaudeToolAsk, file: FileText, folder: string): ClaudePermission {
  const { tool_name: name, input, blocked_path: blocked } = ask;
  const call = describeClaudeTool(name, input, folder);
  const rules = suggestedRules(ask);
  const scope = rules.map(({ toolName, ruleContent }) => (ruleContent ? `${toolName}(${ruleContent})` : toolName));
  const always: PermissionOption = {
    optionId: 'allow-session',
    name: 'Always allow in this session',
    kind: 'allow_always',
    scope: scope.join(', '),
  };
  const [firstLine = ''] = (call.command ?? '').split(/[\r\n]/, 1);
  const request: PermissionRequest = {
    toolCallId: ask.tool_use_id,
    title: call.command === null ? call.title : firstLine,
    kind: call.kind,
    options: rules.length > 0 ? [ALLOW, always, DENY] : [ALLOW, DENY],
    content: previewOf(name, input, file),
    paths: [...new Set([...call.paths, ...(typeof blocked === 'string' ? [blocked] : [])])],
    ...(call.command === null ? {} : { command: call.command }),
    takesMessage: true,
    ...(changedInput(name, input, file, '') === null ? {} : { takesChange: true }),
  };
  return {
    request,
    toWire: wireOf(request, REFUSED, (kind, _, changedText) => {
      const wanted = changedText === undefined ? input : changedInput(name, input, file, changedText);
      if (wanted === null) return deny(undefined);
      const session = { type: 'addRules', rules, behavior: 'allow', destination: 'session' } as const;
      const permissions = kind === 'allow_always' ? { updatedPermissions: [session] } : {};
      return { behavior: 'allow', updatedInput: wanted, ...permissions };
    }),
  };
}

/**
 * The input that leaves the whole file as `text`; null where that cannot be said. An edit then replaces everything that is
 * in the file: 2.1.197 compares lines that end in LF, whatever the file has, and gives the file its own ends back
 * (15-permission-allow-updatedInput, `test/e2e/changedEdit.test.ts`).
 */
function changedInput(name: string, input: WireObject, file: FileText, text: string): WireObject | null {
  if (name === 'Write' && typeof input.content === 'string' && file.type !== 'unread') {
    return input.content.length > PREVIEW_LIMIT ? null : { ...input, content: text };
  }
  const { old_string: oldString } = input;
  if (name !== 'Edit' || typeof oldString !== 'string' || oldString === '' || file.type !== 'text') return null;
  if (!file.text.includes(oldString)) return null;
  const lines = (whole: string) => whole.replaceAll('\r\n', '\n');
  return { ...input, old_string: lines(file.text), new_string: lines(text), replace_all: false };
}

/** One to four questions, each with its labels, one or several of them, or words of the person's own. */
function questionPermission(ask: ClaudeToolAsk, folder: string): ClaudePermission {
  const { input } = ask;
  const questions = questionsOf(input);
  const fields = questions.map(({ question, multiSelect, options }, index): QuestionField => {
    const head = { id: `q${index + 1}`, label: question, required: true, freeText: true } as const;
    const offered = options.map(({ label, ...rest }) => ({ value: label, label, ...rest }));
    return { ...head, type: multiSelect ? 'choices' : 'choice', options: offered };
  });
  const answer: PermissionOption = { optionId: 'answer', name: 'Answer', kind: 'allow_once' };
  const decline: PermissionOption = { optionId: 'deny', name: 'Decline to answer', kind: 'reject_once' };
  const request: PermissionRequest = {
    ...bare(ask, folder),
    options: fields.length > 0 ? [answer, decline] : [decline],
    ...(fields.length > 0 ? { form: { message: '', fields } } : {}),
  };
  // Label by question; several labels stand in one text with commas (37-ask-user-question, sdk-tools.d.ts).
  const answersOf = (values: FormValues) =>
    Object.fromEntries(
      questions.flatMap(({ question }, index) => {
        const value = values[`q${index + 1}`];
        return value === undefined ? [] : [[question, typeof value === 'object' ? value.join(', ') : String(value)]];
      }),
    );
  return {
    request,
    toWire: wireOf(
      request,
      'The user does not want to answer this. Go on with what you know, or stop.',
      (_, values) => ({
        behavior: 'allow',
        updatedInput: { ...input, answers: answersOf(values) },
      }),
    ),
  };
}

/** The plan to read, and a person's word on it, never a policy's (36-plan-mode-exit-plan). */
function planPermission(ask: ClaudeToolAsk, folder: string): ClaudePermission {
  // What the plan would have allowed beforehand is not shown, so it is not granted: each call asks for itself.
  const { allowedPrompts: _, ...input } = ask.input;
  const { plan } = input;
  const request: PermissionRequest = {
    ...bare(ask, folder),
    options: [
      { ...ALLOW, name: 'Approve the plan' },
      { ...DENY, name: 'Keep planning' },
    ],
    ...(typeof plan === 'string' && plan !== '' ? { form: { message: plan, fields: [] } } : {}),
  };
  return {
    request,
    toWire: wireOf(request, 'The user does not approve this plan. Revise it; change no file yet.', () => ({
      behavior: 'allow',
      updatedInput: input,
    })),
  };
}

function bare(ask: ClaudeToolAsk, folder: string): Omit<PermissionRequest, 'options'> {
  const { title } = describeClaudeTool(ask.tool_name, ask.input, folder);
  return { toolCallId: ask.tool_use_id, title, kind: 'ask', content: [], paths: [], takesMessage: true };
}

/** Allows by an allowing option that was offered, with its form filled in; everything else refuses. */
function wireOf(
  { options, form }: PermissionRequest,
  refusal: string,
  allow: (kind: PermissionOption['kind'], values: FormValues, changedText: string | undefined) => ToolAnswer,
): ClaudePermission['toWire'] {
  return (answer) => {
    if (answer.outcome === 'cancelled') return deny('The question was withdrawn: the turn is being stopped.');
    const option = options.find((one) => one.optionId === answer.optionId);
    const values = answer.form ?? {};
    const isFilled = form === undefined || formProblems(form, values).size === 0;
    if (option === undefined || option.kind === 'reject_once' || !isFilled) return deny(answer.message, refusal);
    return allow(option.kind, values, answer.changedText);
  };
}

function deny(message: string | undefined, otherwise = REFUSED): ToolAnswer {
  const words = message?.trim() ?? '';
  return { behavior: 'deny', message: words === '' ? otherwise : words };
}
