import assert from 'node:assert/strict';
import type { Ending } from '../../src/shared/ending.ts';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import type { HostState } from '../../src/shared/messages.ts';
import type { UndoOutcome } from '../../src/shared/undo.ts';
import { undoPanel } from '../../webview/onDemand.ts';
import * as panel from '../../webview/UndoPanel.tsx';
import { stamp } from '../fakes/events.ts';
import { galleryRun } from '../fakes/galleryRun.ts';
import { openPage, type TestPage } from './dom.ts';

const RUN = galleryRun('/home/me/project');
const DONE: Partial<HostState> = {
  canUndo: true,
  canResume: true,
  canReviewAgain: true,
  canCommit: true,
  canContinue: true,
};

/** The gallery's run with another ending, and what came after it. */
function endedAs(ending: Ending | null, ...after: readonly LoopEventBody[]): LoopEvent[] {
  const ended: LoopEventBody[] = ending === null ? [] : [{ type: 'run.ended', ending }];
  const events = stamp([...RUN.slice(0, -1), ...ended, ...after]);
  return events.map((event, index) => ({ ...event, round: RUN[index]?.round ?? 3 }));
}

function shown(events: readonly LoopEvent[], host: Partial<HostState> = DONE): TestPage {
  const page = openPage();
  page.show(host, events);
  return page;
}

const buttons = (page: TestPage) => page.all('.ending-actions button').map((button) => button.textContent);

const NOTHING: UndoOutcome = {
  scope: { type: 'run' },
  files: [],
  kept: [],
  merged: [],
  mixed: [],
  conflicts: [],
  ignored: [],
  beyond: { commands: [], commits: [] },
};

const ROUND_LIMIT = { type: 'notApproved', cause: 'roundLimit', score: 6.5, bestRound: 2 } as const;

const choose = (select: HTMLElement, value: string) => {
  Object.assign(select, { value });
  select.dispatchEvent(new window.Event('change', { bubbles: true }));
};

describe('the ending card', () => {
  it('offers first what the person most likely wants, and the rest on demand', () => {
    const first = (ending: Ending | null, host: Partial<HostState> = DONE) => buttons(shown(endedAs(ending), host))[0];
    assert.equal(first(ROUND_LIMIT), 'Continue 2 More Rounds');
    assert.equal(first({ type: 'approved', score: 9 }, { ...DONE, canResume: false }), 'Open All Changes');
    assert.equal(first({ type: 'noVerdict', message: 'Twice.' }), 'Ask Another Reviewer…');
    assert.equal(first({ type: 'stopped' }), 'Go On');
    assert.equal(first(null, { ...DONE, interrupted: true }), 'Go On');
    const page = shown(endedAs(ROUND_LIMIT));
    assert.equal(buttons(page).length, 5, 'one, three beside it, and the way to the others');
    page.find('.ending-actions button[aria-expanded]:last-child').click();
    page.find('.ending-more button', 'Export…').click();
    page.find('.ending-more button', 'Continue in Terminal').click();
    page.find('.ending-more button', 'Commit…').click();
    assert.deepEqual(page.posted, [{ type: 'export' }, { type: 'continueInTerminal' }, { type: 'commit' }]);
    const nowhere = shown(endedAs({ type: 'approved', score: 9 }), { ...DONE, canCommit: false });
    assert.equal(nowhere.all('.ending button', 'Commit…').length, 0, 'no repository takes it');
  });

  it('says how it ended in numbers, without a second ring beside the review’s', () => {
    const page = shown(RUN);
    const text = (page.find('.ending').textContent ?? '').replace(/\s+/g, ' ');
    assert.match(text, /^Not approved: the last round is over 3 rounds · 4 m 52 s · 180\.7K tokens · at least \$0\.27/);
    assert.match(text, /round 2 was the best/);
    assert.equal(page.all('.ending .ring').length, 0);
  });

  it('asks another reviewer, or the same one once more', () => {
    const page = shown(endedAs({ type: 'noVerdict', message: 'Twice.' }));
    page.find('.ending button', 'Ask Another Reviewer…').click();
    page.find('.panel button', 'Gemini once more');
    page.find('.panel button', 'Ask Claude').click();
    assert.deepEqual(page.posted, [{ type: 'reviewAgain', reviewer: 'claude' }]);
    assert.equal(page.all('.panel').length, 0);
  });

  it('says that the folder is no longer what was approved', () => {
    const approved = endedAs({ type: 'approved', score: 9 });
    assert.doesNotMatch(shown(approved).text(), /Changed since/);
    assert.match(shown(approved, { ...DONE, changedSince: 1 }).text(), /Changed since the approval: 1 file\./);
    assert.match(shown(approved, { ...DONE, changedSince: 3 }).text(), /Changed since the approval: 3 files\./);
  });

  it('settles a worktree', () => {
    const worktree = { path: '/w', branch: 'cgloop/x', origin: '/home/me/project', base: 'abc' };
    const events = endedAs({ type: 'approved', score: 9 }).map((event) =>
      event.type === 'run.started' ? { ...event, run: { ...event.run, worktree } } : event,
    );
    const page = shown(events);
    assert.deepEqual(buttons(page).slice(0, 3), ['Apply to Folder', 'Keep as Branch', 'Drop']);
    page.find('.ending button', 'Apply to Folder').click();
    assert.deepEqual(page.posted, [{ type: 'settleWorktree', how: 'applied' }]);
    const settled: LoopEvent = { ...events.at(-1), type: 'worktree.settled', how: 'applied', seq: 0, at: 0, round: 3 };
    const after = shown([...events, { ...settled, seq: events.length + 1 }]);
    assert.doesNotMatch(buttons(after).join(), /Apply/);
  });

  it('does nothing in a replay', () => {
    assert.deepEqual(buttons(shown(RUN, { replay: true })), []);
  });
});

