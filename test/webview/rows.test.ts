import assert from 'node:assert/strict';
import type { LoopEventBody } from '../../src/shared/events.ts';
import { CHUNK_ROWS } from '../../webview/Rows.tsx';
import { longRun, stamp } from '../fakes/events.ts';
import { openPage, type TestPage } from './dom.ts';

type Tell = (entries: readonly object[]) => void;

/** Opens a page with a run of many rows, in which `look` says what the browser would: which chunks are near. */
function longPage() {
  const sights = new Map<Tell, Set<Element>>();
  const page = openPage();
  const Observer = function (this: object, tell: Tell) {
    const watched = new Set<Element>();
    sights.set(tell, watched);
    Object.assign(this, {
      observe: (element: Element) => watched.add(element),
      unobserve: (element: Element) => watched.delete(element),
    });
  };
  Object.defineProperty(globalThis, 'IntersectionObserver', { value: Observer, configurable: true });
  Object.defineProperty(globalThis, 'requestAnimationFrame', { value: queueMicrotask, configurable: true });
  const chunks = () => [...sights.values()].flatMap((watched) => [...watched]);
  page.show({ phase: 'running' }, longRun(2_000));
  return {
    page,
    chunks,
    async look(isNear: (index: number) => boolean, height = 500) {
      for (const [tell, watched] of sights)
        tell(
          [...watched].map((target) => ({
            target,
            isIntersecting: isNear(chunks().indexOf(target)),
            boundingClientRect: { height },
          })),
        );
      await drawnAlone();
    },
  };
}

/** What a component changes by itself is drawn a moment later. */
const drawnAlone = () => new Promise<void>((done) => setImmediate(done));

const drawn = (chunks: readonly Element[]) =>
  chunks.flatMap((chunk, index) => (chunk.querySelector('.unseen') === null ? [index] : []));

const addTo = (page: TestPage, bodies: readonly LoopEventBody[]) => {
  const known = longRun(2_000);
  const events = stamp([...known.map(({ seq: _seq, at: _at, round: _round, ...body }) => body), ...bodies]);
  page.hear({ type: 'batch', runId: 'run', fromSeq: known.length + 1, events: events.slice(known.length) });
};

describe('the rows of a long round', () => {
  it('are drawn at its newest end first, and room is kept for the others', () => {
    const { page, chunks } = longPage();
    const last = chunks().length - 1;
    assert.deepEqual(drawn(chunks()), [last - 1, last]);
    assert.equal(page.all('.unseen')[0]?.getAttribute('aria-label'), `${CHUNK_ROWS} more steps`);
    assert.match(chunks()[0]?.getAttribute('style') ?? '', /height: \d+px/);
  });

  it('are those near what is seen, and those that have left it keep their height', async () => {
    const { chunks, look } = longPage();
    await look((index) => index === 2 || index === 3, 731);
    assert.deepEqual(drawn(chunks()), [2, 3]);
    assert.equal(chunks().at(-1)?.getAttribute('style'), 'height: 731px;');
    await look((index) => index > 2);
    assert.equal(chunks().at(-1)?.getAttribute('style') ?? '', '');
  });

  it('stay while one of them has the focus, and go at the next look when it has gone elsewhere', async () => {
    const { page, chunks, look } = longPage();
    const kept = chunks().length - 2;
    chunks()[kept]?.querySelector<HTMLElement>('.stop')?.focus();
    await look((index) => index < 2);
    assert.deepEqual(drawn(chunks()), [0, 1, kept]);
    page.find('.round-head').focus();
    await look((index) => index < 1);
    assert.deepEqual(drawn(chunks()), [0]);
  });

  it('are drawn when the focus comes to their room, which hands it on to the nearest of them', async () => {
    const { page, chunks, look } = longPage();
    await look((index) => index === 0);
    const first = chunks()[0]?.querySelectorAll<HTMLElement>('.stop');
    const last = [...(first ?? [])].at(-1);
    last?.focus();
    last?.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    await drawnAlone();
    assert.deepEqual(drawn(chunks()), [0, 1]);
    assert.equal(document.activeElement, chunks()[1]?.querySelector('.stop'));
    await look((index) => index === 3);
    page.dispatch({ type: 'tick', now: 1 });
    const stop = chunks()[3]?.querySelector<HTMLElement>('.stop');
    stop?.focus();
    stop?.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }));
    await drawnAlone();
    assert.equal(document.activeElement, [...(chunks()[2]?.querySelectorAll('.stop') ?? [])].at(-1));
  });

  it('stay as they are when others come, which are drawn', () => {
    const { page, chunks } = longPage();
    const before = chunks();
    const nodes = [...(before.at(-2)?.children ?? [])];
    const call = (toolCallId: string): LoopEventBody => ({
      type: 'toolCall.started',
      turn: 1,
      role: 'execute',
      wire: {},
      derived: { toolCallId, title: toolCallId, kind: 'read', state: 'executing' },
    });
    addTo(
      page,
      Array.from({ length: 20 }, (_, index) => call(`new-${index}`)),
    );
    assert.deepEqual([...(before.at(-2)?.children ?? [])], nodes);
    assert.deepEqual(
      page.all('.tool', 'new-').map((row) => row.querySelector('.title')?.textContent),
      Array.from({ length: 20 }, (_, index) => `new-${index}`),
    );
  });
});
