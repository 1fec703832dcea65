import assert from 'node:assert/strict';
import type { LoopEventBody } from '../../src/shared/events.ts';
import * as form from '../../webview/BetweenRounds.tsx';
import { betweenRounds } from '../../webview/onDemand.ts';
import { stamp, TWO_ROUND_RUN } from '../fakes/events.ts';
import { openPage } from './dom.ts';

const running = { phase: 'running' } as const;
const FINDING = { severity: 'major', title: 'No test', detail: '', openedInRound: 1, status: 'open' } as const;
const round = TWO_ROUND_RUN.findIndex(({ type }) => type === 'round.ended');
const bodies: readonly LoopEventBody[] = TWO_ROUND_RUN.slice(0, round).map(
  ({ seq: _seq, at: _at, round: _round, ...body }) => body,
);
const without = bodies.filter(({ type }) => type !== 'finding.opened' && type !== 'finding.updated');
const PAUSED = stamp([
  ...without,
  { type: 'finding.opened', finding: { id: 'F1', file: 'src/a.ts', line: 3, ...FINDING } },
  { type: 'finding.opened', finding: { id: 'F2', ...FINDING, title: 'Slow', severity: 'nit' } },
  { type: 'finding.opened', finding: { id: 'F3', ...FINDING, title: 'Gone', status: 'fixed' } },
  { type: 'round.ended' },
  { type: 'run.paused', reason: 'betweenRounds', why: 'Round 1 is over: 6/10, 2 open findings.' },
]);

const type = (element: HTMLElement, value: string) => {
  Object.assign(element, { value });
  element.dispatchEvent(new window.Event('input', { bubbles: true }));
};
const check = (element: HTMLElement, checked: boolean) => {
  Object.assign(element, { checked });
  element.dispatchEvent(new window.Event('change', { bubbles: true }));
};
function paused(kept: Parameters<typeof openPage>[0] = {}) {
  const page = openPage(kept);
  page.show(running, PAUSED);
  const [review, instruction] = page.all('section.between textarea');
  assert.ok(review !== undefined && instruction !== undefined);
  return { page, review, instruction, boxes: page.all('section.between input[type=checkbox]') };
}
const value = (element: HTMLElement) => ('value' in element ? element.value : '');

