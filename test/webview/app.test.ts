import assert from 'node:assert/strict';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import { savedOf } from '../../webview/state.ts';
import { HEADER, stamp, TWO_ROUND_RUN, WAITING_RUN } from '../fakes/events.ts';
import { IDLE, openPage } from './dom.ts';

const running = { phase: 'running' } as const;
const inTurn = { turn: 1, role: 'execute', wire: {} } as const;

/** WAITING_RUN with further events. */
const longer = (...bodies: LoopEventBody[]): LoopEvent[] => stamp([...WAITING_RUN, ...bodies]);

const key = (element: HTMLElement, init: KeyboardEventInit) =>
  element.dispatchEvent(new window.KeyboardEvent('keydown', { bubbles: true, ...init }));

const type = (element: HTMLElement, value: string) => {
  Object.assign(element, { value });
  element.dispatchEvent(new window.Event('input', { bubbles: true }));
};

describe('the empty page', () => {
  it('draws nothing before the host has spoken', () => {
    assert.equal(openPage().text(), '');
  });

  it('offers example tasks that fill the box', () => {
    const page = openPage();
    page.show({});
    page.find('button', 'Find a test that fails').click();
    assert.equal(page.state().draft, 'Find a test that fails and make it pass.');
  });

  it('says who receives what', () => {
    const page = openPage();
    page.show({});
    assert.match(page.text(), /to Anthropic.*to Google.*read and write its files by themselves/);
  });

  it('shows notices with their ways out as buttons', () => {
    const page = openPage();
    const notice = { level: 'warning', what: 'Not trusted.', fix: 'Trust it.', actions: ['manageTrust'] } as const;
    page.show({ trusted: false, notices: [notice] });
    page.find('button', 'Manage Workspace Trust').click();
    assert.deepEqual(page.posted, [{ type: 'act', action: 'manageTrust' }]);
  });
});

describe('the composer', () => {
  it('runs with the task and the chosen options by Ctrl+Enter, and keeps the text until the run has begun', () => {
    const page = openPage();
    page.show({});
    type(page.find('textarea'), '  Fix it ');
    const rounds = page.find('select', 'Rounds');
    Object.assign(rounds, { value: '5' });
    rounds.dispatchEvent(new window.Event('change', { bubbles: true }));
    const where = page.find('select', 'Where');
    Object.assign(where, { value: 'worktree' });
    where.dispatchEvent(new window.Event('change', { bubbles: true }));
    key(page.find('textarea'), { key: 'Enter' });
    assert.deepEqual(page.posted, []);
    key(page.find('textarea'), { key: 'Enter', ctrlKey: true });
    const options = {
      rounds: 5,
      executor: 'claude',
      reviewer: 'gemini',
      models: {},
      permissionMode: 'ask',
      folder: null,
      checks: null,
      newWorktree: true,
    };
    assert.deepEqual(page.posted, [{ type: 'run', task: 'Fix it', options }]);
    page.show({ phase: 'starting' });
    assert.equal(page.state().draft, '  Fix it ');
    page.show(running, stamp([{ type: 'run.started', run: { ...HEADER, task: 'Fix it' } }]));
    assert.equal(page.state().draft, '');
  });

  it('says that a run may come when a task is begun, and for what when that changes', () => {
    const page = openPage();
    page.show({});
    const box = page.find('textarea');
    box.dispatchEvent(new window.Event('focus'));
    const options = {
      rounds: 3,
      executor: 'claude',
      reviewer: 'gemini',
      models: {},
      permissionMode: 'ask',
      folder: null,
      checks: null,
      newWorktree: false,
    } as const;
    assert.deepEqual(page.warmed, [options]);
    type(box, 'Fix');
    type(box, 'Fix it');
    assert.equal(page.warmed.length, 2, 'the first typing, not each');
    const reviewer = page.find('select', 'Reviewer');
    Object.assign(reviewer, { value: 'claude' });
    reviewer.dispatchEvent(new window.Event('change', { bubbles: true }));
    assert.deepEqual(page.warmed.at(-1), { ...options, reviewer: 'claude' });
    const untrusted = openPage();
    untrusted.show({ trusted: false });
    untrusted.find('textarea').dispatchEvent(new window.Event('focus'));
    assert.deepEqual(untrusted.warmed, []);
  });

  it('keeps a draft that another run has nothing to do with', () => {
    const page = openPage({ draft: 'Something else' });
    page.show(running, TWO_ROUND_RUN);
    assert.equal(page.state().draft, 'Something else');
  });

  it('does not run without a task, a folder or trust', () => {
    for (const [draft, host] of [
      ['', {}],
      ['Fix it', { folder: null }],
      ['Fix it', { trusted: false }],
    ] as const) {
      const page = openPage({ draft });
      page.show(host);
      assert.ok(page.find('button[type=submit]').hasAttribute('disabled'));
      key(page.find('textarea'), { key: 'Enter', metaKey: true });
      assert.deepEqual(page.posted, []);
    }
  });

  it('offers each agent only in the roles it takes', () => {
    const page = openPage();
    page.show({});
    const texts = (label: string) => [...page.find('select', label).children].map((option) => option.textContent);
    assert.deepEqual(texts('Executor'), ['Claude works', 'Gemini works']);
    assert.deepEqual(texts('Reviewer'), ['Claude reviews', 'Gemini reviews', 'Demo Reviewer reviews']);
  });
});

