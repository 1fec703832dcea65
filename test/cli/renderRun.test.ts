import assert from 'node:assert/strict';
import { createRunRenderer } from '../../src/cli/renderRun.ts';
import { createStyle } from '../../src/cli/style.ts';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import { EDIT_REQUEST, HEADER, stamp, TWO_ROUND_RUN } from '../fakes/events.ts';

const PLAIN = createStyle(false);

function render(events: readonly LoopEvent[], verbose = false, columns = 80) {
  const renderer = createRunRenderer({ verbose, style: PLAIN, columns });
  const parts = events.map((event) => renderer.event(event));
  for (const part of parts) assert.ok(part === '' || part.endsWith('\n'), `not whole lines: ${JSON.stringify(part)}`);
  return { text: parts.join(''), parts, renderer };
}

const inTurn = { turn: 1, role: 'execute', wire: {} } as const;
const chunk = (text: string, messageId = 'm', channel: 'message' | 'thought' = 'message'): LoopEventBody => ({
  type: 'message.chunk',
  ...inTurn,
  derived: { channel, messageId, text },
});
const started = (role: 'execute' | 'review' = 'execute', prompt = 'Do it.'): LoopEventBody => ({
  type: 'turn.started',
  turn: 1,
  role,
  prompt,
  wire: { sessionId: null, model: null },
});
const ended = (
  outcome: Extract<LoopEventBody, { type: 'turn.ended' }>['derived']['outcome'] = { type: 'completed' },
): LoopEventBody => ({ type: 'turn.ended', ...inTurn, derived: { outcome, usage: null, models: [] } });

/** A run's events from its header and first round on. */
const events = (...bodies: readonly LoopEventBody[]) =>
  stamp([{ type: 'run.started', run: HEADER }, { type: 'round.started' }, ...bodies]);

