import assert from 'node:assert/strict';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import type { HostState } from '../../src/shared/messages.ts';
import type { Verdict } from '../../src/shared/review.ts';
import { hunkRows } from '../../webview/comparison.ts';
import { hitsIn } from '../../webview/SearchHits.tsx';
import { SECOND_VERDICT, stamp, TWO_ROUND_RUN } from '../fakes/events.ts';
import { galleryRun } from '../fakes/galleryRun.ts';
import { openPage, type TestPage } from './dom.ts';

const RUN = galleryRun('/home/me/project');
const over = { canResume: true, canReviewAgain: true } as const;

function shown(host: Partial<HostState>, events: readonly LoopEvent[] = RUN): TestPage {
  const page = openPage();
  page.show(host, events);
  return page;
}

/** The run while its third round goes on. */
function underWay(): readonly LoopEvent[] {
  const third = RUN.findIndex((event) => event.type === 'round.started' && event.round === 3);
  return RUN.slice(0, third + 2);
}

const type = (element: HTMLElement, value: string) => {
  Object.assign(element, { value });
  element.dispatchEvent(new window.Event('input', { bubbles: true }));
};

const submit = (form: HTMLElement) =>
  form.dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));

const card = (page: TestPage) => page.all('.review').at(-1) ?? assert.fail('no review is shown');

const rows = (page: TestPage) => page.all('.review:last-of-type .finding').map((row) => row.getAttribute('aria-label'));

describe('the findings of a review', () => {
  it('stand in the newest card as they are now, open ones by severity, settled ones closed', () => {
    const page = shown(over);
    assert.deepEqual(rows(page), ['A quote inside a field ends the row', 'Columns are found by position, not by name']);
    const text = (card(page).textContent ?? '').replace(/\s+/g, ' ');
    assert.match(text, /Blockers 1.*F1.*src\/importer\.ts:31.*regressed.*since round 1.*Major 1.*F5.*late/);
    assert.match(text, /Fixed in this round 1.*A file of several gigabytes is read as a whole fixed in round 3/);
    page.find('.review button', 'Settled before: 2').click();
    const settled = card(page).textContent ?? '';
    assert.match(settled, /No test has an empty field.*dismissed by you.*The name .*withdrawn/);
    page.find('.review button', 'No test has an empty field').click();
    assert.match(
      card(page).textContent ?? '',
      /You dismissed it: “The grammar has no empty fields\.” Gemini is told so/,
    );
  });

  it('stand in an older card as its round opened them, with what became of each and nothing to do', () => {
    const page = shown(over);
    page.find('.round-head', 'Round 3').click();
    page.find('.round-head', 'Round 1').click();
    const text = card(page).textContent ?? '';
    for (const words of [/A quote inside a field/, /fixed in round 3/, /dismissed by you/, /withdrawn/])
      assert.match(text, words);
    assert.doesNotMatch(text, /Columns are found by position/);
    assert.equal(page.all('.finding-actions').length, 0);
  });

  it('say what fixed them as a diff, or that no change touched their line, and what the executor said against them', () => {
    const page = shown(over);
    page.find('.review button', 'A file of several gigabytes').click();
    const trail = page.find('.settled-finding', 'A file of several gigabytes');
    assert.equal(trail.querySelectorAll('.diff del').length, 2);
    assert.match(trail.textContent ?? '', /Claude disputes it:.*limited to 2 MB/);
    page.find('button', 'Open all changes of round 3').click();
    assert.deepEqual(page.posted, [{ type: 'openChanges', round: 3 }]);
    const plain = shown({}, TWO_ROUND_RUN);
    plain.find('.settled-finding button', 'Strings are joined').click();
    assert.match(plain.text(), /No change of that round touches its line/);
  });

  it('are dismissed with a reason, and opened again', () => {
    const page = shown(over);
    const [, second] = page.all('.finding button', 'Dismiss…');
    second?.click();
    type(page.find('.remark input'), ' No header ');
    submit(page.find('.remark'));
    assert.deepEqual(page.posted, [
      { type: 'decide', finding: 'F5', decision: { status: 'dismissed', reason: 'No header' } },
    ]);
    assert.equal(page.all('.remark').length, 0);
    page.find('.review button', 'A file of several gigabytes').click();
    page.find('button', 'Not fixed: open it again').click();
    assert.deepEqual(page.posted.at(-1), { type: 'decide', finding: 'F2', decision: { status: 'open' } });
  });

  it('are asked about: in a run that is over the reviewer looks once more, in one under way with its next review', () => {
    const page = shown(over);
    page.all('.finding button', 'Ask why')[0]?.click();
    assert.match(page.find('.remark').textContent ?? '', /Gemini reviews the last round once more.*Nobody executes/);
    submit(page.find('.remark'));
    assert.deepEqual(page.posted, [{ type: 'ask', finding: 'F1', text: 'Why is this a problem?' }]);
    const live = shown({ phase: 'running' }, underWay());
    live.find('.round-head', 'Round 2').click();
    live.all('.finding button', 'Ask why')[0]?.click();
    assert.match(live.find('.remark').textContent ?? '', /Gemini gets the question with its next review/);
    assert.equal(live.all('.finding input[type=checkbox]').length, 0, 'the executor was told already');
    const never = shown({ canResume: true, canReviewAgain: false });
    assert.equal(never.all('.finding button', 'Ask why').length, 0);
  });

  it('go back with the next round as they are ticked', () => {
    const page = shown(over);
    const [first] = page.all('.finding input[type=checkbox]');
    Object.assign(first ?? assert.fail(), { checked: false });
    first?.dispatchEvent(new window.Event('change', { bubbles: true }));
    page.find('.ending button', 'Continue 2 More Rounds').click();
    const feedback = { findings: ['F5'], text: null, instruction: null };
    assert.deepEqual(page.posted, [{ type: 'continueRounds', rounds: 2, feedback }]);
  });

  it('are only looked at in a replay', () => {
    const page = shown({ replay: true });
    assert.equal(page.all('.finding').length, 2);
    assert.equal(page.all('.finding-actions').length, 0);
  });
});

