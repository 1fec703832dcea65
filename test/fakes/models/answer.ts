import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { PlainAnswer } from './dialect.ts';

/** Thrown to whoever writes to a client that has closed the connection. */
export class ClientGone extends Error {}

/** One HTTP answer. Headers go out with the first byte, so that a fault or a pause can come before them. */
export interface Answer {
  readonly begun: boolean;
  readonly clientGone: boolean;
  write(text: string): Promise<void>;
  pause(ms: number): Promise<void>;
  /** Waits for the promise; rejects with ClientGone when the client leaves first. */
  until(promise: Promise<void>): Promise<void>;
  /** Waits until the client leaves, then rejects with ClientGone. */
  untilGone(): Promise<never>;
  end(): void;
  plain(answer: PlainAnswer): void;
  destroy(): Promise<void>;
}

export function newAnswer(response: ServerResponse): Answer {
  const gone = new AbortController();
  const left = new Promise<never>((_, reject) => {
    response.on('close', () => {
      gone.abort();
      reject(new ClientGone());
    });
  });
  left.catch(() => {});
  response.on('error', () => {});

  return {
    get begun() {
      return response.headersSent;
    },
    get clientGone() {
      return gone.signal.aborted;
    },
    async write(text) {
      if (gone.signal.aborted) throw new ClientGone();
      if (!response.headersSent) {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
      }
      if (!response.write(text)) {
        await Promise.race([new Promise<void>((resolve) => response.once('drain', () => resolve())), left]);
      }
    },
    async pause(ms) {
      await Promise.race([wait(ms, undefined, { signal: gone.signal }).catch(() => {}), left]);
    },
    async until(promise) {
      await Promise.race([promise, left]);
    },
    untilGone: () => left,
    end() {
      response.end();
    },
    plain({ status, body, headers }) {
      if (gone.signal.aborted) return;
      const html = typeof body === 'string';
      response.writeHead(status, {
        'content-type': html ? 'text/html' : 'application/json; charset=utf-8',
        ...headers,
      });
      response.end(html ? body : JSON.stringify(body));
    },
    async destroy() {
      // What was written must reach the client first, or the cut would come before its text.
      await new Promise<void>((resolve) => setImmediate(() => resolve()));
      response.destroy();
    },
  };
}
