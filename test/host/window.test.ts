import assert from 'node:assert/strict';
import { linkedFile } from '../../src/host/fileLink.ts';
import { runToOpen } from '../../src/host/lastRun.ts';
import { pageHtml } from '../../src/host/page.ts';
import { pendingAnswer } from '../../src/host/pendingAnswer.ts';
import { statusOf } from '../../src/host/status.ts';
import { parseViewMessage } from '../../src/host/viewMessages.ts';
import type { RunSummary } from '../../src/session/runs.ts';
import type { ViewToHost } from '../../src/shared/messages.ts';
import type { PermissionOption } from '../../src/shared/permission.ts';
import { reduce } from '../../src/shared/reduce.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import { HEADER, TWO_ROUND_RUN, WAITING_RUN } from '../fakes/events.ts';
import { english } from './windowState.ts';

describe('parseViewMessage', () => {
  const options = {
    rounds: 3,
    executor: 'claude',
    reviewer: 'gemini',
    models: {},
    permissionMode: 'ask',
    folder: null,
    checks: [
      { command: 'npm test -- "größer"', source: 'typed' },
      { command: 'make lint', source: 'detected' },
    ],
    newWorktree: true,
  } as const;
  const all: readonly ViewToHost[] = [
    { type: 'ready', runId: null, lastSeq: 0 },
    { type: 'run', task: 'Fix it', options },
    { type: 'complete', query: 'a', folder: null, anew: true },
    { type: 'askTasks' },
    { type: 'addImage', image: { name: 'a.png', mimeType: 'image/png', data: 'AAAA' } },
    { type: 'removeImage', index: 0 },
    { type: 'dropped', uris: ['file:///p/a.ts'] },
    { type: 'consent', known: true },
    { type: 'answer', permissionId: 'q1', answer: { outcome: 'selected', optionId: 'once', message: 'no' } },
    { type: 'answer', permissionId: 'q1', answer: { outcome: 'cancelled' } },
    { type: 'warm', options },
    { type: 'resume', feedback: null },
    { type: 'continueRounds', rounds: 2, feedback: { findings: ['F1'], text: null, instruction: null } },
    { type: 'reviewAgain', reviewer: 'claude' },
    { type: 'pause', wanted: true },
    { type: 'proceed', feedback: null },
    { type: 'proceed', feedback: { findings: ['F1'], text: 'x', instruction: null } },
    { type: 'note', text: 'Mind the tests' },
    { type: 'openDiff', permissionId: 'q1' },
    { type: 'stop' },
    { type: 'previewUndo', asked: { scope: { type: 'after', round: 2 }, conflicts: 'leave' } },
    { type: 'undo', asked: { scope: { type: 'redo' }, conflicts: 'mark' } },
    { type: 'decide', finding: 'F1', decision: { status: 'dismissed', reason: 'It is meant so' } },
    { type: 'ask', finding: 'F1', text: 'Why?' },
    { type: 'openChanges', round: null },
    { type: 'commit' },
    { type: 'settleWorktree', how: 'applied' },
    { type: 'newRun' },
    { type: 'openLog' },
    { type: 'openFile', path: 'src/a.ts', line: null },
    { type: 'openPart', id: 'round/1/p/q1', part: 0 },
    { type: 'openTerminal', terminalId: 'x' },
    { type: 'openCheck', checkId: 'check-1' },
    { type: 'openPrompt', turn: 2 },
    { type: 'copyText', text: 'code' },
    { type: 'insertText', text: 'code' },
    { type: 'act', action: 'manageTrust' },
    { type: 'continueInTerminal' },
    { type: 'doctor', action: { type: 'check' } },
    { type: 'doctor', action: { type: 'setKey' } },
    { type: 'doctor', action: { type: 'signIn', agent: 'claude' } },
  ];

  it('takes every message of the page as it is', () => {
    for (const message of all) assert.deepEqual(parseViewMessage(structuredClone(message)), message);
  });

  it('refuses everything else', () => {
    const wrong: readonly unknown[] = [
      null,
      'stop',
      {},
      { type: 'exec', command: 'rm' },
      { type: 'stop', extra: 1 },
      { type: 'warm', options: { ...options, executor: 1 } },
      { type: 'resume', run: 'another' },
      { type: 'continueRounds', rounds: 0 },
      { type: 'continueRounds', rounds: 21 },
      { type: 'reviewAgain', reviewer: '' },
      { type: 'proceed', feedback: { findings: null, text: null } },
      { type: 'proceed', feedback: { findings: 'F1', text: null, instruction: null } },
      { type: 'note', text: '' },
      { type: 'ready', runId: null, lastSeq: -1 },
      { type: 'run', task: '', options },
      { type: 'run', task: 'x', options: { ...options, permissionMode: 'yolo' } },
      { type: 'addImage', image: { name: 'a.svg', mimeType: 'image/svg+xml', data: 'AAAA' } },
      { type: 'addImage', image: { name: 'a.png', mimeType: 'image/png', data: '<svg>' } },
      { type: 'addImage', image: { name: 'a.png', mimeType: 'image/png', data: 'A'.repeat(8_000_000) } },
      { type: 'run', task: 'x', options: { ...options, checks: [{ command: 'a\nb', source: 'typed' }] } },
      { type: 'run', task: 'x', options: { ...options, checks: [{ command: 'a', source: 'confirmed' }] } },
      { type: 'run', task: 'x', options: { ...options, executablePaths: { claude: '/evil' } } },
      { type: 'answer', permissionId: 'q1', answer: { outcome: 'allowed' } },
      { type: 'openFile', path: 'a', line: 0 },
      { type: 'openPart', id: 'round/1/p/q1', part: -1 },
      { type: 'insertText', text: 'x'.repeat(1_000_001) },
      { type: 'insertText', text: 'x', file: '/etc/passwd' },
      { type: 'act', action: 'workbench.action.terminal.sendSequence' },
      { type: 'doctor', action: { type: 'install', agent: 'x', command: 'rm -rf /' } },
      { type: 'doctor', action: { type: 'setKey', key: 'k' } },
    ];
    for (const message of wrong) assert.equal(parseViewMessage(message), null, JSON.stringify(message));
  });
});