describe('the ending card of a run that can go on', () => {
  it('goes on with it, or with one more round', () => {
    const page = openPage();
    page.show({ interrupted: true, canResume: true }, WAITING_RUN);
    page.find('button', 'Go On').click();
    assert.deepEqual(page.posted, [{ type: 'resume', feedback: null }]);
    const over = openPage();
    const ending = { type: 'notApproved', cause: 'roundLimit', score: 6, bestRound: 1 } as const;
    over.show({ canResume: true }, longer({ type: 'run.ended', ending }));
    over.find('button', 'Continue 2 More Rounds').click();
    assert.deepEqual(over.posted, [{ type: 'continueRounds', rounds: 2, feedback: null }]);
    const approved = openPage();
    approved.show({}, TWO_ROUND_RUN);
    assert.deepEqual(approved.all('button', 'Go On'), []);
  });
});

describe('a sub-agent', () => {
  const call = (toolCallId: string, more: object): LoopEventBody => ({
    type: 'toolCall.started',
    ...inTurn,
    derived: { toolCallId, title: toolCallId, kind: 'read', state: 'executing', ...more },
  });
  const ended = (toolCallId: string): LoopEventBody => ({
    type: 'toolCall.updated',
    ...inTurn,
    derived: { toolCallId, state: 'success' },
  });
  const agent = call('Look around', { kind: 'think' });
  const inner = [call('Read one', { parentId: 'Look around' }), call('Read two', { parentId: 'Look around' })];

  it('has what it did under it while it works, and behind one row once it is done', () => {
    const page = openPage();
    page.show(running, longer(agent, ...inner, call('Lost', { parentId: 'nobody' })));
    const group = page.find('.inner');
    assert.deepEqual(
      [...group.querySelectorAll('.title')].map(({ textContent }) => textContent),
      ['Read one', 'Read two'],
    );
    assert.equal(page.all('.round > div > .row', 'Lost').length, 1, 'a call of nobody known stands for itself');
    page.show(running, longer(agent, ...inner, ended('Read one'), ended('Read two'), ended('Look around')));
    assert.deepEqual(page.all('.inner'), []);
    page.find('.disclosure-row', 'Look around 2 tool calls').click();
    assert.equal(page.all('.inner .row').length, 2);
  });
});