describe('a review that does not count', () => {
  const scored = (verdict: Verdict, approved: boolean, blockedBy: readonly string[] = []): LoopEvent[] => {
    const bodies: LoopEventBody[] = TWO_ROUND_RUN.flatMap((event) => {
      const isLast = event.type === 'review.scored' && event.round === 2;
      return isLast ? [{ ...event, verdict, approved, blockedBy }] : event.type === 'run.ended' ? [] : [event];
    });
    return stamp([...bodies, { type: 'run.ended', ending: { type: 'noVerdict', message: 'Twice.' } }]);
  };

  it('says that it contradicts itself, and what comes next', () => {
    const blocker = { ...SECOND_VERDICT, status: 'not_approved', approved: false, score: 10 } as const;
    const page = shown({}, scored({ ...blocker, reason: 'open_blocker' }, false));
    assert.match(
      card(page).textContent ?? '',
      /It contradicts itself: it approves, and names a blocker\..*ask another/,
    );
    const low = shown({}, scored({ ...blocker, score: 7, reason: 'score_below_threshold' }, false));
    assert.match(card(low).textContent ?? '', /it approves with 7\/10, which is below the threshold/);
    const held = shown({ phase: 'running' }, scored(SECOND_VERDICT, false, ['F1 is an open blocker: x']).slice(0, -2));
    assert.match(
      card(held).textContent ?? '',
      /The approval does not count:F1 is an open blocker: x.*goes back to Claude/,
    );
  });

  it('says that the reviewer was asked once more where it was', () => {
    const page = shown({});
    const [first] = page.all('.review');
    assert.match(first?.textContent ?? '', /No verdict: the review names no score.*Gemini was asked once more/);
    assert.equal(first?.querySelectorAll('.finding, .settled-finding').length, 0);
  });
});

