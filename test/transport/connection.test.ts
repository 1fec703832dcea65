import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { createMessageConnection, NullLogger } from 'vscode-jsonrpc/node';
import * as z from 'zod';
import { requestType } from '../../src/protocol/jsonrpc.ts';
import type { Json, WireObject } from '../../src/shared/wire.ts';
import { type Connection, createConnection, type ServedRequest } from '../../src/transport/connection.ts';
import { NdjsonReader, NdjsonWriter } from '../../src/transport/ndjsonStreams.ts';
import { ConnectionClosed, InvalidAnswer, PeerError } from '../../src/transport/rpcErrors.ts';
import { serve } from '../../src/transport/serve.ts';
import { createFakePeer, type FakePeer, type FakePeerOptions } from '../fakes/acpPeer.ts';

const ask = requestType<{ readonly n: number }>()('ask', z.looseObject({ n: z.number() }).nullable());

interface Setup {
  readonly peer: FakePeer;
  readonly connection: Connection;
  /** Notifications and remarks in the order of their coming. */
  readonly seen: string[];
}

function setup(requests: Record<string, ServedRequest> = {}, options: FakePeerOptions = {}): Setup {
  const seen: string[] = [];
  const peer = createFakePeer(options);
  const connection = createConnection(peer, {
    notifications: new Map([['tell', (params: Json | undefined) => seen.push(`tell ${JSON.stringify(params)}`)]]),
    requests: new Map(Object.entries(requests)),
    onRemark: (remark) => seen.push(remark.code),
  });
  return { peer, connection, seen };
}

const tell = (params: Json, rest: WireObject = {}): WireObject => ({ jsonrpc: '2.0', method: 'tell', params, ...rest });