describe('a question', () => {
  it('shows what is wanted, the diff, and the agent’s own options in its order with their scope', () => {
    const page = openPage();
    page.show(running, WAITING_RUN);
    const card = page.find('fieldset', 'Claude wants to edit src/sum.ts');
    assert.deepEqual(
      [...card.querySelectorAll('.option button')].map((button) => button.textContent),
      ['Yes', 'Yes, and allow edits for this session', 'No'],
    );
    assert.match(card.textContent ?? '', /All edits of this session/);
    assert.equal(card.querySelector('del')?.textContent, '2−  a - b;');
    assert.equal(card.querySelector('ins')?.textContent, '2+  a + b;');
  });

  it('opens its one change in a diff editor, and says where it can be changed', () => {
    const page = openPage();
    page.show(running, WAITING_RUN);
    page.find('fieldset.question button', 'Open Diff').click();
    assert.deepEqual(page.posted, [{ type: 'openDiff', permissionId: 'q1' }]);
    const changeable = WAITING_RUN.map((event) =>
      event.type === 'permission.requested' ? { ...event, derived: { ...event.derived, takesChange: true } } : event,
    );
    const other = openPage();
    other.show(running, changeable);
    other.find('fieldset.question button', 'Open Diff to Read or Change It');
  });

  it('posts the option’s id, once', () => {
    const page = openPage();
    page.show(running, WAITING_RUN);
    page.find('.option button', 'Yes, and').click();
    assert.deepEqual(page.posted, [
      { type: 'answer', permissionId: 'q1', answer: { outcome: 'selected', optionId: 'session' } },
    ]);
    assert.ok(page.find('fieldset').hasAttribute('disabled'));
  });

  it('offers more than this one call apart from the agent’s options: for the run in sight, wider on demand', () => {
    const page = openPage();
    const [question] = WAITING_RUN.filter((event) => event.type === 'permission.requested');
    assert.ok(question !== undefined);
    const command = { ...question.derived, kind: 'execute', command: 'npm test' } as const;
    const offers = (['session', 'workspace', 'user'] as const).map((scope) => ({
      offerId: `command-${scope}`,
      type: 'command' as const,
      scope,
      command: 'npm test',
    }));
    page.show(
      running,
      longer(
        {
          ...question,
          permissionId: 'p8',
          derived: { ...question.derived, offers: [{ offerId: 'run-edits', type: 'runEdits' }] },
        },
        { ...question, permissionId: 'p9', derived: { ...command, offers } },
      ),
    );
    assert.equal(
      page.find('details').textContent,
      'Always allow this command…Always allow in this folderExactly this command.Always allow, in every folderExactly this command.',
    );
    page.find('button', 'Allow edits for this run').click();
    page.find('button', 'Always allow in this run').click();
    assert.deepEqual(page.posted, [
      { type: 'answer', permissionId: 'p8', answer: { outcome: 'selected', optionId: 'once', offerId: 'run-edits' } },
      {
        type: 'answer',
        permissionId: 'p9',
        answer: { outcome: 'selected', optionId: 'once', offerId: 'command-session' },
      },
    ]);
  });

  it('refuses with a message by the refusing option', () => {
    const page = openPage();
    page.show(running, WAITING_RUN);
    page.find('button', 'Refuse with a message').click();
    type(page.find('input'), 'Use plus');
    page.find('button[type=submit]', 'Refuse').click();
    assert.deepEqual(page.posted, [
      { type: 'answer', permissionId: 'q1', answer: { outcome: 'selected', optionId: 'no', message: 'Use plus' } },
    ]);
  });

  it('is answered where its run is at work: where that is only looked at, it is shown and waits for nobody here', () => {
    const page = openPage();
    page.show({ phase: 'idle' }, WAITING_RUN);
    assert.equal(page.find('fieldset.question').hasAttribute('disabled'), true);
    assert.equal(page.find('[aria-live=assertive]').textContent, '');
    assert.doesNotMatch(page.find('[role=status]').textContent ?? '', /waits for you/);
  });

  it('shows the whole command', () => {
    const command = `echo ${'x'.repeat(5000)} && rm -rf build`;
    const page = openPage();
    page.show(
      running,
      longer({
        type: 'permission.requested',
        turn: 1,
        role: 'execute',
        permissionId: 'q2',
        wire: {},
        derived: {
          toolCallId: 't9',
          title: command,
          kind: 'execute',
          command,
          options: [{ optionId: 'a', name: 'Allow', kind: 'allow_once' }],
          content: [],
          paths: [],
          takesMessage: false,
        },
      }),
    );
    const card = page.find('fieldset', 'Claude wants to run a command');
    assert.equal(card.querySelector('pre')?.textContent, command);
    assert.equal(page.all('button', 'Refuse with a message').length, 1, 'only the first question takes one');
  });

  it('is told to screen readers at once, and shrinks to one line that says who answered', () => {
    const page = openPage();
    page.show(running, WAITING_RUN);
    assert.match(page.find('[aria-live=assertive]').textContent ?? '', /Claude wants to edit src\/sum.ts/);
    page.hear({
      type: 'batch',
      runId: 'run',
      fromSeq: WAITING_RUN.length + 1,
      events: TWO_ROUND_RUN.slice(WAITING_RUN.length, WAITING_RUN.length + 2),
    });
    assert.equal(page.all('fieldset').length, 0);
    assert.match(page.find('.settled').textContent ?? '', /You answered “Yes”.*src\/sum.ts/);
    assert.equal(page.find('[aria-live=assertive]').textContent, '');
  });

  it('says by whom it was settled, for every cause', () => {
    const causes = {
      policy: /without asking you.*because/,
      withdrawn: /Claude took the question back/,
      turnEnded: /the turn ended/,
      sessionCancel: /the run was stopped/,
      agentExit: /Claude ended/,
      dispose: /closed or reloaded/,
    } as const;
    for (const by of ['policy', 'withdrawn', 'turnEnded', 'sessionCancel', 'agentExit', 'dispose'] as const) {
      const page = openPage();
      page.show(
        running,
        longer({
          type: 'permission.resolved',
          permissionId: 'q1',
          by,
          answer: { outcome: 'cancelled' },
          ...(by === 'policy' ? { why: 'because' } : {}),
        }),
      );
      assert.match(page.find('.settled').textContent ?? '', causes[by]);
    }
  });
});

