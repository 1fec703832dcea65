import * as z from 'zod';
import type { HttpRequest } from './dialect.ts';
import type { ModelRequest } from './story.ts';

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionResponse: z.looseObject({ name: z.string(), response: z.looseObject({}).optional() }).optional(),
});
const content = z.looseObject({ role: z.string().optional(), parts: z.array(part).optional() });
const body = z.looseObject({
  contents: z.array(content).optional(),
  systemInstruction: content.optional(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .optional(),
  generationConfig: z
    .looseObject({ responseJsonSchema: z.unknown().optional(), responseSchema: z.unknown().optional() })
    .optional(),
});

type Content = z.infer<typeof content>;

const textOf = (one: Content | undefined) => (one?.parts ?? []).map((piece) => piece.text ?? '').join('');

/** What a `generateContent` route was asked. Throws when the body is not the API's. */
export function readGeminiRequest(
  http: HttpRequest,
  n: number,
  model: string,
  kind: ModelRequest['kind'],
): ModelRequest {
  const parsed = body.parse(JSON.parse(http.raw));
  const contents = parsed.contents ?? [];
  const prompt = contents.findLast((one) => one.role === 'user' && textOf(one) !== '');
  const results = (contents.at(-1)?.parts ?? []).flatMap((piece) => piece.functionResponse ?? []);
  return {
    n,
    kind,
    model,
    system: textOf(parsed.systemInstruction),
    prompt: textOf(prompt)
      .replace(/<session_context>.*?<\/session_context>/gs, '')
      .trim(),
    conversation: contents.map(textOf).join('\n'),
    toolResults: results.map((result) => ({
      name: result.name,
      text: JSON.stringify(result.response ?? {}),
      isError: result.response !== undefined && 'error' in result.response,
    })),
    tools: (parsed.tools ?? []).flatMap((tool) => (tool.functionDeclarations ?? []).map((one) => one.name)),
    headers: http.headers,
    raw: http.raw,
  };
}

/** The schema that the answer must satisfy, undefined when the request asks for plain text. */
export function responseSchema(request: ModelRequest): unknown {
  const config = body.parse(JSON.parse(request.raw)).generationConfig;
  return config?.responseJsonSchema ?? config?.responseSchema;
}