describe('createConnection', () => {
  it('sends requests by name and resolves them with the value and the wire', async () => {
    const { peer, connection } = setup();
    const answer = connection.request(ask, { n: 1 });
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 0, method: 'ask', params: { n: 1 } });
    peer.send({ jsonrpc: '2.0', id: 0, result: { n: 2, extra: true } });
    assert.deepEqual(await answer, { value: { n: 2, extra: true }, wire: { n: 2, extra: true } });
  });

  it('tells the peer that an answer is unwanted by $/cancel_request, and still takes the answer', async () => {
    const { peer, connection } = setup();
    const unwanted = new AbortController();
    const answer = connection.request(ask, { n: 1 }, unwanted.signal);
    const { id } = await peer.expect('ask');
    unwanted.abort();
    const cancel = await peer.expect('$/cancel_request');
    assert.deepEqual(cancel, { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: id } });
    peer.send({ jsonrpc: '2.0', id, error: { code: -32800, message: 'Request cancelled' } });
    await assert.rejects(answer, (error) => error instanceof PeerError && error.code === -32800);
    const settled = new AbortController();
    const done = connection.request(ask, { n: 1 }, settled.signal);
    peer.answer(await peer.expect('ask'), null);
    await done;
    settled.abort();
    connection.notify('last', {});
    await peer.expect('last');
  });

  it('sends no $/cancel_request to a peer that does not take it, and errors in the form that it understands', async () => {
    const peer = createFakePeer();
    const connection = createConnection(peer, {
      notifications: new Map(),
      requests: new Map(),
      onRemark: () => undefined,
      takesCancelRequest: () => false,
      errorWire: (method, error) => `${method}: ${String(error.code)}`,
    });
    const unwanted = new AbortController();
    const answer = connection.request(ask, { n: 1 }, unwanted.signal);
    const asked = await peer.expect('ask');
    unwanted.abort();
    peer.send({ jsonrpc: '2.0', id: 7, method: 'fs/read_text_file', params: {} });
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 7, error: 'fs/read_text_file: -32601' });
    peer.answer(asked, null);
    await answer;
  });

  it('resolves a null result (N38) and rejects one of another shape', async () => {
    const { peer, connection } = setup();
    const empty = connection.request(ask, { n: 1 });
    peer.answer(await peer.next(), null);
    assert.deepEqual(await empty, { value: null, wire: null });
    const wrong = connection.request(ask, { n: 1 });
    peer.answer(await peer.next(), { n: 'x' });
    await assert.rejects(wrong, (error) => error instanceof InvalidAnswer && /ask: n: /.test(error.message));
  });

  it('C09: delivers a response after the effects of all that came before it, in one read (N47)', async () => {
    const { peer, connection, seen } = setup();
    const answer = connection.request(ask, { n: 1 }).then(() => [...seen]);
    const request = await peer.next();
    const lines = [tell(1), tell(2), { jsonrpc: '2.0', id: request.id, result: null }, tell(3)];
    peer.sendRaw(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    assert.deepEqual(await answer, ['tell 1', 'tell 2']);
  });

  it('takes a known notification with id null as one (N33) and ignores unknown ones (N43)', async () => {
    const { peer, connection, seen } = setup();
    const answer = connection.request(ask, { n: 1 });
    const request = await peer.next();
    peer.send(tell(1, { id: null }), { jsonrpc: '2.0', method: '_vendor/heartbeat', params: { n: 1 } });
    peer.send({ jsonrpc: '2.0', method: '$/cancelRequest' }, { jsonrpc: '2.0', method: '$/progress' });
    peer.answer(request, null);
    await answer;
    assert.deepEqual(seen, ['tell 1']);
    assert.equal(peer.received.length, 1);
  });

  it('C12: answers unknown methods with -32601 and the id in its own type (N29, N44)', async () => {
    const { peer, seen } = setup();
    peer.send({ jsonrpc: '2.0', id: 'req-7', method: 'no/such', params: {} });
    peer.send({ jsonrpc: '2.0', id: 11, method: 'toString' });
    const replies = [await peer.next(), await peer.next()];
    assert.deepEqual(
      replies.map(({ id, error }) => [
        id,
        typeof error === 'object' && error !== null && 'code' in error && error.code,
      ]),
      [
        ['req-7', -32601],
        [11, -32601],
      ],
    );
    assert.deepEqual(seen, []);
  });

  it('answers parameters of another shape with -32602 (N56) and an id of another type with -32600', async () => {
    const read = serve(z.looseObject({ path: z.string() }), async ({ path }) => ({ content: path }));
    const { peer } = setup({ read });
    for (const params of [{}, null, [], 'x', { path: 3 }]) peer.send({ jsonrpc: '2.0', id: 1, method: 'read', params });
    peer.send({ jsonrpc: '2.0', id: 1, method: 'read' });
    for (const id of [null, {}, [], true]) peer.send({ jsonrpc: '2.0', id, method: 'read', params: { path: 'a' } });
    peer.send({ jsonrpc: '2.0', id: 9, method: 5 });
    peer.send({ jsonrpc: '2.0', id: 1.5, method: 'read', params: { path: 'a' } });
    const codes: Json[] = [];
    for (let i = 0; i < 11; i++) {
      const { id, error } = await peer.next();
      codes.push([id ?? null, (error !== null && typeof error === 'object' && 'code' in error && error.code) || null]);
    }
    assert.deepEqual(codes, [...Array(6).fill([1, -32602]), ...Array(4).fill([null, -32600]), [9, -32600]]);
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 1.5, result: { content: 'a' } });
  });

  it('C08: keeps ids of both directions apart, and 3 from "3" (N40)', async () => {
    const { peer, connection, seen } = setup({ echo: async (params) => params ?? null });
    const answer = connection.request(ask, { n: 1 });
    await peer.next();
    peer.send(
      { jsonrpc: '2.0', id: 0, method: 'echo', params: { a: 'number' } },
      { jsonrpc: '2.0', id: '0', method: 'echo', params: { a: 'string' } },
      { jsonrpc: '2.0', id: 0, method: 'echo', params: { a: 'again' } },
      { jsonrpc: '2.0', id: '0', result: { n: 7 } },
      { jsonrpc: '2.0', id: 0, result: { n: 8 } },
      { jsonrpc: '2.0', id: 0, result: { n: 9 } },
    );
    assert.deepEqual((await answer).value, { n: 8 });
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 0, result: { a: 'number' } });
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: '0', result: { a: 'string' } });
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 0, result: { a: 'again' } });
    assert.deepEqual(seen, ['unknownResponseId', 'unknownResponseId']);
  });

  it('reports responses to nothing and goes on (N35, N39)', async () => {
    const { peer, connection, seen } = setup();
    const answer = connection.request(ask, { n: 1 });
    const request = await peer.next();
    peer.send(
      { jsonrpc: '2.0', id: 99, result: {} },
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
      { jsonrpc: '2.0', id: null, result: {} },
      { level: 'info' },
    );
    peer.sendRaw('Loaded.\n[]\n');
    peer.answer(request, { n: 1 });
    await answer;
    assert.deepEqual(seen, [
      'unknownResponseId',
      'agentError',
      'invalidResponse',
      'invalidResponse',
      'noise',
      'notObject',
    ]);
  });

  const rejected: [string, WireObject, number, string[]][] = [
    ['an error', { error: { code: 429, message: 'quota', data: { a: 1 } } }, 429, []],
    ['result and error (N36)', { result: {}, error: { code: -32603, message: 'boom' } }, -32603, ['invalidResponse']],
    ['result null and error', { result: null, error: { code: -32000, message: 'sign in' } }, -32000, []],
    ['an error that is a string', { error: 'ENOENT' }, -32603, ['invalidResponse']],
    ['neither result nor error', {}, -32603, ['invalidResponse']],
    ['error null without result', { error: null }, -32603, ['invalidResponse']],
  ];
  for (const [name, body, code, remarks] of rejected) {
    it(`rejects a response with ${name}`, async () => {
      const { peer, connection, seen } = setup();
      const answer = connection.request(ask, { n: 1 });
      const { id } = await peer.next();
      peer.send({ jsonrpc: '2.0', id, ...body });
      await assert.rejects(answer, (error) => error instanceof PeerError && error.code === code);
      assert.deepEqual(seen, remarks);
    });
  }

  it('takes result and error null as a result', async () => {
    const { peer, connection } = setup();
    const answer = connection.request(ask, { n: 1 });
    const { id } = await peer.next();
    peer.send({ jsonrpc: '2.0', id, result: { n: 1 }, error: null });
    assert.deepEqual((await answer).value, { n: 1 });
  });

  it('keeps the error object of the peer verbatim', async () => {
    const { peer, connection } = setup();
    const answer = connection.request(ask, { n: 1 });
    const wire = { code: -32603, message: 'Internal error', data: { details: 'x' }, more: [1] };
    peer.send({ jsonrpc: '2.0', id: (await peer.next()).id, error: wire });
    await assert.rejects(
      answer,
      (error) => error instanceof PeerError && assert.deepEqual(error.wire, wire) === undefined,
    );
  });

  it('aborts a request that the peer takes back, by id and type of id', async () => {
    const aborted: string[] = [];
    const wait: ServedRequest = (params, withdrawn) =>
      new Promise((resolve) => {
        withdrawn.addEventListener('abort', () => {
          aborted.push(String(params));
          resolve('taken back');
        });
      });
    const { peer } = setup({ wait });
    peer.send(
      { jsonrpc: '2.0', id: 1, method: 'wait', params: 'number' },
      { jsonrpc: '2.0', id: '1', method: 'wait', params: 'string' },
      { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: '1' } },
      { jsonrpc: '2.0', method: '$/cancel_request', params: {} },
      { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 44 } },
    );
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: '1', result: 'taken back' });
    assert.deepEqual(aborted, ['string']);
  });

  it('answers with an error and tells when what serves a request fails', async () => {
    const { peer, seen } = setup({ bad: () => Promise.reject(new Error('a fault of ours')) });
    peer.send({ jsonrpc: '2.0', id: 1, method: 'bad' });
    assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'a fault of ours' } });
    assert.deepEqual(seen, ['invalid']);
  });

  it('loses nothing of a burst that ends with a response and the exit, and settles every request (B5)', async () => {
    const { peer, connection, seen } = setup();
    const answered = connection.request(ask, { n: 1 });
    const open = [connection.request(ask, { n: 2 }), connection.request(ask, { n: 3 })];
    const settled = Promise.allSettled(open);
    const request = await peer.next();
    for (let i = 0; i < 300; i++) peer.send(tell(i));
    peer.answer(request, { n: 1 });
    peer.exit({ code: 55 }, 'the last words\n');
    assert.deepEqual((await answered).value, { n: 1 });
    assert.equal(seen.length, 300);
    for (const result of await settled) {
      assert.ok(result.status === 'rejected' && result.reason instanceof ConnectionClosed);
      assert.equal(result.reason.exit.code, 55);
      assert.equal(result.reason.stderrTail, 'the last words\n');
    }
    assert.equal((await connection.closed).exit.code, 55);
    await assert.rejects(connection.request(ask, { n: 4 }), ConnectionClosed);
    connection.notify('late', {});
  });

  it('uses a last line without an end, and reports half of one, before it closes (N17, N18)', async () => {
    const { peer, connection, seen } = setup();
    const answer = connection.request(ask, { n: 1 });
    const { id } = await peer.next();
    peer.sendRaw(JSON.stringify({ jsonrpc: '2.0', id, result: { n: 1 } }));
    peer.exit();
    assert.deepEqual((await answer).value, { n: 1 });
    const second = setup();
    second.peer.sendRaw('{"jsonrpc":"2.0","method":"tell","par');
    second.peer.exit();
    await second.connection.closed;
    assert.deepEqual([...seen, ...second.seen], ['truncatedEof']);
  });

  it('ends a peer whose output has ended, and one that no longer reads', async () => {
    const silent = setup({}, { onStop: 'nothing' });
    const open = silent.connection.request(ask, { n: 1 });
    silent.peer.stdout.destroy();
    await silent.peer.next();
    silent.peer.exit({ code: 1 });
    await assert.rejects(open, (error) => error instanceof ConnectionClosed && error.exit.code === 1);
    assert.equal(silent.peer.stops, 1);

    const deaf = setup();
    deaf.peer.stdin.destroy();
    await assert.rejects(deaf.connection.request(ask, { n: 1 }), ConnectionClosed);
    assert.ok(deaf.peer.stops >= 1);
  });

  it('answers nothing after the end, however late the answer comes', async () => {
    let finish: (value: Json) => void = () => undefined;
    const { peer, connection } = setup({ slow: () => new Promise<Json>((resolve) => (finish = resolve)) });
    peer.send({ jsonrpc: '2.0', id: 1, method: 'slow' }, tell(1));
    peer.exit();
    await connection.closed;
    finish('late');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(peer.received, []);
  });
});

