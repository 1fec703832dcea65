import assert from 'node:assert/strict';
import { createWebviewFeed } from '../../src/host/webviewFeed.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { HostToView } from '../../src/shared/messages.ts';
import { TWO_ROUND_RUN } from '../fakes/events.ts';
import { IDLE } from './windowState.ts';

function ground() {
  const posted: HostToView[] = [];
  const events: LoopEvent[] = [];
  let id: string | null = 'run';
  const feed = createWebviewFeed({ run: () => (id === null ? null : { id, events }), state: () => IDLE }, (message) =>
    posted.push(structuredClone(message)),
  );
  /** What was posted since the last call, in short. */
  const taken = () =>
    posted.splice(0).map((message) => {
      if (message.type === 'batch') return `batch ${message.fromSeq}+${message.events.length}`;
      return message.type === 'reset' ? `reset ${message.runId}` : message.type;
    });
  return {
    feed,
    taken,
    add: (count: number) => events.push(...TWO_ROUND_RUN.slice(events.length, events.length + count)),
    show(next: string | null) {
      id = next;
      events.length = 0;
    },
  };
}

describe('webviewFeed', () => {
  it('says nothing before the page listens, then all at once (case C57)', () => {
    const { feed, taken, add } = ground();
    add(5);
    feed.flush();
    feed.stateChanged();
    assert.deepEqual(taken(), []);
    feed.ready(null, 0);
    assert.deepEqual(taken(), ['state', 'reset run', 'batch 1+5']);
  });

  it('sends what is new in one message, and none when nothing is', () => {
    const { feed, taken, add } = ground();
    feed.ready(null, 0);
    taken();
    add(3);
    feed.flush();
    feed.flush();
    add(2);
    feed.flush();
    assert.deepEqual(taken(), ['batch 1+3', 'batch 4+2']);
  });

  it('is silent while the page is hidden, and sends the backlog on its next ready (case C56)', () => {
    const { feed, taken, add } = ground();
    feed.ready(null, 0);
    add(2);
    feed.flush();
    feed.hidden();
    taken();
    add(20);
    feed.flush();
    feed.stateChanged();
    assert.deepEqual(taken(), []);
    feed.ready(null, 0);
    assert.deepEqual(taken(), ['state', 'reset run', 'batch 1+22']);
  });

  it('sends a page that kept its events only those that it lacks', () => {
    const { feed, taken, add } = ground();
    add(10);
    feed.ready('run', 6);
    assert.deepEqual(taken(), ['state', 'batch 7+4']);
  });

  it('resets when another run is shown, or none', () => {
    const { feed, taken, add, show } = ground();
    add(2);
    feed.ready(null, 0);
    taken();
    show('next');
    add(1);
    feed.stateChanged();
    assert.deepEqual(taken(), ['state', 'reset next', 'batch 1+1']);
    show(null);
    feed.stateChanged();
    feed.stateChanged();
    assert.deepEqual(taken(), ['state', 'reset null', 'state']);
  });
});