describe('the timeline', () => {
  it('heads each round with its score, findings, files and lines', () => {
    const page = openPage();
    page.show({}, TWO_ROUND_RUN);
    const heads = page.all('.round-head').map((head) => (head.textContent ?? '').replace(/\s+/g, ' '));
    assert.match(
      heads[0] ?? '',
      /^Round 1 — Claude → Gemini 6\/10 2 findings · 1 file \+1 −1 · \d+ s · 5.7K tokens · at least \$0\.02 $/,
    );
    assert.match(heads[1] ?? '', /^Round 2 — Claude → Gemini 9\/10 no findings/);
  });

  it('says who changed each file, what was not announced, and what the person did meanwhile', () => {
    const page = openPage();
    const file = (path: string) => ({ path, status: 'modified', added: 1, removed: 0 }) as const;
    const truth = {
      unannounced: ['quiet.ts'],
      unseen: ['same.ts'],
      outside: ['/etc/hosts'],
      byUser: ['mine.md'],
      byBoth: ['both.ts'],
      ranCommands: true,
    };
    const files = [file('agent.ts'), file('quiet.ts'), file('mine.md'), file('both.ts')];
    page.show(running, longer({ type: 'user.edited', path: 'mine.md' }, { type: 'round.changes', files, truth }));
    assert.match(page.text(), /You changed mine\.md/);
    const changes = page.find('.changes button', '4 files');
    assert.match(changes.textContent ?? '', /1 not announced2 yours/);
    changes.click();
    const rows = page.all('.changes .files li').map((row) => row.textContent);
    assert.deepEqual(rows, [
      'agent.ts+1 −0',
      'quiet.tsnot announced by the agent; a command may have changed it+1 −0',
      'mine.mdchanged by you+1 −0',
      'both.tschanged by you and the agent+1 −0',
    ]);
    assert.match(page.text(), /says that it changed same\.ts, and nothing differs/);
    assert.match(page.text(), /Outside the folder, not compared and not undone: \/etc\/hosts/);
  });

  it('closes and opens a round by its header', () => {
    const page = openPage();
    page.show({}, TWO_ROUND_RUN);
    const head = page.find('.round-head', 'Round 1');
    assert.equal(head.getAttribute('aria-expanded'), 'false', 'a newer one has begun');
    assert.equal(page.all('.review').length, 1);
    head.click();
    assert.equal(page.all('.review').length, 2);
    head.click();
    assert.equal(head.getAttribute('aria-expanded'), 'false');
    assert.equal(page.all('.review').length, 1);
  });

  it('keeps thoughts closed until they are asked for', () => {
    const page = openPage();
    page.show(running, WAITING_RUN);
    assert.equal(page.all('.thought .text').length, 0);
    assert.equal(page.find('.activity').textContent, 'The sign is wrong.', 'of the newest, one line');
    page.find('button', 'Claude thought').click();
    assert.equal(page.find('.thought .text').textContent, 'The sign is wrong.');
  });

  it('draws what agents and reviewers write as text, never as HTML', () => {
    const html = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const page = openPage();
    page.show(
      running,
      longer(
        { type: 'message.chunk', ...inTurn, derived: { channel: 'message', messageId: 'm9', text: html } },
        { type: 'toolCall.started', ...inTurn, derived: { toolCallId: 'x', title: html, kind: 'execute' } },
        {
          type: 'diagnostic',
          ...inTurn,
          derived: { source: 'agent', level: 'error', code: 'agentError', text: html },
        },
      ),
    );
    assert.equal(page.root.querySelectorAll('img, script').length, 0);
    assert.ok(page.text().includes(html));
  });

  it('opens a file at its line', () => {
    const page = openPage();
    page.show({}, TWO_ROUND_RUN);
    page.find('.settled-finding button', 'Strings are joined').click();
    page.find('.finding-place button', 'src/sum.ts:2').click();
    assert.deepEqual(page.posted, [{ type: 'openFile', path: 'src/sum.ts', line: 2 }]);
  });

  it('keeps rows that no event touched, and the open question with them (case C56)', () => {
    const page = openPage();
    page.show(running, WAITING_RUN);
    const rows = page.all('.text');
    const box = page.find('fieldset');
    page.hear({
      type: 'batch',
      runId: 'run',
      fromSeq: WAITING_RUN.length + 1,
      events: longer({
        type: 'message.chunk',
        ...inTurn,
        derived: { channel: 'message', messageId: 'm7', text: 'More.' },
      }).slice(-1),
    });
    assert.deepEqual(page.all('.text').slice(0, rows.length), rows);
    assert.equal(page.find('fieldset'), box);
  });

  it('draws a re-created page as it was: a batch from the first event gives the same HTML (case C56)', () => {
    const live = openPage();
    live.show(running);
    live.hear({ type: 'reset', runId: 'run' });
    for (const event of WAITING_RUN) live.hear({ type: 'batch', runId: 'run', fromSeq: event.seq, events: [event] });
    const html = live.root.innerHTML;
    const again = openPage();
    again.show(running, WAITING_RUN);
    assert.equal(again.root.innerHTML, html);
  });

  it('has what was begun and opened in a re-created page, and in no other run (case C56)', () => {
    const live = openPage();
    live.show(running, WAITING_RUN);
    live.find('button', 'Refuse with a message').click();
    type(live.find('fieldset input'), 'Use plus');
    live.find('.turn > button').click();
    const again = openPage(savedOf(live.state()));
    again.show(running, WAITING_RUN);
    assert.equal(Reflect.get(again.find('fieldset input'), 'value'), 'Use plus');
    assert.equal(again.find('.turn > button').getAttribute('aria-expanded'), 'true');
    const other = openPage(savedOf(live.state()));
    other.hear({ type: 'state', state: { ...IDLE, ...running } });
    other.hear({ type: 'reset', runId: 'another' });
    other.hear({ type: 'batch', runId: 'another', fromSeq: 1, events: WAITING_RUN });
    assert.equal(other.all('fieldset input').length, 0);
    assert.equal(other.find('.turn > button').getAttribute('aria-expanded'), 'false');
  });

  it('takes the focus for a box that was open in a page before only where the person is', () => {
    for (const isHere of [true, false]) {
      const live = openPage();
      live.show(running, WAITING_RUN);
      live.find('button', 'Refuse with a message').click();
      const again = openPage(savedOf(live.state()));
      document.hasFocus = () => isHere;
      again.show(running, WAITING_RUN);
      assert.equal(document.activeElement === again.find('fieldset input'), isHere);
    }
  });

  it('draws a command that runs in the card of its call, or by itself, and what was not carried out', () => {
    const page = openPage();
    page.show(
      running,
      longer(
        {
          type: 'toolCall.started',
          ...inTurn,
          derived: { toolCallId: 'x', kind: 'execute', title: 'npm test', state: 'executing' },
        },
        { type: 'terminal.started', turn: 1, role: 'execute', terminalId: 'a', command: 'npm test', cwd: '/p' },
        {
          type: 'toolCall.updated',
          ...inTurn,
          derived: { toolCallId: 'x', content: [{ type: 'terminal', terminalId: 'a' }] },
        },
        { type: 'terminal.output', terminalId: 'a', text: '\u001b[31m<b>red</b>\u001b[0m\n', skipped: 5 },
        { type: 'terminal.ended', terminalId: 'a', end: { exitCode: 2, signal: null, by: 'itself' } },
        { type: 'terminal.started', turn: 1, role: 'execute', terminalId: 'b', command: 'npm run dev', cwd: '/p' },
        { type: 'terminal.output', terminalId: 'b', text: 'listening', skipped: 0 },
        {
          type: 'request.moved',
          turn: 1,
          role: 'execute',
          requestId: 'r1',
          method: 'terminal/create',
          subject: 'rm -rf x',
          state: 'cancelled',
          reason: 'denied',
          why: 'A rule refuses it.',
        },
      ),
    );
    const text = page.text();
    assert.equal(text.split('$ npm test').length, 2, 'once: in its card');
    assert.match(text, /Earlier output is not kept\..*<b>red<\/b>.*exit code 2/s);
    assert.match(text, /npm run dev.*running.*listening/s);
    assert.match(text, /rm -rf x A rule refuses it\..*denied/s);
  });

  it('says of a tool call that was cut off that nothing was reported', () => {
    const page = openPage();
    page.show({ interrupted: true }, WAITING_RUN);
    assert.match(page.text(), /no result reported/);
  });
});

