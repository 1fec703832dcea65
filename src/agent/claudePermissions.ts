import { type ClaudeToolAsk, suggestedRules, type ToolAnswer } from '../protocol/claudeStream.ts';
import type { PermissionAnswer, PermissionOption, PermissionRequest } from '../shared/events.ts';
import { type FileText, previewOf } from './claudeContent.ts';
import { describeClaudeTool, questionsOf } from './claudeTools.ts';

/** A question of Claude Code in our words, and the way back to its wire. */
export interface ClaudePermission {
  readonly request: PermissionRequest;
  /** What the answer is on the wire. An option that we did not offer refuses. */
  readonly toWire: (answer: PermissionAnswer) => ToolAnswer;
}

const ALLOW: PermissionOption = { optionId: 'allow', name: 'Allow', kind: 'allow_once' };
const DENY: PermissionOption = { optionId: 'deny', name: 'Deny', kind: 'reject_once' };

/**
 * Claude Code offers no options of its own, so they are derived: allow this call, allow its kind in this session when
 * the CLI suggests a rule for that, and deny with words. `file` is the present text of the file that is asked about.
 */
export function permissionOf(ask: ClaudeToolAsk, file: FileText, folder: string): ClaudePermission {
  const { tool_name: name, input, blocked_path: blocked } = ask;
  const call = describeClaudeTool(name, input, folder);
  const questions = name === 'AskUserQuestion' ? questionOptions(ask) : null;
  const rules = questions === null ? suggestedRules(ask) : [];
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
    // Approving a plan is a person's word, never a policy's (36-plan-mode-exit-plan).
    kind: name === 'ExitPlanMode' ? 'ask' : call.kind,
    options: questions ?? (rules.length > 0 ? [ALLOW, always, DENY] : [ALLOW, DENY]),
    content: contentOf(ask, file),
    paths: [...new Set([...call.paths, ...(typeof blocked === 'string' ? [blocked] : [])])],
    ...(call.command === null ? {} : { command: call.command }),
    takesMessage: true,
  };
  const toWire = (answer: PermissionAnswer): ToolAnswer => {
    if (answer.outcome === 'cancelled') return deny('The question was withdrawn: the turn is being stopped.');
    const option = request.options.find((one) => one.optionId === answer.optionId);
    if (option === undefined || option.kind === 'reject_once') return deny(answer.message);
    if (questions !== null) return { behavior: 'allow', updatedInput: { ...input, answers: answersOf(ask, option) } };
    const session = { type: 'addRules', rules, behavior: 'allow', destination: 'session' } as const;
    const permissions = option.kind === 'allow_always' ? { updatedPermissions: [session] } : {};
    return { behavior: 'allow', updatedInput: input, ...permissions };
  };
  return { request, toWire };
}

function deny(message: string | undefined): ToolAnswer {
  const words = message?.trim() ?? '';
  return { behavior: 'deny', message: words === '' ? 'The user refused this. Do not try it another way.' : words };
}

/**
 * One option for each label of a single question. Several questions at once, or several labels to a question, can only
 * be declined with words.
 */
function questionOptions(ask: ClaudeToolAsk): readonly PermissionOption[] {
  const [question, ...more] = questionsOf(ask.input);
  if (question === undefined || more.length > 0 || question.multiSelect) return [DENY];
  const labels = question.labels.map(
    (name, index): PermissionOption => ({ optionId: `answer-${index}`, name, kind: 'allow_once' }),
  );
  return [...labels, DENY];
}

/** The form of an answer: label by question (37-ask-user-question). */
function answersOf(ask: ClaudeToolAsk, option: PermissionOption): { readonly [question: string]: string } {
  const [question] = questionsOf(ask.input);
  return question === undefined ? {} : { [question.question]: option.name };
}

function contentOf(ask: ClaudeToolAsk, file: FileText): PermissionRequest['content'] {
  const { plan } = ask.input;
  if (ask.tool_name === 'ExitPlanMode' && typeof plan === 'string') return [{ type: 'text', text: plan }];
  if (ask.tool_name !== 'AskUserQuestion') return previewOf(ask.tool_name, ask.input, file);
  return questionsOf(ask.input).map(({ question, labels }) => ({
    type: 'text',
    text: [question, ...labels.map((label) => `- ${label}`)].join('\n'),
  }));
}
