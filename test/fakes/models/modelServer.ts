import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ClientGone, newAnswer } from './answer.ts';
import type { Dialect, HttpRequest } from './dialect.ts';
import { play } from './play.ts';
import { newScript } from './script.ts';
import type { ModelRequest, Step, Story } from './story.ts';

/** One model request and what became of it; `outcome` is `open` until the answer is over. */
export interface Exchange {
  readonly request: ModelRequest;
  /** Name of the scene that answered; null: none did, the request is beyond the script. */
  readonly scene: string | null;
  outcome: 'open' | 'done' | 'cut' | 'clientGone' | 'broken';
  /** HTTP status; 0 while open or when the connection was cut before any. */
  status: number;
  /** What went wrong in the story or the server itself, for `broken`. */
  error: string | null;
}

/** A loopback stand-in of a model API, in this process. */
export interface ModelServer {
  readonly url: string;
  /** Every model request in the order of arrival. */
  readonly exchanges: readonly Exchange[];
  /** Method and path of every other request. */
  readonly others: readonly string[];
  /** The requests that no scene answered. */
  beyondScript(): readonly Exchange[];
  /** Names of the current story's scenes that have never answered anything. */
  unplayed(): readonly string[];
  /** Starts another story; numbers and records go on. */
  tell(story: Story): void;
  /** The first exchange, past or coming, that satisfies the test. */
  until(test: (exchange: Exchange) => boolean): Promise<Exchange>;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

export interface ModelServerOptions {
  /** When set, a request with another key is refused the way the API does. */
  readonly apiKey?: string;
}

const MAX_BODY_BYTES = 128 * 1024 * 1024;

export async function startModelServer(dialect: Dialect, story: Story): Promise<ModelServer> {
  const exchanges: Exchange[] = [];
  const others: string[] = [];
  const waiting = new Set<() => void>();
  let script = newScript(story);
  const changed = () => {
    for (const look of waiting) look();
  };

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = newAnswer(response);
    const http: HttpRequest = {
      method: incoming.method ?? 'GET',
      url: incoming.url ?? '/',
      headers: headersOf(incoming),
      raw: await readBody(incoming),
    };
    const arrival = readArrival(dialect, http, exchanges.length + 1);
    if (arrival.type === 'plain') {
      others.push(`${http.method} ${http.url}`);
      answer.plain(arrival.answer);
      return;
    }
    const { request, refusal } = arrival;
    const scene = refusal ? null : script.take(request);
    const exchange: Exchange = { request, scene: scene?.name ?? null, outcome: 'open', status: 0, error: null };
    exchanges.push(exchange);
    changed();
    try {
      if (refusal) {
        answer.plain(refusal);
        Object.assign(exchange, { outcome: 'done', status: refusal.status });
      } else {
        const reply = scene?.reply ?? dialect.unscripted(request);
        const steps: readonly Step[] = typeof reply === 'function' ? reply(request) : reply;
        Object.assign(exchange, await play(steps, dialect, request, arrival.stream, answer));
      }
    } catch (error) {
      exchange.outcome = error instanceof ClientGone ? 'clientGone' : 'broken';
      if (!(error instanceof ClientGone)) {
        exchange.error = String(error);
        if (answer.begun) await answer.destroy();
        else answer.plain(dialect.fault(500, { message: `story "${story.title}": ${exchange.error}` }));
      }
    }
    changed();
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model server has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges,
    others,
    beyondScript: () => exchanges.filter((exchange) => exchange.scene === null),
    unplayed: () => script.unplayed(),
    tell(next) {
      script = newScript(next);
    },
    until: (test) =>
      new Promise((resolve) => {
        const look = () => {
          const found = exchanges.find(test);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function readArrival(dialect: Dialect, http: HttpRequest, n: number) {
  try {
    return dialect.read(http, n);
  } catch (error) {
    return { type: 'plain', answer: dialect.fault(400, { message: `unreadable request: ${error}` }) } as const;
  }
}

function headersOf(incoming: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]));
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw new Error(`a request body over ${MAX_BODY_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