describe('the review card', () => {
  it('shows ring, verdict word, summary, and the findings by severity', () => {
    const page = openPage();
    const scored = TWO_ROUND_RUN.findIndex((event) => event.type === 'round.ended');
    page.show(running, TWO_ROUND_RUN.slice(0, scored));
    const card = page.find('.review');
    assert.equal(card.querySelector('[role=img]')?.getAttribute('aria-label'), 'Score: 6/10');
    assert.match(card.textContent ?? '', /Not approved.*nothing guards.*Major.*Strings are joined.*Nits.*no name/);
    page.show({}, TWO_ROUND_RUN);
    const last = page.find('.review').textContent ?? '';
    assert.match(last, /Approved.*Fixed in this round 2.*Strings are joined.*Consider rounding/);
  });

  it('says why there is no verdict', () => {
    const scored = TWO_ROUND_RUN.find((event) => event.type === 'review.scored');
    assert.ok(scored?.type === 'review.scored');
    const verdict = { ...scored.verdict, status: 'unparsable', score: null, reason: 'no_score', findings: [] } as const;
    const page = openPage();
    page.show({}, longer({ ...scored, verdict, blockedBy: [] }));
    assert.match(page.find('.review').textContent ?? '', /No verdict: the review names no score/);
  });

  it('says what stands against an approval', () => {
    const scored = TWO_ROUND_RUN.findLast((event) => event.type === 'review.scored');
    assert.ok(scored?.type === 'review.scored');
    const page = openPage();
    page.show({}, longer({ ...scored, approved: false, blockedBy: ['A blocker is still open.'] }));
    assert.match(
      page.find('.review').textContent ?? '',
      /Approved by the reviewer, but it does not count.*The approval does not count:.*A blocker is still open.*ask another reviewer/,
    );
  });
});