describe('undoing', () => {
  // Loaded on demand it would come here with a Preact of its own: the loader of the tests keeps what is imported so apart.
  before(() => void Object.defineProperty(undoPanel, 'code', { value: panel, configurable: true }));

  it('is looked at first: what would change, what stays, what cannot be put together', () => {
    const page = shown(RUN);
    page.find('.ending button', 'Undo…').click();
    const asked = { scope: { type: 'run' }, conflicts: 'leave' } as const;
    assert.deepEqual(page.posted, [{ type: 'previewUndo', asked }]);
    const run = () => page.find('.panel button.primary');
    assert.equal(run().textContent, 'Undo Run');
    assert.ok(run().hasAttribute('disabled'), 'nobody knows yet what it would do');
    page.hear({
      type: 'undoPreview',
      asked,
      answer: {
        ...NOTHING,
        type: 'preview',
        files: [{ path: 'src/parse.ts', status: 'modified', added: 10, removed: 42 }],
        kept: ['notes.md'],
        conflicts: [{ path: 'src/quoted.ts', why: 'lines' }],
        ignored: ['.env'],
        beyond: { commands: ['npm publish'], commits: [{ id: '0123456789abcdef', subject: 'Add quotes' }] },
      },
    });
    const text = (page.find('.panel').textContent ?? '').replace(/\s+/g, ' ');
    for (const words of [
      /Would change: 1 file \+10 −42/,
      /src\/quoted\.tsthe same lines changed/,
      /you alone changed it: notes\.md/,
      /Ignored by git, and put back too: \.env/,
      /commands did elsewhere: npm publish/,
      /commits of the agent: 0123456789 Add quotes/,
      /saved first/,
    ])
      assert.match(text, words);
    choose(page.all('.panel select')[1] ?? assert.fail(), 'mark');
    const marked = { ...asked, conflicts: 'mark' } as const;
    assert.deepEqual(page.posted.at(-1), { type: 'previewUndo', asked: marked });
    page.hear({ type: 'undoPreview', asked, answer: { type: 'problem', message: 'An answer that is too late' } });
    assert.doesNotMatch(page.text(), /too late/);
    const files = [{ path: 'a', status: 'deleted', added: 0, removed: 3 }] as const;
    page.hear({ type: 'undoPreview', asked: marked, answer: { ...NOTHING, type: 'preview', files } });
    run().click();
    assert.deepEqual(page.posted.at(-1), { type: 'undo', asked: marked });
    assert.equal(page.all('.panel').length, 0);
  });

  it('takes a round, everything from one on, or all after the best one', () => {
    const page = shown(RUN);
    page.find('.ending button', 'Undo…').click();
    const [select] = page.all('.panel select');
    const choices = [...(select?.children ?? [])].map((option) => option.textContent);
    assert.deepEqual(choices, [
      'The whole run',
      'Round 2 and all later ones: back to before round 2',
      'Round 3 and all later ones: back to before round 3',
      'Only what round 1 changed',
      'Only what round 2 changed',
      'Only what round 3 changed',
      'All after round 2, the best (7.5/10)',
    ]);
    choose(select ?? assert.fail(), '6');
    const asked = { scope: { type: 'after', round: 2 }, conflicts: 'leave' } as const;
    assert.deepEqual(page.posted.at(-1), { type: 'previewUndo', asked });
    assert.equal(page.find('.panel button.primary').textContent, 'Restore Round 2');
    page.hear({ type: 'undoPreview', asked, answer: { ...NOTHING, type: 'preview' } });
    assert.match(page.text(), /The folder is already so/);
    assert.ok(page.find('.panel button.primary').hasAttribute('disabled'));
    page.find('.panel button', 'Cancel').click();
    assert.equal(page.all('.panel').length, 0);
  });

  it('can be taken back, and says so in place of the way on', () => {
    const checkpoint = { id: 'c', tree: 't', label: 'x' };
    const page = shown(
      endedAs(ROUND_LIMIT, { type: 'run.undone', restored: checkpoint, replaced: checkpoint, scope: { type: 'run' } }),
      { canRedo: true },
    );
    assert.match(page.find('.ending').textContent ?? '', /The run was undone/);
    page.find('.ending button', 'Redo').click();
    assert.deepEqual(page.posted, [{ type: 'previewUndo', asked: { scope: { type: 'redo' }, conflicts: 'leave' } }]);
    page.find('.panel button', 'Redo');
    assert.equal(page.all('.finding-actions').length, 0);
  });
});

