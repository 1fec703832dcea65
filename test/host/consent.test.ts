import assert from 'node:assert/strict';
import { createOfferBook } from '../../src/host/agentOffers.ts';
import { createConsent } from '../../src/host/consent.ts';

const PAIR = { executor: 'claude', reviewer: 'gemini' };

function ground() {
  const kept = new Map<string, unknown>();
  const memory = {
    get: <T>(key: string, otherwise?: T): T | undefined => {
      const value = kept.get(key);
      return value === undefined ? otherwise : JSON.parse(JSON.stringify(value));
    },
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const started: string[] = [];
  return { memory, started, start: (name: string) => async () => void started.push(name) };
}

describe('consent', () => {
  it('lets a first run wait until the person knows, and asks no more from then on', async () => {
    const { memory, started, start } = ground();
    const consent = createConsent(memory);
    let changes = 0;
    consent.onDidChange(() => {
      changes += 1;
    });
    assert.deepEqual(consent.state, { told: false, asked: null });
    assert.equal(consent.covers(PAIR), false);
    await consent.ask(PAIR, start('first'));
    assert.deepEqual([started, consent.state.asked], [[], PAIR]);
    await consent.ask(PAIR, start('second'));
    await consent.settle(true);
    assert.deepEqual([started, consent.state], [['second'], { told: true, asked: null }]);
    await consent.ask(PAIR, start('third'));
    assert.deepEqual(started, ['second', 'third']);
    assert.equal(changes, 3);
    await createConsent(memory).ask(PAIR, start('in another window'));
    assert.equal(started.length, 3);
  });

  it('drops a run that is not wanted, and asks again', async () => {
    const { memory, started, start } = ground();
    const consent = createConsent(memory);
    await consent.ask(PAIR, start('first'));
    await consent.settle(false);
    assert.deepEqual([started, consent.state], [[], { told: false, asked: null }]);
    await consent.ask(PAIR, start('again'));
    assert.deepEqual(consent.state.asked, PAIR);
  });

  it('asks nothing for agents that send nothing anywhere', async () => {
    const { memory, started, start } = ground();
    const consent = createConsent(memory);
    await consent.ask({ executor: 'demo-executor', reviewer: 'demo-reviewer' }, start('demo'));
    assert.deepEqual([started, consent.state.told], [['demo'], false]);
    assert.equal(consent.covers({ executor: 'demo-executor', reviewer: 'gemini' }), false);
    assert.equal(
      consent.covers({ executor: 'my-own', reviewer: 'demo-reviewer' }),
      false,
      'nobody knows where it sends',
    );
  });
});

describe('the offers of agents', () => {
  it('are what each told last, and before that what its wire says of images', () => {
    const book = createOfferBook();
    const nothing = { images: null, commands: [], models: [] };
    assert.deepEqual(book.of(['claude', 'gemini', 'gemini-headless'], {}), {
      claude: { ...nothing, images: true },
      gemini: nothing,
      'gemini-headless': { ...nothing, images: false },
    });
    let changes = 0;
    const unsubscribe = book.onDidChange(() => {
      changes += 1;
    });
    const commands = [{ name: 'memory', description: '' }];
    book.heard('gemini', { commands });
    book.heard('gemini', { images: true });
    unsubscribe();
    book.heard('gemini', { models: [] });
    assert.deepEqual(book.of(['gemini'], {}).gemini, { images: true, commands, models: [] });
    assert.equal(changes, 2);
  });
});
