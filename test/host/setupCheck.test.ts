import assert from 'node:assert/strict';
import type { AgentFacts, DoctorFacts } from '../../src/agent/doctor.ts';
import { createKeys, keyProblem } from '../../src/host/keys.ts';
import { createSetupCheck, type SetupCheck } from '../../src/host/setupCheck.ts';
import { english } from './windowState.ts';

const MISSING: AgentFacts = {
  agent: { id: 'gemini', name: 'Gemini CLI', protocol: 'acp', version: null },
  chosen: true,
  program: { type: 'missing', what: 'Gemini CLI was not found.', fix: 'Install it.', install: 'npm i -g gemini' },
  start: { type: 'notTried', why: 'missing' },
  signIn: { type: 'untold' },
  signInCommand: 'gemini',
};
const FACTS: DoctorFacts = { agents: [], folder: '/p', trusted: true, geminiTrust: null, git: '2.43' };

function ground() {
  const state = { missing: [MISSING] as readonly AgentFacts[], examined: 0, changes: 0 };
  let finish: (facts: DoctorFacts | Error) => void = () => assert.fail('nothing is under way');
  const check = createSetupCheck({
    t: english,
    examine: () => {
      state.examined += 1;
      return new Promise((resolve, reject) => {
        finish = (facts) => (facts instanceof Error ? reject(facts) : resolve(facts));
      });
    },
    missing: async () => state.missing,
  });
  check.onDidChange(() => {
    state.changes += 1;
  });
  return { check, state, finish: (facts: DoctorFacts | Error) => finish(facts) };
}

const shown = ({ card }: SetupCheck) => card && { checking: card.checking, ok: card.report?.ok };

describe('the setup check', () => {
  it('shows a card by itself only while a program is missing', async () => {
    const { check, state } = ground();
    await check.glance();
    assert.deepEqual(
      check.card?.report?.sections.map(({ agent }) => agent),
      ['gemini'],
    );
    assert.deepEqual(shown(check), { checking: false, ok: false });
    state.missing = [];
    await check.glance();
    assert.equal(check.card, null);
    await check.glance();
    assert.deepEqual([state.examined, state.changes], [0, 2]);
  });

  it('believes the glance that began last, whichever ends first', async () => {
    const ends: ((found: readonly AgentFacts[]) => void)[] = [];
    const missing = () => new Promise<readonly AgentFacts[]>((resolve) => ends.push(resolve));
    const check = createSetupCheck({ t: english, examine: () => assert.fail('nothing is examined'), missing });
    const glances = [check.glance(), check.glance()];
    ends[1]?.([]);
    ends[0]?.([MISSING]);
    await Promise.all(glances);
    assert.equal(check.card, null);
  });

  it('looks at everything when asked, once at a time, and a glance does not replace that', async () => {
    const { check, state, finish } = ground();
    const first = check.check();
    const second = check.check();
    assert.deepEqual(check.card, { report: null, checking: true });
    check.close();
    assert.notEqual(check.card, null, 'a check under way stays');
    finish(FACTS);
    assert.deepEqual(await first, await second);
    assert.equal(state.examined, 1);
    assert.deepEqual(shown(check), { checking: false, ok: true });
    await check.glance();
    assert.deepEqual(shown(check), { checking: false, ok: true });
    check.close();
    assert.equal(check.card, null);
  });

  it('takes the card away when it fails, and can be asked again', async () => {
    const { check, state, finish } = ground();
    const failing = check.check();
    finish(new Error('no state folder'));
    await assert.rejects(failing, /no state folder/);
    assert.equal(check.card, null);
    const again = check.check();
    finish(FACTS);
    await again;
    assert.equal(state.examined, 2);
  });
});

describe('keys', () => {
  it('go to Gemini CLI’s process alone, and nowhere once they are cleared', async () => {
    const stored = new Map<string, string>();
    const keys = createKeys({
      get: async (key) => stored.get(key),
      store: async (key, value) => void stored.set(key, value),
      delete: async (key) => void stored.delete(key),
    });
    assert.deepEqual([await keys.secrets(), await keys.hasAny()], [{}, false]);
    await keys.setGemini('planted-key');
    assert.deepEqual(await keys.secrets(), {
      gemini: { GEMINI_API_KEY: 'planted-key' },
      'gemini-headless': { GEMINI_API_KEY: 'planted-key' },
    });
    assert.equal(await keys.hasAny(), true);
    await keys.clear();
    assert.deepEqual([await keys.secrets(), stored.size], [{}, 0]);
  });

  it('are checked before they are kept', () => {
    assert.equal(keyProblem('AIzaSyA-b_c.d/e'), null);
    assert.equal(keyProblem(' AIza \n'), null);
    assert.equal(keyProblem('  '), 'empty');
    assert.equal(keyProblem('AIza key'), 'characters');
    assert.equal(keyProblem('"AIza"'), 'characters');
  });
});