describe('renderRun', () => {
  it('shows a run of two rounds: input, output, changes, review table, round summary', () => {
    const { text, renderer } = render(TWO_ROUND_RUN);
    for (const part of [
      'Make the sum test pass\n',
      'Claude Code executes, Gemini CLI reviews; up to 3 rounds, approved from 9/10',
      '── Round 1 ─',
      '▶ Claude Code executes\n  │ Task: Make the sum test pass\n',
      'I will fix the sum.\n',
      '✓ src/sum.ts  +1 −1\n',
      '✓ npm test\n  1 passing\n',
      '1.5k tokens · $0.02 · opus',
      'Changed: 1 file +1 −1\n  M src/sum.ts  +1 −1\n',
      '6/10  not approved  (threshold 9)\n',
      'F1  major    src/sum.ts:2  Strings are joined, not added\n    sum("1", 2) gives "12".\n    → Refuse what is no number.\n',
      'Round 1: 6/10 · 2 open findings · 1 file +1 −1 · 2.2 s\n',
      '9/10  APPROVED\n',
      'fixed: F1, F2\n',
    ])
      assert.ok(text.includes(part), `${part}\nis not in\n${text}`);
    assert.equal(renderer.result(), 'Guarded.');
    assert.deepEqual(renderer.scores(), [6, 9]);
  });

  it('names what a prompt does not hold', () => {
    const files = Array.from({ length: 12 }, (_, at) => `f${at}`);
    const { text } = render(events({ ...started('review'), ...{ withheld: ['.env', 'a.ts'], shortened: files } }));
    assert.match(text, /^Kept out, as it may be secret: \.env, a\.ts$/m);
    assert.match(text, /^Too long to be whole in it, to be read by the reviewer: f0, f1, .*, f9, …$/m);
    assert.doesNotMatch(render(events(started('review'))).text, /Kept out|Too long/);
  });

  it('leaves thoughts, arguments, diagnostics and checkpoints to -v', () => {
    const short = render(TWO_ROUND_RUN).text;
    const long = render(TWO_ROUND_RUN, true).text;
    for (const part of [
      'The sign is wrong.',
      '"command": "npm test"',
      'warm',
      'checkpoint c1',
      '+  a + b;',
      '2.1.197',
    ]) {
      assert.ok(!short.includes(part), part);
      assert.ok(long.includes(part), part);
    }
  });

  it('shows the JSON verdict of a reviewer as a review, and the text itself with -v', () => {
    const review = (text: string): LoopEventBody => ({
      type: 'message.chunk',
      turn: 1,
      role: 'review',
      wire: {},
      derived: { channel: 'message', messageId: 'm', text },
    });
    const told = events(
      started('review'),
      ...['Good.\n``', '`json\n{\n"score": 9', '\n}\n```\n', '```js\nlet a;\n```\nAPPROVED'].map(review),
      ended(),
    );
    assert.match(render(told).text, /Good\.\n```js\nlet a;\n```\nAPPROVED\n/);
    assert.doesNotMatch(render(told).text, /score/);
    assert.match(render(told, true).text, /"score": 9/);
  });

  it('bounds the input, and gives all of it with -v', () => {
    const prompt = Array.from({ length: 40 }, (_, line) => `line ${line + 1} ${'x'.repeat(100)}`).join('\n');
    const told = events(started('execute', prompt));
    const { text } = render(told);
    assert.match(text, /│ line 6 x+…\n {2}│ … 34 more lines \(-v shows all\)\n/);
    assert.doesNotMatch(text, /line 7/);
    assert.match(render(told, true).text, /line 40 x{100}\n/);
  });

  it('gives a growing message line by line, and its rest before whatever comes next', () => {
    const { parts } = render(events(started(), chunk('One li'), chunk('ne.\nTwo'), chunk('.', 'other'), ended()));
    assert.deepEqual(parts.slice(3, 6), ['', 'One line.\n', 'Two\n']);
    assert.match(parts[6] ?? '', /^\.\n/);
  });

  it('goes on where a final text adds to what was shown, and says when it does not', () => {
    const replaced = (text: string, reason: 'final' | 'withdrawn'): LoopEventBody => ({
      type: 'message.replaced',
      ...inTurn,
      derived: { channel: 'message', messageId: 'm', text, reason },
    });
    const same = render(events(started(), chunk('Hello'), replaced('Hello', 'final'), ended())).text;
    assert.equal(same.split('Hello').length, 2);
    const more = render(events(started(), chunk('Hel'), replaced('Hello\n', 'final'), ended())).text;
    assert.match(more, /^Hello$/m);
    const other = render(events(started(), chunk('Hello\n'), replaced('Bye', 'final'), ended()));
    assert.match(other.text, /changed this message\)\nBye\n/);
    assert.equal(other.renderer.result(), 'Bye');
    const gone = render(events(started(), chunk('Hello'), replaced('', 'withdrawn'), ended()));
    assert.match(gone.text, /took this message back/);
    assert.equal(gone.renderer.result(), '');
  });

  it('says where the agent’s word and the folder differ, and in a terminal whose it may be', () => {
    const truth = {
      unannounced: Array.from({ length: 12 }, (_, at) => `f${at}`),
      unseen: ['same.ts'],
      outside: ['/etc/hosts'],
      byUser: [],
      byBoth: [],
      ranCommands: false,
    };
    const { text } = render(events({ type: 'round.changes', files: [], truth }));
    assert.match(text, /^Not announced by the agent \(yours, if you edited meanwhile\): f0, .*f9 and 2 more files$/m);
    assert.match(text, /^Announced, and nothing differs: same\.ts$/m);
    assert.match(text, /^Announced, outside the folder: not compared, and not undone: \/etc\/hosts$/m);
    assert.doesNotMatch(text, /Changed by you/);
  });

  it('neutralises control sequences wherever an agent’s text is shown', () => {
    const evil = '\u001b[2J\u202e';
    const told = events(
      started('execute', evil),
      chunk(`a${evil}\n`),
      chunk(evil, 't', 'thought'),
      {
        type: 'toolCall.updated',
        ...inTurn,
        derived: {
          toolCallId: evil,
          title: evil,
          kind: 'execute',
          state: 'error',
          content: [{ type: 'text', text: evil }],
          rawInput: evil,
        },
      },
      { type: 'toolCall.started', ...inTurn, derived: { toolCallId: 'x', title: evil } },
      { type: 'plan.updated', ...inTurn, derived: { entries: [{ content: evil, status: 'pending' }] } },
      {
        type: 'permission.requested',
        turn: 1,
        role: 'execute',
        permissionId: 'p',
        wire: {},
        derived: { ...EDIT_REQUEST, title: evil },
      },
      { type: 'permission.resolved', permissionId: 'p', by: 'policy', answer: { outcome: 'cancelled' }, why: evil },
      { type: 'diagnostic', ...inTurn, derived: { source: 'agent', level: 'error', code: 'agentError', text: evil } },
      ended({ type: 'failed', cause: 'agentError', message: evil }),
      {
        type: 'round.changes',
        files: [{ path: evil, status: 'added', added: null, removed: null }],
        truth: {
          unannounced: [evil],
          unseen: [evil],
          outside: [evil],
          byUser: [evil],
          byBoth: [evil],
          ranCommands: true,
        },
      },
      { type: 'user.edited', path: evil },
      {
        type: 'review.scored',
        turn: 1,
        approved: false,
        blockedBy: [evil],
        verdict: {
          status: 'not_approved',
          approved: false,
          score: 5,
          source: 'json',
          reason: 'ok',
          warnings: [evil],
          summary: evil,
          findings: [],
          previous: [],
          suggestions: [evil],
        },
      },
      {
        type: 'finding.opened',
        finding: {
          id: evil,
          severity: 'nit',
          file: evil,
          title: evil,
          detail: evil,
          suggestion: evil,
          openedInRound: 1,
          status: 'open',
        },
      },
      { type: 'round.ended' },
    );
    for (const verbose of [false, true]) {
      const { text, renderer } = render(told, verbose);
      assert.ok(!text.includes('\u001b') && !text.includes('\u202e'), JSON.stringify(text));
      assert.ok(text.includes('␛[2J'));
      assert.ok(!(renderer.activity()?.text ?? '').includes('\u001b'));
    }
  });

  it('says what is inferred: a call without a result, and how a turn ended badly', () => {
    const call: LoopEventBody = {
      type: 'toolCall.started',
      ...inTurn,
      derived: { toolCallId: 'a', title: 'npm test' },
    };
    const { text, renderer } = render(
      events(started(), chunk('half'), call, ended({ type: 'incomplete', cause: 'max_tokens', message: 'Too long.' })),
    );
    assert.match(text, /\? no result reported: npm test\n/);
    assert.match(text, /Cut short \(max_tokens\): Too long\.\n/);
    assert.equal(renderer.result(), '', 'a cut turn has no result');
  });

  it('tells a denied call and the policy that denied it', () => {
    const told = events(
      started(),
      { type: 'permission.requested', turn: 1, role: 'execute', permissionId: 'p', wire: {}, derived: EDIT_REQUEST },
      {
        type: 'permission.resolved',
        permissionId: 'p',
        by: 'policy',
        answer: { outcome: 'selected', optionId: 'no' },
        why: 'This run is read-only.',
      },
      {
        type: 'toolCall.updated',
        ...inTurn,
        derived: { toolCallId: 'e', title: 'Edit a', state: 'error', reason: 'denied' },
      },
    );
    assert.match(render(told).text, /policy: No – src\/sum\.ts \(This run is read-only\.\)\n– denied: Edit a\n/);
  });

  it('tells who is at work on what, for the status line', () => {
    const { renderer } = render(TWO_ROUND_RUN.slice(0, 7));
    assert.match(renderer.activity()?.text ?? '', /^Round 1\/3 · Claude Code /);
    assert.equal(render(TWO_ROUND_RUN).renderer.activity(), null);
  });

  it('shows the commands that we run: how each ended, with its last lines, and what runs on', () => {
    const terminal = (terminalId: string, command: string): LoopEventBody => ({
      type: 'terminal.started',
      turn: 1,
      role: 'execute',
      terminalId,
      command,
      cwd: '/p',
    });
    const end = (terminalId: string, more: object): LoopEventBody => ({
      type: 'terminal.ended',
      terminalId,
      end: { exitCode: 0, signal: null, by: 'itself', ...more },
    });
    const output = (terminalId: string, text: string, skipped = 0): LoopEventBody => ({
      type: 'terminal.output',
      terminalId,
      text,
      skipped,
    });
    const log = events(
      started(),
      terminal('t1', 'npm test'),
      output('t1', 'one\ntwo\nthr'),
      output('t1', 'ee\n4\n5\n6\n\u001b[2J7\n', 12),
      end('t1', { exitCode: 1 }),
      terminal('t2', 'true'),
      end('t2', {}),
      terminal('t3', 'npm run dev'),
      output('t3', 'listening'),
      terminal('t4', 'sleep 9'),
      end('t4', { exitCode: null, signal: 'SIGTERM', by: 'agent' }),
      ended(),
      end('t3', { exitCode: null, signal: 'SIGTERM', by: 'stop' }),
    );
    const { text } = render(log);
    assert.ok(text.includes('✗ $ npm test  exit 1\n  … 1 line before\n  two\n  three\n  4\n  5\n  6\n  7\n'), text);
    assert.match(text, /✓ \$ true\n/);
    assert.match(text, /– \$ sleep 9 {2}ended by the agent\n/);
    assert.match(text, /▷ still running: \$ npm run dev\n/);
    assert.match(text, /– \$ npm run dev {2}ended by the stop\n {2}listening\n/);
    const all = render(log, true).text;
    assert.ok(all.includes('▷ $ npm test\n  one\n  two\n  … 12 bytes not shown\n  three\n  4\n'), all);
  });

  it('tells a request of an agent that was not carried out, with the reason', () => {
    const moved = (state: 'executing' | 'error' | 'cancelled', reason?: 'denied' | 'failed' | 'stopped') =>
      ({
        type: 'request.moved',
        turn: 1,
        role: 'execute',
        requestId: 'r1',
        method: 'terminal/create',
        subject: 'rm x',
        state,
        ...(reason === undefined ? {} : { reason, why: 'Why not.' }),
      }) as const;
    const { text } = render(
      events(
        started(),
        moved('executing'),
        moved('cancelled', 'denied'),
        moved('cancelled', 'stopped'),
        moved('error', 'failed'),
      ),
    );
    assert.deepEqual(text.match(/– .*/g), [
      '– refused: terminal/create rm x (Why not.)',
      '– failed: terminal/create rm x (Why not.)',
    ]);
  });

  it('keeps the last lines of a long output', () => {
    const text = Array.from({ length: 20 }, (_, line) => `out ${line + 1}`).join('\n');
    const told = events(started(), {
      type: 'toolCall.updated',
      ...inTurn,
      derived: {
        toolCallId: 'a',
        title: 'npm test',
        kind: 'execute',
        state: 'success',
        content: [{ type: 'text', text }],
      },
    });
    assert.match(render(told).text, /✓ npm test\n {2}… 14 lines before\n {2}out 15\n/);
  });
});
