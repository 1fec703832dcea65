import * as z from 'zod';
import type { HttpRequest } from './dialect.ts';
import type { ModelRequest, ToolResult } from './story.ts';

const asBlocks = (value: unknown): unknown => (typeof value === 'string' ? [{ type: 'text', text: value }] : value);

const textBlocks = z.preprocess(
  (value) => asBlocks(value ?? []),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
);

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().optional(),
  content: textBlocks.optional(),
});

const message = z.looseObject({ role: z.string(), content: z.preprocess(asBlocks, z.array(block)) });

const body = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  system: textBlocks.optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  messages: z.array(message),
});

type Message = z.infer<typeof message>;
type Block = z.infer<typeof block>;

/** What `/v1/messages` was asked. Throws when the body is not the API's. */
export function readAnthropicRequest(
  http: HttpRequest,
  n: number,
): { readonly request: ModelRequest; readonly stream: boolean; readonly pairingError: string | null } {
  const parsed = body.parse(JSON.parse(http.raw));
  // Claude Code 2.1.197 puts `system` messages into the middle of a conversation.
  const messages = parsed.messages.filter((one) => one.role !== 'system');
  const prompt = messages.findLast((one) => one.role === 'user' && !one.content.some(isResult));
  const tools = (parsed.tools ?? []).map((tool) => tool.name);
  const request: ModelRequest = {
    n,
    kind: tools.length > 0 ? 'main' : 'side',
    model: parsed.model,
    system: textOf(parsed.system ?? []),
    prompt: textOf(prompt?.content ?? [])
      .replace(/<system-reminder>.*?<\/system-reminder>/gs, '')
      .trim(),
    conversation: messages.map((one) => textOf(one.content)).join('\n'),
    toolResults: toolResults(messages),
    tools,
    headers: http.headers,
    raw: http.raw,
  };
  return { request, stream: parsed.stream === true, pairingError: pairingError(messages) };
}

const isResult = (one: Block) => one.type === 'tool_result';
const isCall = (one: Block) => one.type === 'tool_use';

function textOf(blocks: readonly { readonly text?: string | undefined }[]): string {
  return blocks.flatMap((one) => one.text ?? []).join('\n');
}

function toolResults(messages: readonly Message[]): ToolResult[] {
  const calls = messages.flatMap((one) => one.content.filter(isCall));
  return (messages.at(-1)?.content ?? []).filter(isResult).map((result) => ({
    name: calls.find((call) => call.id === result.tool_use_id)?.name ?? '',
    text: textOf(result.content ?? []),
    isError: result.is_error === true,
  }));
}

/** The real API's rule: every tool_use is answered in the very next message, and nothing else is. */
function pairingError(messages: readonly Message[]): string | null {
  for (const [index, one] of messages.entries()) {
    const next = messages[index + 1]?.content ?? [];
    const before = messages[index - 1]?.content ?? [];
    const missing = one.content.filter(isCall).filter((call) => !next.some((after) => after.tool_use_id === call.id));
    if (missing.length > 0) {
      const ids = missing.map((call) => call.id).join(', ');
      return `messages.${index}: tool_use ids were found without tool_result blocks immediately after: ${ids}`;
    }
    const orphan = one.content
      .filter(isResult)
      .find((result) => !before.some((call) => call.id === result.tool_use_id));
    if (orphan) return `messages.${index}: unexpected tool_use_id found in tool_result blocks: ${orphan.tool_use_id}`;
  }
  return null;
}
