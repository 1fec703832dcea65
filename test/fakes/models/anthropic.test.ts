import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as z from 'zod';
import { startAnthropic } from './anthropic.ts';
import { UNSCRIPTED_TEXT } from './dialect.ts';
import { gate } from './gate.ts';
import type { ModelServer, ModelServerOptions } from './modelServer.ts';
import * as s from './story.ts';

const tools = [{ name: 'Edit', input_schema: { type: 'object' } }];
const user = (content: unknown) => ({ role: 'user', content });
const answerShape = z.looseObject({
  stop_reason: z.string(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});
const eventShape = z.looseObject({
  type: z.string(),
  index: z.number().optional(),
  delta: z
    .looseObject({
      type: z.string().optional(),
      text: z.string().optional(),
      partial_json: z.string().optional(),
      stop_reason: z.string().optional(),
    })
    .optional(),
  content_block: z.looseObject({ type: z.string(), name: z.string().optional() }).optional(),
  error: z.looseObject({ type: z.string() }).optional(),
});

describe('model servers: Anthropic', () => {
  let server: ModelServer;
  const tell = async (story: s.Story, options?: ModelServerOptions) => {
    server = await startAnthropic(story, options);
  };
  afterEach(() => server.close());

  const ask = (body: object, init: RequestInit = {}) =>
    fetch(`${server.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers: { 'x-api-key': 'test' },
      body: JSON.stringify({ model: 'claude-x', max_tokens: 9, tools, messages: [user('hi')], ...body }),
      ...init,
    });
  const whole = async (body: object) => answerShape.parse(await (await ask(body)).json());
  const text = async (body: object) => (await whole(body)).content.map((one) => one.text).join('');
  const events = async (body: object = {}) => {
    const frames = (await (await ask({ stream: true, ...body })).text()).trim().split('\n\n');
    return frames.map((frame) => eventShape.parse(JSON.parse(frame.slice(frame.indexOf('data: ') + 6))));
  };

  it('streams thoughts, text in pieces and two tool calls at once', async () => {
    const edit = { name: 'Edit', input: { file_path: '/a' } };
    await tell(
      s.story('a').next(s.think('hm'), s.say('Hello 👋', { size: 3 }), s.calls(edit, { ...edit, id: 'toolu_2' })),
    );
    const all = await events();
    const types = all.filter((one) => one.content_block).map((one) => one.content_block?.type);
    assert.deepEqual(types, ['thinking', 'text', 'tool_use', 'tool_use']);
    const said = all.filter((one) => one.delta?.type === 'text_delta').map((one) => one.delta?.text);
    assert.deepEqual(said, ['Hel', 'lo ', '👋']);
    const input = all.filter((one) => one.index === 2).map((one) => one.delta?.partial_json ?? '');
    assert.deepEqual(JSON.parse(input.join('')), edit.input);
    assert.equal(all.filter((one) => one.type === 'content_block_stop').length, 4);
    assert.equal(all.at(-2)?.delta?.stop_reason, 'tool_use');
    assert.equal(all.at(-1)?.type, 'message_stop');
  });

  it('answers scenes by prompt, tool result, offered tools, and the rest in order', async () => {
    await tell(
      s
        .story('roles')
        .when({ prompt: /^review/i, lacks: 'Edit' }, { name: 'review' })
        .reply(s.say('8/10'))
        .when({ afterTool: 'Edit', toolFailed: true, toolText: 'no such file' })
        .reply(s.say('I see'))
        .when({ prompt: 'twice' }, { times: 2 })
        .answer((request) => [s.say(`answer to ${request.prompt}`)])
        .next(s.say('first'))
        .next(s.finish('tokenLimit')),
    );
    assert.equal(await text({}), 'first');
    const reminder = { type: 'text', text: '<system-reminder>review</system-reminder>' };
    const review = { type: 'text', text: 'Review it' };
    assert.equal(await text({ tools: [{ name: 'Read' }], messages: [user([reminder, review])] }), '8/10');
    const used = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Edit', input: {} }] };
    const failed = { type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'no such file' };
    assert.equal(await text({ messages: [user('x'), used, user([failed])] }), 'I see');
    assert.equal(await text({ messages: [user('twice')] }), 'answer to twice');
    assert.equal(await text({ messages: [user('twice')] }), 'answer to twice');
    assert.equal((await whole({})).stop_reason, 'max_tokens');
    assert.deepEqual(server.unplayed(), []);
    assert.deepEqual(server.beyondScript(), []);
  });

  it('counts what no scene answers, side calls too, and keeps every body', async () => {
    await tell(s.story('short').next(s.say('only one')).when({ prompt: 'never' }, { name: 'unused' }).reply());
    assert.equal(await text({ tools: [] }), UNSCRIPTED_TEXT, 'a side call does not take the turn of the conversation');
    assert.equal(await text({}), 'only one');
    assert.equal(await text({ messages: [user('a secret')] }), UNSCRIPTED_TEXT);
    assert.deepEqual(
      server.beyondScript().map((one) => [one.request.n, one.request.kind]),
      [
        [1, 'side'],
        [3, 'main'],
      ],
    );
    assert.ok(server.exchanges[2]?.request.raw.includes('a secret'));
    assert.deepEqual(server.unplayed(), ['unused']);
  });

  it('fails with the status, the type and the retry hint of the API', async () => {
    await tell(
      s
        .story('errors')
        .next(s.fail(529, { retryAfterSeconds: 7 }))
        .next(s.fail(502, { body: '<html>' })),
    );
    const overloaded = await ask({});
    assert.equal(overloaded.status, 529);
    assert.equal(overloaded.headers.get('retry-after'), '7');
    assert.match(await overloaded.text(), /"overloaded_error"/);
    assert.equal(await (await ask({})).text(), '<html>');
  });

  it('refuses a wrong key and unpaired tool calls before any scene is used', async () => {
    await tell(s.story('refused').next(s.say('fine')), { apiKey: 'right' });
    assert.equal((await ask({})).status, 401);
    const right = { headers: { 'x-api-key': 'right' } };
    const used = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Edit', input: {} }] };
    const unanswered = await ask({ messages: [user('x'), used, user('and?')] }, right);
    assert.equal(unanswered.status, 400);
    assert.match(await unanswered.text(), /t1/);
    const orphan = { type: 'tool_result', tool_use_id: 'nobody', content: '' };
    assert.match(await (await ask({ messages: [user([orphan])] }, right)).text(), /unexpected tool_use_id/);
    assert.match(await (await ask({}, right)).text(), /fine/);
  });

  it('cuts before the answer and in the middle of a block', async () => {
    await tell(s.story('cuts').next(s.cut()).next(s.say('half a se'), s.cut()));
    await assert.rejects(ask({ stream: true }));
    const cut = await ask({ stream: true });
    await assert.rejects(cut.text());
    assert.deepEqual(
      server.exchanges.map((one) => [one.outcome, one.status]),
      [
        ['cut', 0],
        ['cut', 200],
      ],
    );
  });

  it('breaks streams: an error event, no end, bytes that are no JSON, broken tool input', async () => {
    await tell(
      s
        .story('broken')
        .next(s.say('a'), s.streamError(529, 'Overloaded'))
        .next(s.say('b'), s.finish('missing'))
        .next(s.say('c'), s.raw('data: {oops\n\n'))
        .next(s.brokenCall('Edit', '{"file_')),
    );
    const failed = await events();
    assert.equal(failed.at(-1)?.error?.type, 'overloaded_error');
    assert.ok(!failed.some((one) => one.type === 'content_block_stop'), 'a dying server completes nothing');
    assert.equal((await events()).at(-1)?.type, 'content_block_stop');
    assert.match(await (await ask({ stream: true })).text(), /data: \{oops\n\n/);
    assert.ok((await events()).some((one) => one.delta?.partial_json === '{"file_'));
  });

  it('holds an answer until the test opens the gate', async () => {
    const door = gate();
    await tell(s.story('held').next(s.say('before '), s.hold(door), s.say('after')));
    const asked = ask({ stream: true });
    await door.reached;
    const response = await asked;
    assert.equal(server.exchanges[0]?.outcome, 'open');
    door.open();
    assert.match(await response.text(), /before .*after.*message_stop/s);
  });

  it('hangs until the client leaves, and says so', async () => {
    await tell(s.story('silent').next(s.hang()));
    const stop = new AbortController();
    const asked = ask({ stream: true }, { signal: stop.signal });
    await server.until((one) => one.outcome === 'open');
    stop.abort();
    await assert.rejects(asked);
    assert.equal((await server.until((one) => one.outcome !== 'open')).outcome, 'clientGone');
  });

  it('sends three megabytes whole, and the token counts that a story names', async () => {
    await tell(s.story('huge').next(s.fill('lorem', 3_000_000), s.usage(5, 7)));
    const all = await events();
    const said = all.map((one) => (one.delta?.type === 'text_delta' ? (one.delta.text ?? '') : '')).join('');
    assert.equal(said.length, 3_000_000);
    assert.deepEqual(all.find((one) => one.type === 'message_delta')?.usage, { output_tokens: 7 });
  });

  it('starts another story on the same server, and answers what clients ask besides', async () => {
    await tell(s.story('one'));
    server.tell(s.story('two').next(s.say('the second story')));
    assert.equal(await text({}), 'the second story');
    assert.equal((await fetch(server.url, { method: 'HEAD' })).status, 200);
    const counted = await fetch(`${server.url}/v1/messages/count_tokens`, { method: 'POST', body: '{}' });
    assert.equal(await counted.text(), '{"input_tokens":1}');
    assert.equal((await fetch(`${server.url}/v1/nothing`)).status, 404);
    assert.equal((await ask({}, { body: '{' })).status, 400);
    assert.equal(server.exchanges.length, 1);
    assert.equal(server.others.length, 4);
  });

  it('says which story is at fault when a reply throws', async () => {
    await tell(
      s
        .story('the faulty one')
        .when({})
        .answer(() => assert.fail('no idea')),
    );
    const response = await ask({});
    assert.equal(response.status, 500);
    assert.match(await response.text(), /the faulty one.*no idea/);
    assert.equal(server.exchanges[0]?.outcome, 'broken');
  });
});
