import type { Readable, Writable } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import type { WireObject } from '../shared/wire.ts';
import { createObjectParser, type LineDiagnostic } from './ndjson.ts';

/** What a reader does with what it reads. */
export interface ReaderOptions {
  /** Turns one object of the wire into a message to dispatch; null when it was dealt with. */
  readonly accept: (object: WireObject) => Message | null;
  readonly onDiagnostic: (diagnostic: LineDiagnostic) => void;
  /** Once, after the last byte. */
  readonly onEnd: () => void;
}

/** Newline-delimited JSON for vscode-jsonrpc, whose own reader wants `Content-Length` headers. */
export class NdjsonReader extends AbstractMessageReader implements MessageReader {
  readonly #stream: Readable;
  readonly #options: ReaderOptions;

  constructor(stream: Readable, options: ReaderOptions) {
    super();
    this.#stream = stream;
    this.#options = options;
  }

  listen(callback: DataCallback): Disposable {
    const { accept, onDiagnostic, onEnd } = this.#options;
    const stream = this.#stream;
    const parser = createObjectParser({
      onDiagnostic,
      onObject: (object) => {
        const message = accept(object);
        if (message !== null) callback(message);
      },
    });
    let ended = false;
    const onData = (chunk: Buffer): void => parser.push(chunk);
    // A stream that is destroyed closes without an end; an error is followed by its close.
    const finish = (): void => {
      if (ended) return;
      ended = true;
      parser.end();
      onEnd();
      this.fireClose();
    };
    stream.on('data', onData).on('end', finish).on('close', finish).on('error', ignore);
    return { dispose: () => stream.off('data', onData).off('end', finish).off('close', finish) };
  }
}

/** What a writer does before and after writing. */
export interface WriterOptions {
  /** Gives the message as the peer is to see it; null: it is dropped. */
  readonly address: (message: Message) => object | null;
  readonly onFailure: (error: Error) => void;
}

/**
 * Writes one message a line. `write` never rejects: a message that could not be written is told to `onFailure`, since
 * what it asked for is settled with the end of the connection.
 */
export class NdjsonWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: Writable;
  readonly #options: WriterOptions;

  constructor(stream: Writable, options: WriterOptions) {
    super();
    this.#stream = stream;
    this.#options = options;
    stream.on('error', ignore);
  }

  write(message: Message): Promise<void> {
    const addressed = this.#options.address(message);
    if (addressed === null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.write(`${JSON.stringify(addressed)}\n`, (error) => {
        if (error) this.#options.onFailure(error);
        resolve();
      });
    });
  }

  end(): void {
    this.#stream.end();
  }
}

function ignore(): void {}