describe('pageHtml (case C58)', () => {
  const html = pageHtml({
    script: 'https://r/webview.js',
    style: 'https://r/"x.css',
    source: 'https://r',
    nonce: 'N',
    language: 'en',
  });

  it('has its policy in the head, closed by default, with a nonce and nothing unsafe', () => {
    const policy = /<head>[\s\S]*Content-Security-Policy" content="([^"]*)"[\s\S]*<\/head>/.exec(html)?.[1] ?? '';
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-N' https://r; style-src https://r; font-src https://r; img-src data:",
    );
  });

  it('has one script, by its nonce, and no handler or style in the page', () => {
    assert.deepEqual(html.match(/<script[^>]*>/g), ['<script type="module" nonce="N" src="https://r/webview.js">']);
    assert.doesNotMatch(html, /\son\w+=|style=/);
    assert.ok(html.includes('href="https://r/&quot;x.css"'));
  });
});

describe('statusOf', () => {
  it('says round, who does what, and the last score', () => {
    const reviewing = TWO_ROUND_RUN.slice(0, TWO_ROUND_RUN.findLastIndex((event) => event.type === 'turn.started') + 1);
    const status = statusOf(reduce(EMPTY_VIEW, reviewing), 'running', english);
    assert.equal(status?.text, '$(loading~spin) Round 2/3 · Gemini reviewing · 6/10');
    assert.equal(status.tooltip, HEADER.task);
    assert.equal(status.waits, false);
  });

  it('says that a question waits', () => {
    const status = statusOf(reduce(EMPTY_VIEW, WAITING_RUN), 'running', english);
    assert.deepEqual([status?.text, status?.waits], ['$(question) 1 waiting for you', true]);
  });

  it('is shown from the start to the end of a run only', () => {
    assert.match(statusOf(EMPTY_VIEW, 'running', english, 2)?.text ?? '', /2 waiting for you/);
    assert.match(statusOf(EMPTY_VIEW, 'starting', english)?.text ?? '', /Starting/);
    assert.match(statusOf(EMPTY_VIEW, 'stopping', english)?.text ?? '', /Stopping/);
    assert.equal(statusOf(reduce(EMPTY_VIEW, TWO_ROUND_RUN), 'idle', english), null);
  });
});

describe('pendingAnswer', () => {
  const [item] = reduce(EMPTY_VIEW, WAITING_RUN).waiting;
  assert.ok(item);
  const withOptions = (options: readonly PermissionOption[]) => ({ ...item, request: { ...item.request, options } });

  it('answers by the meaning of the options, wherever they stand', () => {
    assert.deepEqual(pendingAnswer(item, 'approve'), { outcome: 'selected', optionId: 'once' });
    assert.deepEqual(pendingAnswer(item, 'deny'), { outcome: 'selected', optionId: 'no' });
    const turned = withOptions(item.request.options.toReversed());
    assert.deepEqual(pendingAnswer(turned, 'approve'), { outcome: 'selected', optionId: 'once' });
  });

  it('leaves it to the person when the agent offers none or several', () => {
    const option = { optionId: 'a', name: 'A', kind: 'allow_once' } as const;
    assert.equal(pendingAnswer(withOptions([option, { ...option, optionId: 'b' }]), 'approve'), null);
    assert.equal(pendingAnswer(withOptions([{ ...option, kind: 'allow_always' }]), 'approve'), null);
    assert.equal(pendingAnswer(withOptions([{ ...option, kind: 'unknown' }]), 'deny'), null);
  });
});

describe('linkedFile', () => {
  it('resolves what agents write against the run’s folder', () => {
    assert.equal(linkedFile('src/a.ts', '/p', 'linux'), '/p/src/a.ts');
    assert.equal(linkedFile('/p/src/a.ts', '/p', 'linux'), '/p/src/a.ts');
    assert.equal(linkedFile('src\\a.ts', 'C:\\p', 'win32'), 'C:\\p\\src\\a.ts');
    assert.equal(linkedFile('D:\\a.ts', 'C:\\p', 'win32'), 'D:\\a.ts');
  });

  it('refuses network shares and addresses', () => {
    for (const written of [
      '\\\\evil\\share\\a',
      '//evil/share/a',
      'https://evil/a',
      'vscode://x',
      'file:///a',
      '',
      'a\0b',
    ])
      assert.equal(linkedFile(written, 'C:\\p', 'win32'), null, written);
  });
});

describe('runToOpen', () => {
  const run = (id: string, state: RunSummary['state'], folder = '/p'): RunSummary => ({
    id,
    directory: `/s/runs/${id}`,
    run: { ...HEADER, folder },
    startedAt: 0,
    state,
    ending: null,
    undone: false,
  });

  it('opens what the window showed last, else the newest of the folder if it was interrupted', () => {
    const runs = [run('3', 'interrupted', '/other'), run('2', 'interrupted'), run('1', 'ended')];
    assert.equal(runToOpen(runs, ['/p'], '1')?.id, '1');
    assert.equal(runToOpen(runs, ['/p'], undefined)?.id, '2');
    assert.equal(runToOpen(runs.slice(2), ['/p'], undefined), null);
  });

  it('opens what was begun while the window was at work, and killed before it could remember it (E2)', () => {
    const at = (startedAt: number, one: RunSummary): RunSummary => ({ ...one, startedAt });
    const runs = [at(30, run('3', 'interrupted')), at(20, run('2', 'interrupted')), at(10, run('1', 'interrupted'))];
    for (const remembered of [null, undefined, '1', 'gone'])
      assert.equal(runToOpen(runs, ['/p'], remembered, 20)?.id, '3');
    assert.equal(runToOpen(runs, ['/p'], '2', 20)?.id, '2', 'of several the one shown');
    assert.equal(runToOpen(runs, ['/p'], '1', 31)?.id, '1', 'none was begun since');
    assert.equal(runToOpen(runs, ['/p'], null, 31), null);
    assert.equal(runToOpen([at(30, run('3', 'ended'))], ['/p'], null, 20), null, 'it came to its end');
  });

  it('opens nothing that the person closed, that is gone, or that runs elsewhere', () => {
    assert.equal(runToOpen([run('2', 'interrupted')], ['/p'], null), null);
    assert.equal(runToOpen([run('2', 'interrupted')], ['/p'], 'gone'), null);
    assert.equal(runToOpen([run('2', 'running')], ['/p'], '2'), null);
  });
});
