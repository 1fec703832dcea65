import assert from 'node:assert/strict';
import { noteOf, questionsOf } from '../../src/loop/findingQuestions.ts';
import { personsWordOf } from '../../src/loop/pauseGate.ts';
import { personsWords } from '../../src/loop/reviewTold.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import { FIRST_VERDICT, SECOND_VERDICT, stamp } from '../fakes/events.ts';

const finding = { ...FIRST_VERDICT.findings[0], severity: 'major', title: 'Strings are joined', detail: '' } as const;
const OPENED: LoopEventBody = {
  type: 'finding.opened',
  finding: { ...finding, id: 'F1', openedInRound: 1, status: 'open' },
};
const asked: LoopEventBody = { type: 'user.note', text: 'Why?', finding: 'F1' };
const review = (turn: number): LoopEventBody => ({
  type: 'turn.started',
  turn,
  role: 'review',
  prompt: '',
  wire: { sessionId: null, model: null },
});
const scored = (status: 'approved' | 'unparsable'): LoopEventBody => ({
  type: 'review.scored',
  turn: 1,
  verdict: { ...SECOND_VERDICT, status },
  approved: false,
  blockedBy: [],
});

describe('a question about a finding', () => {
  it('is taken with words about a finding that there is, and no others', () => {
    const events = stamp([OPENED]);
    assert.deepEqual(noteOf(events, ' Why? ', 'F1'), { type: 'user.note', text: 'Why?', finding: 'F1' });
    assert.deepEqual(noteOf(events, 'Mind the tests'), { type: 'user.note', text: 'Mind the tests' });
    assert.deepEqual([noteOf(events, ' ', 'F1'), noteOf(events, 'Why?', 'F9')], [null, null]);
  });

  it('goes to the next review that can be read, and only to that', () => {
    const told = ['F1 (Strings are joined): Why?'];
    assert.deepEqual(questionsOf(stamp([OPENED, asked])), told);
    assert.deepEqual(questionsOf(stamp([OPENED, asked, review(1), scored('unparsable')])), told, 'it answered nothing');
    assert.deepEqual(questionsOf(stamp([OPENED, asked, review(1), scored('approved')])), []);
    assert.deepEqual(questionsOf(stamp([OPENED, review(1), asked, scored('approved')])), told, 'it came too late');
  });

  it('is no word to the executor', () => {
    const events = stamp([OPENED, asked, { type: 'user.note', text: 'Mind the tests' }]);
    assert.deepEqual(personsWordOf(events).notes, ['Mind the tests']);
    assert.deepEqual(personsWords(events), ['Mind the tests']);
  });
});
