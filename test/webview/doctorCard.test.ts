import assert from 'node:assert/strict';
import type { DoctorCard, DoctorLine } from '../../src/shared/doctor.ts';
import { TWO_ROUND_RUN } from '../fakes/events.ts';
import { openPage } from './dom.ts';

const line = (more: Partial<DoctorLine>): DoctorLine => ({
  topic: 'program',
  level: 'ok',
  what: 'Found: /bin/claude',
  fix: '',
  command: null,
  action: null,
  ...more,
});
const CARD: DoctorCard = {
  checking: false,
  report: {
    ok: false,
    sections: [
      { agent: 'claude', title: 'Claude Code', lines: [line({})] },
      {
        agent: 'gemini',
        title: 'Gemini CLI',
        lines: [
          line({
            topic: 'signIn',
            level: 'problem',
            what: 'It is not signed in <b>.',
            fix: 'Set a key.',
            command: 'gemini',
            action: { type: 'setKey' },
          }),
          line({ topic: 'start', level: 'warning', what: 'Slow', action: { type: 'signIn', agent: 'gemini' } }),
        ],
      },
    ],
  },
};

describe('the doctor card', () => {
  it('stands above the empty page, each line with its level in words and its way out', () => {
    const page = openPage();
    page.show({ doctor: CARD });
    const text = page.text();
    assert.match(text, /Something is in the way of a run\./);
    assert.match(text, /In order: Found: \/bin\/claude/);
    assert.match(text, /In the way: It is not signed in <b>\.Set a key\.gemini/);
    assert.match(text, /To be known: Slow/);
    assert.match(text, /One agent works, another reviews/);
  });

  it('posts what its buttons mean, and the whole check again', () => {
    const page = openPage();
    page.show({ doctor: CARD });
    page.find('button', 'Set Gemini API Key').click();
    page.find('button', 'Sign In').click();
    page.find('button', 'Check Setup').click();
    page.find('button', 'Close').click();
    assert.deepEqual(page.posted, [
      { type: 'doctor', action: { type: 'setKey' } },
      { type: 'doctor', action: { type: 'signIn', agent: 'gemini' } },
      { type: 'doctor', action: { type: 'check' } },
      { type: 'doctor', action: { type: 'close' } },
    ]);
  });

  it('says that it is checking, and offers nothing meanwhile', () => {
    const page = openPage();
    page.show({ doctor: { report: null, checking: true } });
    assert.match(page.text(), /Checking the setup…/);
    assert.ok(page.find('button', 'Check Setup').hasAttribute('disabled'));
    page.show({ doctor: { report: { ok: true, sections: [] }, checking: false } });
    assert.match(page.text(), /Nothing is in the way of a run\./);
    page.show({ doctor: null });
    assert.doesNotMatch(page.text(), /Check Setup/);
  });
});

describe('a replay', () => {
  it('is labelled, and has nothing on it that acts', () => {
    const page = openPage();
    page.show({ replay: true }, TWO_ROUND_RUN);
    assert.match(page.text(), /Replay of a log or a trace: it is only shown/);
    assert.equal(page.all('textarea').length, 0);
    const acting = ['Undo', 'New Run', 'Open Log', 'Continue in Terminal', 'Run', 'Stop'];
    for (const words of acting) assert.deepEqual(page.all('button', words), [], words);
    page.find('button', 'Close Replay').click();
    assert.deepEqual(page.posted, [{ type: 'newRun' }]);
  });
});

describe('an ended run', () => {
  it('offers to go on in a terminal where an agent has a session', () => {
    const page = openPage();
    page.show({ canContinue: true }, TWO_ROUND_RUN);
    page.find('button', 'Continue in Terminal').click();
    assert.deepEqual(page.posted, [{ type: 'continueInTerminal' }]);
    page.show({ canContinue: false }, TWO_ROUND_RUN);
    assert.deepEqual(page.all('button', 'Continue in Terminal'), []);
  });
});