describe('the end of a run', () => {
  const ended = (ending: Extract<LoopEventBody, { type: 'run.ended' }>['ending']) => {
    const page = openPage();
    page.show({ canUndo: true }, longer({ type: 'run.ended', ending }));
    return page;
  };

  it('names the ending, its cause and the way on, for every ending', () => {
    const cases = [
      [{ type: 'approved', score: 9.5 }, /Approved with 9.5\/10/],
      [
        { type: 'notApproved', cause: 'roundLimit', score: 7, bestRound: 2 },
        /Not approved.*7\/10; round 2 was the best/,
      ],
      [{ type: 'noVerdict', message: 'Twice no JSON.' }, /No verdict.*Twice no JSON.*unreviewed/],
      [{ type: 'stopped' }, /Stopped by you/],
      [
        { type: 'failed', role: 'review', cause: 'signIn', message: 'Please log in' },
        /Gemini failed: not signed in.*Please log in.*Start Gemini in a terminal/,
      ],
      [{ type: 'failed', role: null, cause: 'loop', message: 'disk full' }, /The run failed.*disk full/],
    ] as const;
    for (const [ending, words] of cases) assert.match(ended(ending).find('.ending').textContent ?? '', words);
  });

  it('offers to start anew, and the log', () => {
    const page = ended({ type: 'stopped' });
    for (const words of ['New Run', 'Open Log']) page.find('.ending button', words).click();
    assert.deepEqual(page.posted, [{ type: 'newRun' }, { type: 'openLog' }]);
  });

  it('shows an interrupted run as such, its question settled and no longer answerable', () => {
    const page = openPage();
    page.show({ interrupted: true, canUndo: true }, WAITING_RUN);
    assert.match(page.find('.ending').textContent ?? '', /Interrupted/);
    assert.equal(page.all('fieldset').length, 0);
    assert.match(page.find('.settled').textContent ?? '', /closed or reloaded/);
  });
});

