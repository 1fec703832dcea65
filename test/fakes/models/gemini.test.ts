import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as z from 'zod';
import { gate } from './gate.ts';
import { startGemini } from './gemini.ts';
import type { ModelServer, ModelServerOptions } from './modelServer.ts';
import * as s from './story.ts';

const user = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] });
const result = (name: string, response: object) => ({
  contents: [{ role: 'user', parts: [{ functionResponse: { name, response } }] }],
});
const partShape = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z.looseObject({ name: z.string() }).optional(),
});
const chunkShape = z.looseObject({
  candidates: z
    .array(
      z.looseObject({ content: z.looseObject({ parts: z.array(partShape) }), finishReason: z.string().optional() }),
    )
    .optional(),
  usageMetadata: z.looseObject({ totalTokenCount: z.number() }).optional(),
  promptFeedback: z.looseObject({ blockReason: z.string() }).optional(),
  error: z.looseObject({ code: z.number(), status: z.string() }).optional(),
});

describe('model servers: Gemini', () => {
  let server: ModelServer;
  const tell = async (story: s.Story, options?: ModelServerOptions) => {
    server = await startGemini(story, options);
  };
  afterEach(() => server.close());

  const ask = (method: string, body: object, init: RequestInit = {}, model = 'gemini-x') =>
    fetch(`${server.url}/v1beta/models/${model}:${method}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': 'test' },
      body: JSON.stringify(body),
      ...init,
    });
  const stream = (body: object = user('x'), init: RequestInit = {}, model?: string) =>
    ask('streamGenerateContent?alt=sse', body, init, model);
  const chunks = async (body?: object, model?: string) => {
    const frames = (await (await stream(body, {}, model)).text()).split('\r\n\r\n').filter(Boolean);
    return frames.map((frame) => chunkShape.parse(JSON.parse(frame.replace(/^data: /, ''))));
  };
  const partsOf = (all: z.infer<typeof chunkShape>[]) => all.flatMap((one) => one.candidates?.[0]?.content.parts ?? []);
  const text = async (body?: object, model?: string) =>
    partsOf(await chunks(body, model))
      .map((part) => part.text ?? '')
      .join('');

  it('streams thoughts, text in pieces and two calls in one chunk, which is the last', async () => {
    const read = { name: 'read_file', input: { file_path: 'a' } };
    await tell(s.story('a').next(s.think('**A** b'), s.say('hé👋', { size: 2 }), s.calls(read, { ...read, id: 'i' })));
    const all = await chunks();
    assert.equal(all.length, 4);
    assert.equal(partsOf(all)[0]?.thought, true);
    assert.deepEqual(
      partsOf(all).map((part) => part.text ?? part.functionCall?.name),
      ['**A** b', 'hé', '👋', 'read_file', 'read_file'],
    );
    assert.deepEqual(
      all.map((one) => one.candidates?.[0]?.finishReason),
      [undefined, undefined, undefined, 'STOP'],
    );
    assert.ok((all[3]?.usageMetadata?.totalTokenCount ?? 0) > 0);
  });

  it('answers scenes by prompt without the CLI’s context, by model, and by tool result', async () => {
    await tell(
      s
        .story('roles')
        .when({ afterTool: 'read_file', toolFailed: false })
        .reply(s.say('got it'))
        .when({ afterTool: true, toolFailed: true })
        .reply(s.say('it failed'))
        .when({ prompt: /HELLO/i, model: 'pro', afterTool: false })
        .answer((request) => [s.say(request.prompt.toUpperCase())])
        .when({ prompt: 'HELLO' })
        .reply(s.say('wrong: that was context'))
        .when({}, { times: 2 })
        .reply(s.say('else')),
    );
    assert.equal(await text(user('<session_context>HELLO</session_context>other'), 'gemini-pro'), 'else');
    assert.equal(await text(user('<session_context>x</session_context>hello'), 'gemini-pro'), 'HELLO');
    assert.equal(await text(result('read_file', { output: 'x' })), 'got it');
    assert.equal(await text(result('glob', { error: 'x' })), 'it failed');
    assert.equal(await text(result('glob', { output: 'x' })), 'else');
  });

  it('fails in Google’s form with a retry hint, details or a whole body', async () => {
    const daily = { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] };
    await tell(
      s
        .story('errors')
        .next(s.fail(429, { retryAfterSeconds: 3 }))
        .next(s.fail(429, { details: [daily] }))
        .next(s.fail(502, { body: '<html>' })),
    );
    const busy = await stream();
    assert.equal(busy.status, 429);
    assert.match(await busy.text(), /"status":"RESOURCE_EXHAUSTED".*"retryDelay":"3s"/);
    assert.match(await (await stream()).text(), /QuotaFailure/);
    const html = await stream();
    assert.equal(html.headers.get('content-type'), 'text/html');
    assert.equal(await html.text(), '<html>');
  });

  it('refuses a wrong key', async () => {
    await tell(s.story('key'), { apiKey: 'right' });
    const refused = await stream();
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /API key not valid/);
  });

  it('cuts, blocks, breaks and ends streams in every way a client must survive', async () => {
    await tell(
      s
        .story('faults')
        .next(s.say('p'), s.cut())
        .next(s.raw('data: {oops\r\n\r\n'))
        .next(s.finish('blocked'))
        .next(s.say('p'), s.finish('missing'))
        .next(s.say('p'), s.finish('tokenLimit'))
        .next(s.say('p'), s.finish('refused'))
        .next(s.say('p'), s.streamError(503, 'gone')),
    );
    await assert.rejects(async () => (await stream()).text());
    assert.equal(server.exchanges[0]?.outcome, 'cut');
    assert.match(await (await stream()).text(), /\{oops/);
    assert.equal((await chunks())[0]?.promptFeedback?.blockReason, 'SAFETY');
    assert.ok(!(await (await stream()).text()).includes('finishReason'));
    assert.equal((await chunks())[0]?.candidates?.[0]?.finishReason, 'MAX_TOKENS');
    assert.equal((await chunks())[0]?.candidates?.[0]?.finishReason, 'SAFETY');
    assert.deepEqual((await chunks()).at(-1)?.error, { code: 503, message: 'gone', status: 'UNAVAILABLE' });
  });

  it('escapes the line separators that the SDK’s parser stops at', async () => {
    await tell(s.story('u2028').next(s.say('a\u2028b')).next(s.say('a\u2028b')));
    assert.ok((await (await stream()).text()).includes('\\u2028'));
    assert.equal(await text(), 'a\u2028b');
  });

  it('holds until the gate opens, hangs until the client leaves', async () => {
    const door = gate();
    await tell(s.story('held').next(s.hold(door), s.say('after')).next(s.hang()));
    const asked = text();
    await door.reached;
    door.open();
    assert.equal(await asked, 'after');
    const stop = new AbortController();
    const hanging = stream(user('x'), { signal: stop.signal });
    await server.until((one) => one.request.n === 2);
    stop.abort();
    await assert.rejects(hanging);
    assert.equal((await server.until((one) => one.request.n === 2 && one.outcome !== 'open')).outcome, 'clientGone');
  });

  it('answers side calls by their own schema unless a scene does', async () => {
    await tell(s.story('side').when({ kind: 'side', prompt: 'title' }).reply(s.say('A title')));
    const responseJsonSchema = {
      type: 'OBJECT',
      properties: {
        next_speaker: { type: 'STRING', enum: ['model', 'user'] },
        complexity_score: { type: 'INTEGER' },
        list: { type: 'ARRAY', items: { type: 'STRING' } },
        ok: { type: 'BOOLEAN' },
      },
    };
    const routed = await ask('generateContent', { ...user('x'), generationConfig: { responseJsonSchema } });
    const [part] = partsOf([chunkShape.parse(await routed.json())]);
    assert.deepEqual(JSON.parse(part?.text ?? ''), { next_speaker: 'user', complexity_score: 10, list: [], ok: false });
    assert.match(await (await ask('generateContent', user('a title please'))).text(), /A title/);
    assert.match(await (await ask('countTokens', user('hello'))).text(), /totalTokens/);
    assert.equal((await fetch(`${server.url}/nope`)).status, 404);
    assert.equal(server.beyondScript().length, 1);
  });

  it('sends five megabytes, numbered so that the CLI sees no repetition', async () => {
    await tell(s.story('huge').next(s.fill('lorem', 5_000_000)));
    const said = await text();
    assert.equal(said.length, 5_000_000);
    assert.ok(said.startsWith('lorem0 lorem1 '));
  });
});