/** Why `createConnection` ends in its own way: when one of these fails, vscode-jsonrpc has changed. */
describe('vscode-jsonrpc alone', () => {
  function alone() {
    const input = new PassThrough();
    let ended: () => void = () => undefined;
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const reader = new NdjsonReader(input, {
      accept: (object) => ({ ...object, jsonrpc: '2.0' }),
      onDiagnostic: () => assert.fail('no diagnostic expected'),
      onEnd: () => ended(),
    });
    const writer = new NdjsonWriter(new PassThrough(), { address: (message) => message, onFailure: assert.fail });
    const rpc = createMessageConnection(reader, writer, NullLogger);
    return { input, rpc, end };
  }

  it('leaves a request pending when the peer is gone', async () => {
    const { input, rpc, end } = alone();
    rpc.listen();
    let settled = false;
    const request = rpc.sendRequest('ask').finally(() => {
      settled = true;
    });
    input.end();
    await end;
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(settled, false);
    rpc.dispose();
    await assert.rejects(request);
  });

  it('loses what was read when it is disposed at once', async () => {
    const { input, rpc, end } = alone();
    let told = 0;
    rpc.onNotification('tell', () => {
      told++;
    });
    rpc.listen();
    input.end('{"jsonrpc":"2.0","method":"tell"}\n'.repeat(300));
    await end;
    rpc.dispose();
    for (let i = 0; i < 400; i++) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(told < 300, `${told} of 300 told`);
  });
});
