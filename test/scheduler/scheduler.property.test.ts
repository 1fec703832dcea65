import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isEnd, TRANSITIONS } from '../../src/shared/toolState.ts';
import { illegalMoves } from '../shared/toolMoves.ts';
import { createSchedulerWorld, type Driven, settle } from './schedulerWorld.ts';

const numRuns = process.env.DEEP === '1' ? 10_000 : 300;

const role = fc.constantFrom('execute', 'review');
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('submit'),
      wish: fc.record({
        role,
        exclusive: fc.boolean(),
        path: fc.constantFrom('/a', '/b', '/c', null),
        permit: fc.constantFrom('granted', 'granted', 'granted', 'asks', 'asks', 'refused', 'throws'),
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('answer'), which: fc.nat(), allow: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('finish'), which: fc.nat(), ok: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('withdraw'), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel'), role }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('death'), role }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('pause') }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Every move that any sequence has made, for the walk over the whole table. */
const walked = new Set<string>();

describe('scheduler, random sequences', function () {
  this.timeout(numRuns * 40);

  it(`settles each request once, keeps the order and leaves no lock (${numRuns} sequences)`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const world = createSchedulerWorld();
        for (const one of steps) {
          await take(world, one);
          assert.deepEqual(world.wrong, []);
        }
        await settle();
        assertNothingIdle(world);
        // Nobody leaves a question or a piece of work open for ever.
        for (let left = unfinished(world.all); left.length > 0; left = unfinished(world.all)) {
          for (const one of left) one.answer({ type: 'granted', byPerson: true });
          await settle();
          for (const one of world.all) if (one.begun && !one.over) one.finish(true);
          await settle();
        }
        for (const one of world.all) assert.equal(one.settled.length, 1, `request ${one.order}`);
        assert.deepEqual(world.wrong, []);
        assert.deepEqual(illegalMoves(world.events), []);
        await assertNoLock(world);
        remember(world);
      }),
      { numRuns },
    );
  });

  it('has walked every move of the table that a request of ours can make', () => {
    const table = Object.entries(TRANSITIONS).flatMap(([from, next]) => next.map((to) => `${from} ${to}`));
    // Only an agent's own call asks in the middle, and a question does not fail.
    const others = ['executing awaitingApproval', 'awaitingApproval error'];
    assert.deepEqual([...walked].toSorted(), table.filter((move) => !others.includes(move)).toSorted());
  });
});

type World = ReturnType<typeof createSchedulerWorld>;

async function take(world: World, one: Step): Promise<void> {
  const pick = (which: number): Driven | undefined => world.all[which % Math.max(1, world.all.length)];
  switch (one.type) {
    case 'submit':
      if (one.wish !== undefined) world.submit(one.wish);
      return;
    case 'answer':
      pick(one.which ?? 0)?.answer(one.allow ? { type: 'granted', byPerson: true } : { type: 'refused', why: 'no' });
      return;
    case 'finish':
      pick(one.which ?? 0)?.finish(one.ok ?? true);
      return;
    case 'withdraw':
      pick(one.which ?? 0)?.withdraw();
      return;
    case 'cancel':
      world.scheduler.cancel(one.role);
      return;
    case 'death':
      // The agent is gone: its requests are stopped, and what it had begun comes to its end by itself.
      world.scheduler.cancel(one.role);
      for (const driven of world.all)
        if (driven.wish.role === one.role && driven.begun && !driven.over) driven.finish(false);
      return;
    default:
      await settle();
  }
}

const unfinished = (all: readonly Driven[]) =>
  all.filter((one) => one.settled.length === 0 || (one.begun && !one.over));

/** Where nothing runs, nothing is queued but writes behind a question about their path, and what comes after them there. */
function assertNothingIdle({ all, stateOf }: World): void {
  if (all.some((one) => one.begun && !one.over)) return;
  for (const one of all) {
    if (stateOf(one) !== 'scheduled') continue;
    const behind = all.some((other) => {
      if (other.order >= one.order || other.wish.path !== one.wish.path || one.wish.path === null) return false;
      const state = stateOf(other);
      return state === 'scheduled' || (state === 'awaitingApproval' && other.wish.exclusive && one.wish.exclusive);
    });
    assert.ok(behind, `request ${one.order} waits for nothing`);
  }
}

/** A write of each path, and a start without one, begin at once when all is over. */
async function assertNoLock(world: World): Promise<void> {
  for (const path of ['/a', '/b', '/c', null]) {
    const last = world.submit({ role: 'execute', exclusive: true, path, permit: 'granted' });
    assert.ok(last.begun, `a lock of ${path} is left`);
    last.finish(true);
    await settle();
    assert.deepEqual(last.settled, ['done']);
  }
  await world.scheduler.dispose();
}

function remember({ events }: World): void {
  const states = new Map<string, string>();
  for (const event of events) {
    if (event.type !== 'request.moved') continue;
    const from = states.get(event.requestId);
    if (from !== undefined) walked.add(`${from} ${event.state}`);
    states.set(event.requestId, event.state);
    if (isEnd(event.state)) states.delete(event.requestId);
  }
}
