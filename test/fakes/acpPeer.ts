import { PassThrough } from 'node:stream';
import type { Json, WireObject } from '../../src/shared/wire.ts';
import type { Child, ChildExit } from '../../src/transport/childProcess.ts';
import { createObjectParser } from '../../src/transport/ndjson.ts';

/** A peer inside the test: it says what the test lets it say, and remembers what it was told. */
export interface FakePeer extends Child {
  /** Every message that our side sent, in order. */
  readonly received: readonly WireObject[];
  /** Settles with the next message that our side sends and that nobody has waited for yet. */
  next(): Promise<WireObject>;
  /** Next message with this method; fails on another one. */
  expect(method: string): Promise<WireObject>;
  /** Sends one message a line. */
  send(...messages: readonly object[]): void;
  /** Sends bytes as they are. */
  sendRaw(bytes: string | Uint8Array): void;
  /** Answers a request. */
  answer(request: WireObject, result: Json): void;
  /** Ends the process: the rest of its output is what was sent before. */
  exit(exit?: Partial<ChildExit>, stderr?: string): void;
  /** How often `stop` was called. */
  readonly stops: number;
}

export interface FakePeerOptions {
  /** What `stop` does to a peer that runs: `exit` (the default) ends it with code 0, `nothing` waits for `exit`. */
  readonly onStop?: 'exit' | 'nothing';
}

export function createFakePeer(options: FakePeerOptions = {}): FakePeer {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const received: WireObject[] = [];
  const waiting: ((message: WireObject) => void)[] = [];
  let read = 0;
  let stderr = '';
  let stops = 0;
  let markExited: (exit: ChildExit) => void = () => undefined;
  const exited = new Promise<ChildExit>((resolve) => {
    markExited = resolve;
  });
  const parser = createObjectParser({
    onDiagnostic: (diagnostic) => {
      throw new Error(`Our side wrote a line that is no message: ${diagnostic.text}`);
    },
    onObject: (object) => {
      received.push(object);
      const waiter = waiting.shift();
      if (waiter !== undefined) {
        read++;
        waiter(object);
      }
    },
  });
  stdin.on('data', (chunk: Buffer) => parser.push(chunk));

  const peer: FakePeer = {
    pid: null,
    stdin,
    stdout,
    received,
    get stops() {
      return stops;
    },
    stderrTail: () => stderr,
    exited,
    stop: () => {
      stops++;
      if (options.onStop !== 'nothing') peer.exit();
      return exited;
    },
    kill: () => peer.exit({ code: null, signal: 'SIGKILL' }),
    next: () => {
      const message = received[read];
      if (message !== undefined) {
        read++;
        return Promise.resolve(message);
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    expect: async (method) => {
      const message = await peer.next();
      if (message.method !== method) throw new Error(`Expected ${method}, got ${JSON.stringify(message)}`);
      return message;
    },
    send: (...messages) => {
      for (const message of messages) stdout.write(`${JSON.stringify(message)}\n`);
    },
    sendRaw: (bytes) => {
      stdout.write(bytes);
    },
    answer: (request, result) => {
      stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id ?? null, result })}\n`);
    },
    exit: (exit = {}, text = '') => {
      stderr += text;
      stdout.end();
      markExited({ code: 0, signal: null, error: null, ...exit });
    },
  };
  return peer;
}

/** A `session/update` notification of session `s1`. */
export function update(body: WireObject, sessionId = 's1'): WireObject {
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: body } };
}

/** A chunk of the agent's message. */
export function chunk(text: string): WireObject {
  return update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
}

/** A permission request of Gemini's shape (acp-04-permission-denied). */
export function permission(id: string | number, toolCallId: string, title = 'Write hello.txt'): WireObject {
  return {
    jsonrpc: '2.0',
    id,
    method: 'session/request_permission',
    params: {
      sessionId: 's1',
      options: [
        { optionId: 'proceed_always', name: 'Allow for this session', kind: 'allow_always' },
        { optionId: 'proceed_once', name: 'Allow', kind: 'allow_once' },
        { optionId: 'cancel', name: 'Reject', kind: 'reject_once' },
      ],
      toolCall: {
        toolCallId,
        status: 'pending',
        title,
        content: [],
        locations: [{ path: '/w/hello.txt' }],
        kind: 'edit',
      },
    },
  };
}
