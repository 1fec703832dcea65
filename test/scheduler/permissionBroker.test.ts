import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createPermissionBroker } from '../../src/scheduler/permissionBroker.ts';
import type { PolicyDecision } from '../../src/scheduler/policy.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';

const REQUEST: PermissionRequest = {
  toolCallId: 't1',
  title: 'Write hello.txt',
  kind: 'edit',
  options: [
    { optionId: 'always', name: 'Always', kind: 'allow_always' },
    { optionId: 'once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Deny', kind: 'reject_once' },
  ],
  content: [],
  paths: ['/p/hello.txt'],
  takesMessage: false,
};

function ground(decision: PolicyDecision = { type: 'ask' }) {
  const events: LoopEventBody[] = [];
  const waits: string[] = [];
  const broker = createPermissionBroker({
    append: (event) => events.push(event),
    decide: () => decision,
    turnOf: () => 1,
    onWaiting: (role, waiting) => waits.push(`${role} ${waiting}`),
  });
  const resolved = () =>
    events.flatMap((e) => (e.type === 'permission.resolved' ? [`${e.permissionId} ${e.by} ${e.answer.outcome}`] : []));
  return {
    broker,
    events,
    waits,
    resolved,
    ask: (signal = new AbortController().signal) => broker.port('execute').request(REQUEST, {}, signal),
  };
}

