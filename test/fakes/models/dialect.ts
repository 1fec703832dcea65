import type { ContentStep, FailHint, Finish, ModelRequest, Step } from './story.ts';

/** Token counts of one answer. */
export interface TokenCount {
  readonly input: number;
  readonly output: number;
}

/** A whole HTTP answer. A string body is sent as HTML, anything else as JSON. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an HTTP request turned out to be. */
export type Arrival =
  | {
      readonly type: 'model';
      readonly request: ModelRequest;
      readonly stream: boolean;
      /** Set when the real API would refuse the body before any model sees it. */
      readonly refusal: PlainAnswer | null;
    }
  | { readonly type: 'plain'; readonly answer: PlainAnswer };

export interface HttpRequest {
  readonly method: string;
  /** Path with its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
}

/** Turns the steps of one streamed answer into server-sent events. One encoder serves one answer. */
export interface StreamEncoder {
  open(): string;
  /** One entry a delta. `last`: nothing but the end follows. */
  content(step: ContentStep, last: boolean): Iterable<string>;
  /** Completes a content block that is still open; faults leave it open, as a dying server does. */
  settle(): string;
  error(status: number, message: string): string;
  close(finish: Finish): string;
}

/** One model API as its clients see it. */
export interface Dialect {
  /** `n` is the number that the request gets if it is a model request. Throws on a body that is not the API's. */
  read(http: HttpRequest, n: number): Arrival;
  stream(request: ModelRequest, content: readonly ContentStep[], finish: Finish, tokens: TokenCount): StreamEncoder;
  /** The answer to a request that did not ask for a stream. */
  whole(request: ModelRequest, content: readonly ContentStep[], finish: Finish, tokens: TokenCount): unknown;
  fault(status: number, hint: FailHint): PlainAnswer;
  /** What a request hears that no scene answers. */
  unscripted(request: ModelRequest): readonly Step[];
}

/** What every unscripted main request hears, so that a test can look for it in a transcript. */
export const UNSCRIPTED_TEXT = '(nothing scripted)';