describe('the keyboard in the timeline', () => {
  const key = (element: HTMLElement, name: string) =>
    element.dispatchEvent(new window.KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  const active = () => document.activeElement;

  it('comes by Tab to one of its cards alone, the newest, or where the person was', () => {
    const page = shown(RUN);
    const reached = () => page.all('.stop').filter((stop) => stop.tabIndex === 0);
    assert.ok(reached().length === 1 && reached()[0] === page.find('.ending'));
    page.find('.round-head', 'Round 2').focus();
    assert.ok(reached().length === 1 && reached()[0] === page.find('.round-head', 'Round 2'));
  });

  it('goes between cards by arrows, Home and End, opens and closes, and into a card by Enter', () => {
    const page = shown(RUN);
    const ending = page.find('.ending');
    ending.focus();
    key(ending, 'ArrowUp');
    assert.ok(active() === page.find('.chart'));
    key(page.find('.chart'), 'Home');
    const head = page.find('.round-head', 'Round 1');
    assert.ok(active() === head);
    key(head, 'ArrowRight');
    assert.equal(head.getAttribute('aria-expanded'), 'true');
    key(head, 'ArrowRight');
    assert.equal(head.getAttribute('aria-expanded'), 'true');
    key(head, 'ArrowLeft');
    assert.equal(head.getAttribute('aria-expanded'), 'false');
    key(head, 'ArrowDown');
    assert.ok(active() === page.find('.round-head', 'Round 2'));
    key(page.find('.round-head', 'Round 2'), 'End');
    assert.ok(active() === ending);
    key(ending, 'Enter');
    assert.ok(active() === page.find('.ending button', 'Continue 2 More Rounds'));
  });

  it('keeps the arrows of whatever takes words', () => {
    const page = shown(RUN);
    page.all('.finding button', 'Dismiss…')[0]?.click();
    const box = page.find('.remark input');
    box.focus();
    key(box, 'ArrowUp');
    assert.ok(active() === box);
    key(box, 'Escape');
    assert.equal(page.all('.remark').length, 0);
  });

  it('has the focus at the card that it was in when what had it is gone', () => {
    const page = shown(RUN);
    page.all('.finding button', 'Dismiss…')[0]?.click();
    page.find('.remark input').focus();
    page.find('.remark button', 'Cancel').click();
    assert.ok(active() === page.all('.review').at(-1));
  });
});