describe('permission broker', () => {
  it('gives the agent the option that the person chose, once', async () => {
    const { broker, ask, resolved, waits } = ground();
    const answer = ask();
    assert.equal(broker.answer('p1', { outcome: 'selected', optionId: 'once' }), true);
    assert.equal(broker.answer('p1', { outcome: 'selected', optionId: 'always' }), false, 'a late answer does nothing');
    assert.deepEqual(await answer, { outcome: 'selected', optionId: 'once' });
    assert.deepEqual(resolved(), ['p1 user selected']);
    assert.deepEqual(waits, ['execute true', 'execute false']);
  });

  it('refuses an option that was not offered', () => {
    const { broker, ask, resolved } = ground();
    void ask();
    assert.equal(broker.answer('p1', { outcome: 'selected', optionId: 'proceed_always_and_save' }), false);
    assert.deepEqual(resolved(), []);
  });

  it('takes an offer of ours only with the option that allows once, and tells of it before the agent hears', async () => {
    const heard: string[] = [];
    const offer = { offerId: 'run-edits', type: 'runEdits' } as const;
    const broker = createPermissionBroker({
      append: (event) => heard.push(event.type),
      decide: () => ({ type: 'ask', offers: [offer] }),
      turnOf: () => 1,
      onWaiting: () => undefined,
      onAllowed: (role, request, option) => heard.push(`${role} may ${request.title}: ${option.kind}`),
      onOffer: (_role, { offerId }) => heard.push(offerId),
    });
    const { signal } = new AbortController();
    const answer = broker.port('execute').request(REQUEST, {}, signal);
    const refused = broker.port('execute').request(REQUEST, {}, signal);
    const chosen = { outcome: 'selected', optionId: 'once', offerId: 'run-edits' } as const;
    assert.equal(broker.answer('p1', { ...chosen, offerId: 'other' }), false);
    assert.equal(broker.answer('p1', { ...chosen, optionId: 'always' }), false);
    assert.equal(broker.answer('p1', chosen), true);
    assert.deepEqual(await answer, chosen);
    assert.equal(broker.answer('p2', { outcome: 'selected', optionId: 'no' }), true);
    await refused;
    assert.deepEqual(heard, [
      'permission.requested',
      'permission.requested',
      'run-edits',
      'permission.resolved',
      'execute may Write hello.txt: allow_once',
      'permission.resolved',
    ]);
  });

  it('takes an allowing answer of a form only when the form is filled in, and a refusal without', async () => {
    const { broker, events } = ground();
    const field = { id: 'name', type: 'text', label: 'Name', required: true } as const;
    const request = { ...REQUEST, form: { message: '', fields: [field] } };
    const { signal } = new AbortController();
    const first = broker.port('execute').request(request, {}, signal);
    const second = broker.port('execute').request(request, {}, signal);
    assert.equal(broker.answer('p1', { outcome: 'selected', optionId: 'once' }), false);
    assert.equal(broker.answer('p1', { outcome: 'selected', optionId: 'once', form: { name: 1 } }), false);
    const filled = { outcome: 'selected', optionId: 'once', form: { name: 'main' } } as const;
    assert.equal(broker.answer('p1', filled), true);
    assert.deepEqual(await first, filled);
    assert.equal(broker.answer('p2', { outcome: 'selected', optionId: 'no', form: { name: 'main' } }), false);
    assert.equal(broker.answer('p2', { outcome: 'selected', optionId: 'no' }), true);
    assert.deepEqual(await second, { outcome: 'selected', optionId: 'no' });
    assert.equal(events.length, 4);
  });

  it('takes another text only where the request takes a change, and with an option that allows', async () => {
    const { broker, events } = ground();
    const ask = (request: PermissionRequest) =>
      broker.port('execute').request(request, {}, new AbortController().signal);
    void ask(REQUEST);
    const changed = { outcome: 'selected', optionId: 'once', changedText: 'mine\n' } as const;
    assert.equal(broker.answer('p1', changed), false);
    const answer = ask({ ...REQUEST, takesChange: true });
    assert.equal(broker.answer('p2', { ...changed, optionId: 'no' }), false);
    assert.equal(broker.answer('p2', changed), true);
    assert.deepEqual(await answer, changed);
    assert.equal(events.filter((event) => event.type === 'permission.resolved').length, 1);
  });

  it('takes no values for a request without a form', () => {
    const { broker, ask } = ground();
    void ask();
    assert.equal(broker.answer('p1', { outcome: 'selected', optionId: 'once', form: {} }), false);
  });

  it('settles by policy without anybody waiting', async () => {
    const { ask, resolved, waits } = ground({
      type: 'answer',
      answer: { outcome: 'selected', optionId: 'no' },
      why: 'w',
    });
    assert.deepEqual(await ask(), { outcome: 'selected', optionId: 'no' });
    assert.deepEqual(resolved(), ['p1 policy selected']);
    assert.deepEqual(waits, []);
  });

  it('settles as withdrawn when the agent takes the question back', async () => {
    const { ask, resolved } = ground();
    const withdrawn = new AbortController();
    const answer = ask(withdrawn.signal);
    withdrawn.abort();
    assert.deepEqual(await answer, { outcome: 'cancelled' });
    assert.deepEqual(resolved(), ['p1 withdrawn cancelled']);
  });

  it('settles a question that comes after the end at once', async () => {
    const { broker, ask, resolved } = ground();
    broker.settleAll('dispose');
    assert.deepEqual(await ask(), { outcome: 'cancelled' });
    assert.deepEqual(resolved(), ['p1 dispose cancelled']);
  });

  it('lets no policy allow what comes after the end, or is taken back already', async () => {
    const { broker, ask, resolved, waits } = ground({
      type: 'answer',
      answer: { outcome: 'selected', optionId: 'once' },
      why: 'w',
    });
    assert.deepEqual(await ask(AbortSignal.abort()), { outcome: 'cancelled' });
    broker.settleAll('dispose');
    assert.deepEqual(await ask(), { outcome: 'cancelled' });
    assert.deepEqual(resolved(), ['p1 withdrawn cancelled', 'p2 dispose cancelled']);
    assert.deepEqual(waits, []);
  });

  it('settles every question exactly once, whatever happens in whatever order', async () => {
    const action = fc.oneof(
      fc.constant({ type: 'ask' as const }),
      fc.record({ type: fc.constant('answer' as const), nth: fc.nat(8) }),
      fc.record({ type: fc.constant('withdraw' as const), nth: fc.nat(8) }),
      fc.record({
        type: fc.constant('settleAll' as const),
        by: fc.constantFrom('turnEnded', 'sessionCancel', 'agentExit'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
        const { broker, ask, resolved } = ground();
        const asked: { answer: Promise<unknown>; withdrawn: AbortController }[] = [];
        for (const step of actions) {
          if (step.type === 'ask') {
            const withdrawn = new AbortController();
            asked.push({ answer: ask(withdrawn.signal), withdrawn });
          } else if (step.type === 'answer') broker.answer(`p${step.nth}`, { outcome: 'selected', optionId: 'no' });
          else if (step.type === 'withdraw') asked[step.nth]?.withdrawn.abort();
          else
            broker.settleAll(
              step.by === 'turnEnded' ? 'turnEnded' : step.by === 'agentExit' ? 'agentExit' : 'sessionCancel',
            );
        }
        broker.settleAll('dispose');
        await Promise.all(asked.map((a) => a.answer));
        assert.deepEqual(
          resolved()
            .map((r) => r.split(' ')[0])
            .sort(),
          asked.map((_, i) => `p${i + 1}`).sort(),
        );
      }),
      { numRuns: 300 },
    );
  });
});
