import assert from 'node:assert/strict';
import { createSchedulerWorld, settle, type Wish } from './schedulerWorld.ts';

const read = (path: string | null, more: Partial<Wish> = {}): Wish => ({
  role: 'execute',
  exclusive: false,
  path,
  permit: 'granted',
  ...more,
});
const write = (path: string | null, more: Partial<Wish> = {}): Wish => read(path, { exclusive: true, ...more });
const GRANTED = { type: 'granted', byPerson: true } as const;

describe('scheduler', () => {
  it('runs contiguous reads together, writes alone, in the order of their arrival', async () => {
    const world = createSchedulerWorld();
    const [a, b] = [world.submit(read('/a')), world.submit(read('/b'))];
    const c = world.submit(write('/c'));
    const d = world.submit(read('/d'));
    assert.deepEqual(
      [a, b, c, d].map((one) => one.begun),
      [true, true, false, false],
    );
    a.finish(true);
    await settle();
    assert.equal(c.begun, false, 'a read is still running');
    b.finish(true);
    await settle();
    assert.deepEqual([c.begun, d.begun], [true, false]);
    c.finish(false);
    await settle();
    assert.equal(d.begun, true);
    assert.deepEqual(c.settled, ['error']);
    assert.deepEqual(world.wrong, []);
  });

  it('keeps requests of one path in order, also reads', async () => {
    const world = createSchedulerWorld();
    const first = world.submit(read('/a'));
    const second = world.submit(read('/a'));
    const other = world.submit(read('/b'));
    assert.deepEqual([first.begun, second.begun, other.begun], [true, false, true]);
    first.finish(true);
    await settle();
    assert.equal(second.begun, true);
  });

  it('holds nothing while a question waits, but no later write passes it on its path', async () => {
    const world = createSchedulerWorld();
    const asked = world.submit(write('/a', { permit: 'asks' }));
    const reading = world.submit(read('/a'));
    const same = world.submit(write('/a'));
    const other = world.submit(write('/b'));
    assert.equal(reading.begun, true);
    reading.finish(true);
    await settle();
    assert.deepEqual([same.begun, other.begun], [false, true]);
    other.finish(true);
    asked.answer(GRANTED);
    await settle();
    assert.deepEqual([asked.begun, same.begun], [true, false]);
    asked.finish(true);
    await settle();
    assert.equal(same.begun, true);
    assert.deepEqual(world.wrong, []);
  });

  it('lets go first what a person has approved, before what was queued', async () => {
    const world = createSchedulerWorld();
    const running = world.submit(write(null));
    const queued = world.submit(write('/b'));
    const asked = world.submit(write('/c', { permit: 'asks' }));
    asked.answer(GRANTED);
    await settle();
    running.finish(true);
    await settle();
    assert.deepEqual([asked.begun, queued.begun], [true, false]);
  });

  it('is not blocked by a server: a start is over when it has started', async () => {
    const world = createSchedulerWorld();
    const start = world.submit(write(null));
    start.finish(true);
    const later = world.submit(write('/a'));
    await settle();
    assert.equal(later.begun, true);
  });

  it('tells every move, with a reason at an end that is none of its own', async () => {
    const world = createSchedulerWorld();
    world.submit(write('/a', { permit: 'refused' }));
    world.submit(write('/a', { permit: 'throws' }));
    const asked = world.submit(write('/a', { permit: 'asks' }));
    asked.withdraw();
    asked.answer(GRANTED);
    const done = world.submit(write('/a'));
    done.finish(true);
    await settle();
    const told = world.events.flatMap((event) =>
      event.type === 'request.moved' ? [`${event.requestId} ${event.state} ${event.reason ?? ''}`.trim()] : [],
    );
    assert.deepEqual(told, [
      'r1 validating',
      'r1 cancelled denied',
      'r2 validating',
      'r2 error failed',
      'r3 validating',
      'r3 awaitingApproval',
      'r3 cancelled stopped',
      'r4 validating',
      'r4 scheduled',
      'r4 executing',
      'r4 success',
    ]);
    assert.deepEqual(
      world.all.map((one) => one.settled),
      [['denied'], ['error'], ['stopped'], ['done']],
    );
  });

  it('stops each state at once, and begins nothing beside work whose effects are not over', async () => {
    const world = createSchedulerWorld();
    const running = world.submit(write('/a'));
    const queued = world.submit(write('/b'));
    const asked = world.submit(write('/c', { permit: 'asks' }));
    const reviewer = world.submit(read('/d', { role: 'review' }));
    world.scheduler.cancel('execute');
    await settle();
    assert.deepEqual(
      [running, queued, asked].map((one) => one.settled),
      [['stopped'], ['stopped'], ['stopped']],
    );
    assert.equal(reviewer.begun, false, 'the stopped write is still writing');
    running.finish(true);
    await settle();
    assert.equal(reviewer.begun, true);
    assert.deepEqual(running.settled, ['stopped']);
  });

  it('refuses after its end what comes, and waits for what writes', async () => {
    const world = createSchedulerWorld();
    const running = world.submit(write('/a'));
    let gone = false;
    const disposed = world.scheduler.dispose().then(() => {
      gone = true;
    });
    const late = world.submit(read('/b'));
    await settle();
    assert.deepEqual([gone, late.begun, late.settled], [false, false, ['stopped']]);
    running.finish(false);
    await disposed;
    await world.scheduler.dispose();
  });
});