describe('what was sent', () => {
  it('is the exact prompt, with what was kept out of it and what is not whole in it', () => {
    const page = shown({});
    page.find('.round-head', 'Round 3').click();
    page.find('.round-head', 'Round 1').click();
    page.find('.review button', 'What was sent · 1 kept out · 1 not whole').click();
    const sent = page.find('.review .sent');
    const told = RUN.find((event) => event.type === 'turn.started' && event.turn === 2);
    assert.ok(told?.type === 'turn.started');
    assert.equal(sent.querySelector('pre')?.textContent, told.prompt);
    assert.match(sent.textContent ?? '', /Kept out, because it may be secret: \.env.*because it is long: package-lock/);
    page.find('.review .sent button').click();
    assert.deepEqual(page.posted, [{ type: 'openPrompt', turn: 2 }]);
  });
});

describe('the chart of scores', () => {
  it('comes with the second round, as lines, bars and a table', () => {
    const first = RUN.findIndex((event) => event.type === 'round.started' && event.round === 2);
    assert.equal(shown({ phase: 'running' }, RUN.slice(0, first)).all('.chart').length, 0);
    const page = shown({});
    assert.equal(page.all('.chart-line').length, 2);
    assert.equal(page.all('.chart-point').length, 3);
    const cells = page.all('.chart tbody tr').map((row) => [...row.children].map((cell) => cell.textContent));
    assert.deepEqual(cells, [
      ['1', '4.5/10', '1', '1', '1', '1'],
      ['2', '7.5/10', '0', '2', '1', '0'],
      ['3', '6.5/10', '1', '1', '0', '0'],
    ]);
    assert.deepEqual(
      page.all('.chart-column').map((column) => column.getAttribute('aria-label')),
      [
        'Round 1: 4.5/10 · Blockers 1 · Major 1 · Minor 1 · Nits 1',
        'Round 2: 7.5/10 · Major 2 · Minor 1',
        'Round 3: 6.5/10 · Blockers 1 · Major 1',
      ],
    );
  });
});

describe('a round', () => {
  it('says in its head who did what, how the checks went, and what it took; unknown money is said to be unknown', () => {
    const page = shown({});
    const heads = page.all('.round-head').map((head) => (head.textContent ?? '').replace(/\s+/g, ' '));
    assert.match(heads[0] ?? '', /^Round 1 — Claude → checks failed → Gemini 4\.5\/10 4 findings · 3 files \+91 −10/);
    assert.match(heads[0] ?? '', /52\.5K tokens · at least \$0\.12 $/);
    assert.match(heads[1] ?? '', /Claude → checks passed → Gemini 7\.5\/10/);
    const silent = RUN.map((event) =>
      event.type === 'turn.ended' ? { ...event, derived: { ...event.derived, usage: null } } : event,
    );
    assert.match(shown({}, silent).all('.round-head')[0]?.textContent ?? '', /cost unknown/);
  });

  it('says what each turn took', () => {
    const page = shown({});
    page.find('.round-head', 'Round 3').click();
    page.find('.round-head', 'Round 1').click();
    const [work, review] = page.all('.turn-footer').map((one) => (one.textContent ?? '').replace(/\s+/g, ' ').trim());
    assert.match(
      work ?? '',
      /^18\.4K tokens in · 2\.2K out · 12K from cache · claude-opus-4-8 \+ .* · \$0\.12 · 10 tool calls/,
    );
    assert.match(review ?? '', /^31K tokens in · 900 out · cost unknown · \d+ s$/);
  });

  it('closes when a newer one begins, but not while the person reads up there, and opens as they want it', () => {
    const second = RUN.findIndex((event) => event.type === 'round.started' && event.round === 2);
    const third = RUN.findIndex((event) => event.type === 'round.started' && event.round === 3);
    const expanded = (page: TestPage) => page.all('.round-head').map((head) => head.getAttribute('aria-expanded'));
    const page = shown({ phase: 'running' }, RUN.slice(0, second));
    assert.deepEqual(expanded(page), ['true']);
    page.dispatch({ type: 'reading', reading: true });
    const batch = (from: number, to: number) =>
      page.hear({ type: 'batch', runId: 'run', fromSeq: from + 1, events: RUN.slice(from, to) });
    batch(second, second + 1);
    assert.deepEqual(expanded(page), ['true', 'true']);
    page.dispatch({ type: 'reading', reading: false });
    assert.deepEqual(expanded(page), ['false', 'true']);
    page.find('.round-head', 'Round 1').click();
    batch(second + 1, third + 1);
    assert.deepEqual(expanded(page), ['true', 'false', 'true'], 'what the person opened stays open');
  });

  it('says what the agent is at: its newest topic, and that nothing is heard of it', () => {
    const at = (...bodies: LoopEventBody[]) => {
      const page = shown({ phase: 'running' }, stamp([...underWay(), ...bodies]));
      return page.find('.activity').textContent;
    };
    const inTurn = { turn: 5, role: 'execute', wire: {} } as const;
    const thought = (text: string): LoopEventBody => ({
      type: 'message.chunk',
      ...inTurn,
      derived: { channel: 'thought', messageId: 'x', text },
    });
    assert.equal(at(), 'Waiting for the first answer…');
    assert.equal(at(thought('**Reading**\n\nWhy?\n\n**Writing the test**\n\nIt fails.')), 'Writing the test');
    assert.equal(at(thought('I read it. Now I see the fault.')), 'Now I see the fault.');
    const topic = { toolCallId: 'a', kind: 'think', title: 'Update topic to: "Streaming"' } as const;
    assert.equal(at({ type: 'toolCall.started', ...inTurn, derived: topic }), 'Streaming');
    const silence = 'No answer from the model for 40 s.';
    assert.equal(
      at(thought('**Reading**'), {
        type: 'diagnostic',
        turn: 5,
        role: 'execute',
        wire: null,
        derived: { source: 'loop', level: 'info', code: 'silence', text: silence },
      }),
      silence,
    );
  });
});

