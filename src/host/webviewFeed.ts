import type { LoopEvent } from '../shared/events.ts';
import type { HostState, HostToView } from '../shared/messages.ts';

/** What the page is fed from; read anew at every `flush`. */
export interface FeedSource {
  /** The run shown; null: none. `events` without gaps from 1, only ever longer. */
  run(): { readonly id: string; readonly events: readonly LoopEvent[] } | null;
  state(): HostState;
}

/** Keeps one page up to date. */
export interface WebviewFeed {
  /** The page listens and has the events of `runId` up to `lastSeq`: it gets the state and all that it lacks. */
  ready(runId: string | null, lastSeq: number): void;
  /** Sends what is new since the last time, in one message. Nothing while nobody listens. */
  flush(): void;
  /** Sends the state, and a reset when another run is shown. */
  stateChanged(): void;
  /** The page was hidden: VS Code has destroyed it, and it says `ready` when it is made anew (case C56). */
  hidden(): void;
}

/**
 * A feed that says nothing before the page's first `ready`, so that no message meets a page that does not listen yet
 * (case C57). The caller paces `flush`.
 */
export function createWebviewFeed(source: FeedSource, post: (message: HostToView) => void): WebviewFeed {
  let listening = false;
  /** What the page has. */
  let runId: string | null = null;
  let sent = 0;

  const flush = (): void => {
    if (!listening) return;
    const run = source.run();
    const id = run?.id ?? null;
    if (id !== runId) {
      runId = id;
      sent = 0;
      post({ type: 'reset', runId });
    }
    if (run === null || run.events.length <= sent) return;
    const fromSeq = sent + 1;
    const events = run.events.slice(sent);
    sent = run.events.length;
    post({ type: 'batch', runId: run.id, fromSeq, events });
  };
  const stateChanged = (): void => {
    if (!listening) return;
    post({ type: 'state', state: source.state() });
    flush();
  };

  return {
    ready(hasRun, lastSeq) {
      listening = true;
      runId = hasRun;
      sent = lastSeq;
      stateChanged();
    },
    flush,
    stateChanged,
    hidden() {
      listening = false;
    },
  };
}