describe('the form between two rounds', () => {
  // Loaded on demand it would come here with a Preact of its own: the loader of the tests keeps what is imported so apart.
  before(() => void Object.defineProperty(betweenRounds, 'code', { value: form, configurable: true }));

  it('shows the review in words, the open findings, and why the run waits', () => {
    const { page, review, boxes } = paused();
    assert.match(page.text(), /The run waits for you\s*Round 1 is over: 6\/10, 2 open findings\./);
    assert.doesNotMatch(String(value(review)), /```|"score"/);
    assert.notEqual(value(review), '');
    assert.equal(boxes.length, 2, 'what is fixed does not go back');
    assert.match(page.find('section.between fieldset').textContent ?? '', /No test F1 · Major.*a\.ts:3.*Slow F2 · Nit/);
    assert.equal(page.all('footer button', 'Pause After This Round').length, 0, 'it waits already');
  });

  it('goes on with the review as it came where nothing was done', () => {
    const { page, review } = paused();
    type(review, `${value(review)}\n`);
    page.find('section.between button', 'Go On').click();
    assert.deepEqual(page.posted, [{ type: 'proceed', feedback: null }]);
  });

  it('sends what was edited, chosen and added, by Ctrl+Enter too', () => {
    const { page, review, instruction, boxes } = paused();
    type(review, 'Only the test matters.');
    type(instruction, ' Keep it short. ');
    const [, second] = boxes;
    assert.ok(second !== undefined);
    check(second, false);
    instruction.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    assert.deepEqual(page.posted, []);
    instruction.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
    const feedback = { findings: ['F1'], text: 'Only the test matters.', instruction: 'Keep it short.' };
    assert.deepEqual(page.posted, [{ type: 'proceed', feedback }]);
    check(second, true);
    page.find('section.between button', 'Stop').click();
    assert.deepEqual(page.posted[1], { type: 'stop' });
  });

  it('keeps the draft over a new page, and for its own round only', () => {
    const first = paused();
    type(first.review, 'Edited.');
    type(first.instruction, 'And this.');
    const [box] = first.boxes;
    assert.ok(box !== undefined);
    check(box, false);
    const { between } = first.page.state();
    const again = paused({ between });
    assert.deepEqual([value(again.review), value(again.instruction)], ['Edited.', 'And this.']);
    assert.deepEqual(
      again.boxes.map((one) => 'checked' in one && one.checked),
      [false, true],
    );
    assert.ok(between !== null);
    const other = paused({ between: { ...between, id: 'another-run/1' } });
    assert.equal(value(other.instruction), '');
  });

  it('takes the focus when it appears only where nobody types', () => {
    const { page } = paused();
    assert.ok(document.activeElement === page.find('section.between'));
    const typing = openPage();
    typing.show(running, PAUSED.slice(0, -1));
    typing.find('footer button', 'Tell the executor').click();
    typing.find('footer input').focus();
    typing.hear({ type: 'batch', runId: 'run', fromSeq: PAUSED.length, events: PAUSED.slice(-1) });
    assert.ok(document.activeElement === typing.find('footer input'), 'whoever types goes on');
  });

  it('is gone when the run goes on, stops or was interrupted', () => {
    const { page } = paused();
    page.hear({
      type: 'batch',
      runId: 'run',
      fromSeq: PAUSED.length + 1,
      events: stamp([...PAUSED, { type: 'run.resumed', feedback: null }]).slice(-1),
    });
    assert.equal(page.all('section.between').length, 0);
    const interrupted = openPage();
    interrupted.show({ interrupted: true }, PAUSED);
    assert.equal(interrupted.all('section.between').length, 0);
  });
});

describe('the footer of a run', () => {
  it('asks for a pause, and takes that back', () => {
    const page = openPage();
    page.show(running, PAUSED.slice(0, -2));
    const button = page.find('footer button', 'Pause After This Round');
    assert.equal(button.getAttribute('aria-pressed'), 'false');
    button.click();
    page.show({ ...running, pauseWanted: true });
    assert.equal(page.find('footer button', 'Pause After This Round').getAttribute('aria-pressed'), 'true');
    page.find('footer button', 'Pause After This Round').click();
    assert.deepEqual(page.posted, [
      { type: 'pause', wanted: true },
      { type: 'pause', wanted: false },
    ]);
  });

  it('offers neither pause nor note in a review, after which nobody works', () => {
    const page = openPage();
    const [first, ...others] = PAUSED.slice(0, -2);
    if (first?.type !== 'run.started') throw new Error('It begins with another event.');
    page.show(running, [{ ...first, run: { ...first.run, kind: 'review' } }, ...others]);
    assert.deepEqual(
      page.all('footer button').map((button) => button.textContent),
      ['Stop'],
    );
  });

  it('has the focus in the note when it is opened, and at its button again when it is closed', () => {
    const page = openPage();
    page.show(running, PAUSED.slice(0, -2));
    const button = page.find('footer button', 'Tell the executor');
    button.focus();
    button.click();
    const box = page.find('footer input');
    assert.equal(document.activeElement, box);
    box.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    assert.equal(document.activeElement, button);
  });

  it('takes a note for the next round, and keeps it while it is typed', () => {
    const page = openPage();
    page.show(running, PAUSED.slice(0, -2));
    page.find('footer button', 'Tell the executor').click();
    type(page.find('footer input'), '  Mind the tests ');
    const kept = openPage({ note: page.state().note });
    kept.show(running, PAUSED.slice(0, -2));
    assert.equal(value(kept.find('footer input')), '  Mind the tests ');
    kept.find('footer input').dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    assert.deepEqual(kept.posted, [{ type: 'note', text: 'Mind the tests' }]);
    assert.equal(kept.all('footer input').length, 0);
  });
});