describe('a tool card', () => {
  const first = () => {
    const page = shown({});
    page.find('.round-head', 'Round 3').click();
    page.find('.round-head', 'Round 1').click();
    return page;
  };

  it('shows what a search found as links, and the address that was fetched', () => {
    const page = first();
    page.find('.tool button', 'Search for').click();
    page.find('.hits button', 'test/parse.test.ts:8').click();
    assert.deepEqual(page.posted, [{ type: 'openFile', path: 'test/parse.test.ts', line: 8 }]);
    page.find('.tool button', 'Fetch https').click();
    assert.equal(page.find('.tool a').getAttribute('href'), 'https://www.rfc-editor.org/rfc/rfc4180');
    assert.equal(hitsIn('Plain text: no place.\nAnother line'), null);
    assert.deepEqual(hitsIn('Found 1 file\nsrc/a.ts'), [{ path: 'src/a.ts', line: null, text: '' }]);
  });

  it('shows arguments and result as they came on demand, and says how it ended', () => {
    const page = first();
    page.find('.tool button', 'Read src/parse.ts').click();
    assert.equal(page.all('.raw pre').length, 0);
    page.find('.raw button').click();
    assert.equal(page.find('.raw pre').textContent, '{\n  "file_path": "src/parse.ts"\n}');
    const text = page.text();
    for (const words of [/rm -rf build\s*denied/, /npm run lint\s*failed/, /npm run dev\s*stopped/, /wiki\s*no result/])
      assert.match(text, words);
  });
});

describe('a hunk of a patch', () => {
  it('is rows with the numbers of its head', () => {
    const { rows, added, removed } = hunkRows('@@ -10,3 +12,3 @@ f()\n same\n-old\n+new\n\\ No newline at end of file');
    assert.deepEqual([added, removed], [1, 1]);
    assert.deepEqual(
      rows.map((row) => (row.type === 'gap' ? null : [row.type, row.number, row.text, row.partner])),
      [
        ['same', 12, 'same', null],
        ['removed', 11, 'old', 'new'],
        ['added', 13, 'new', 'old'],
      ],
    );
  });
});