describe('the footer', () => {
  it('says who acts and stops the run', () => {
    const page = openPage();
    page.show(running, WAITING_RUN.slice(0, -1));
    assert.match(page.find('footer').textContent ?? '', /Round 1 of 3 · Claude works/);
    page.find('button', 'Stop').click();
    assert.deepEqual(page.posted, [{ type: 'stop' }]);
  });

  it('says that a question waits', () => {
    const page = openPage();
    page.show(running, WAITING_RUN);
    assert.match(page.find('footer').textContent ?? '', /1 question waits for you/);
    assert.match(page.find('[role=status]').textContent ?? '', /1 question waits for you/);
  });

  it('says that the agents are being started', () => {
    const page = openPage();
    page.show({ phase: 'starting' });
    assert.match(page.find('footer').textContent ?? '', /Starting the agents/);
  });
});

describe('the words', () => {
  it('come from the host in the person’s language', () => {
    const page = openPage();
    page.show({ words: { Run: '运行', 'Round {0}': '第 {0} 轮' }, language: 'zh-cn' }, TWO_ROUND_RUN);
    assert.match(page.find('.round-head', '第 2 轮').textContent ?? '', /^第 2 轮 — Claude → Gemini/);
    assert.equal(page.find('button[type=submit]').textContent, '运行');
  });
});
