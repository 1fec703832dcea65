import assert from 'node:assert/strict';
import type { CheckEnd, RoundEventBody } from '../../src/shared/roundEvents.ts';
import { HEADER, stamp } from '../fakes/events.ts';
import { IDLE, openPage, type TestPage } from './dom.ts';

const FOLDER = '/p';
const HOST = {
  folders: [{ name: 'p', path: FOLDER }],
  checks: {
    [FOLDER]: [
      { command: 'npm test', source: 'detected', confirmed: true },
      { command: 'npm run lint', source: 'detected', confirmed: false },
    ],
  },
} as const;

const words = (page: TestPage): string => page.find('details.checks > summary').textContent ?? '';
const boxes = (page: TestPage) =>
  page.all('.checks li').map((row) => [row.textContent, row.querySelector('input')?.checked === true]);
const tick = (page: TestPage, command: string): void => {
  page.find('.checks li', command).querySelector('input')?.click();
};
const write = (page: TestPage, text: string): void => {
  const input = page.find('.checks input[type=text]');
  Object.assign(input, { value: text });
  input.dispatchEvent(new window.Event('input', { bubbles: true }));
  input.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
};
/** What a run that is started now asks for. */
const run = (page: TestPage) => {
  page.find('form.composer').dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));
  const last = page.posted.at(-1);
  return last?.type === 'run' ? last.options.checks : assert.fail(JSON.stringify(last));
};

describe('the checks of the next run', () => {
  const open = (host: object = HOST) => {
    const page = openPage({ draft: 'Fix it' });
    page.show(host);
    return page;
  };

  it('are those of the folder, each with what holds for it, and stay so until something is chosen', () => {
    const page = open();
    assert.equal(words(page), 'Checks: 2 checks');
    assert.deepEqual(boxes(page), [
      ['npm testconfirmed', true],
      ['npm run lintasks before it runs here for the first time', true],
    ]);
    assert.equal(run(page), null);
  });

  it('are switched off and on again', () => {
    const page = open();
    tick(page, 'npm run lint');
    assert.equal(words(page), 'Checks: npm test');
    assert.deepEqual(run(page), [{ command: 'npm test', source: 'detected' }]);
    tick(page, 'npm test');
    assert.equal(words(page), 'Checks: No checks');
    assert.deepEqual(run(page), []);
    tick(page, 'npm test');
    tick(page, 'npm run lint');
    assert.equal(run(page), null);
  });

  it('take a command of the person’s own by keyboard, which starts no run, and let it be edited', () => {
    const page = open();
    write(page, '  go test -run "größer|测试" ');
    assert.deepEqual(page.posted, []);
    const own = { command: 'go test -run "größer|测试"', source: 'typed' };
    assert.deepEqual(run(page)?.at(-1), own);
    assert.deepEqual(boxes(page).at(-1), [`${own.command}yours`, true]);
    page.find('.checks button', 'Edit npm test').click();
    const input = page.find('.checks input[type=text]');
    assert.equal(document.activeElement, input);
    assert.equal(Reflect.get(input, 'value'), 'npm test');
    write(page, 'npm test -- --bail');
    assert.deepEqual(
      run(page)?.map(({ command }) => command),
      ['npm run lint', own.command, 'npm test -- --bail'],
    );
  });

  it('refuse what can be no check, with the reason at the box', () => {
    const page = open();
    write(page, '--help');
    const input = page.find('.checks input[type=text]');
    assert.match(String(Reflect.get(input, 'validationMessage')), /begins with a program/);
    assert.equal(run(page), null);
  });

  it('are none where nothing is written, and not offered without a folder or trust', () => {
    const reading = open({ ...HOST, defaults: { ...IDLE.defaults, permissionMode: 'read-only' } });
    assert.equal(words(reading), 'Checks: No checks');
    assert.equal(run(reading), null);
    for (const host of [
      { ...HOST, trusted: false },
      { ...HOST, folders: [] },
    ])
      assert.deepEqual(open(host).all('details.checks'), []);
  });
});

describe('a check of a round', () => {
  const passed: CheckEnd = { passed: true, exitCode: 0, signal: null, by: 'itself' };
  const show = (...bodies: readonly RoundEventBody[]) => {
    const page = openPage();
    page.show(
      { phase: 'running' },
      stamp([{ type: 'run.started', run: HEADER }, { type: 'round.started' }, ...bodies]),
    );
    return page;
  };
  const started = { type: 'check.started', checkId: 'c1', command: 'npm test', cwd: '/p', limitSeconds: 600 } as const;
  const output = (text: string) => ({ type: 'check.output', checkId: 'c1', text, skipped: 0 }) as const;
  const body = (page: TestPage) => page.all('.tool .disclosure-body').map((one) => one.textContent);

  it('is open while it runs, and named below', () => {
    const page = show(started, output('1 passing'));
    assert.match(page.find('.tool', 'npm test').textContent ?? '', /running/);
    assert.equal(body(page).length, 1);
    assert.match(page.find('footer').textContent ?? '', /check npm test/);
  });

  it('closes when it is green, and stays open with its last lines when it is red', () => {
    const green = show(started, output('1 passing'), { type: 'check.ended', checkId: 'c1', end: passed });
    assert.match(green.find('.tool', 'npm test').textContent ?? '', /passed/);
    assert.deepEqual(body(green), []);
    const end = { ...passed, passed: false, exitCode: 3 };
    const red = show(started, output('1 failing'), { type: 'check.ended', checkId: 'c1', end });
    assert.match(red.find('.tool', 'npm test').textContent ?? '', /exit code 3/);
    assert.match(body(red)[0] ?? '', /1 failing/);
    for (const [by, word] of [
      ['limit', /took too long/],
      ['stop', /stopped/],
    ] as const) {
      const page = show(started, {
        type: 'check.ended',
        checkId: 'c1',
        end: { ...end, exitCode: null, signal: 'SIGTERM', by },
      });
      assert.match(page.find('.tool', 'npm test').textContent ?? '', word);
    }
  });

  it('opens a long output in an editor', () => {
    const lines = Array.from({ length: 900 }, (_, index) => `line ${index}`).join('\n');
    const page = show(started, output(lines));
    page.find('button', 'in an editor').click();
    assert.deepEqual(page.posted, [{ type: 'openCheck', checkId: 'c1' }]);
  });

  it('that was not run, what was changed and what the checks wrote are a row each', () => {
    const page = show(
      { type: 'check.skipped', command: 'make lint', why: 'You skipped it in this run.' },
      {
        type: 'checks.changed',
        changes: [
          { type: 'definition', command: 'npm test', file: 'package.json', before: 'a', after: 'b' },
          { type: 'testsRemoved', files: ['a.test.js'] },
        ],
      },
      { type: 'checks.wrote', files: [{ path: 'snap.json', status: 'modified', added: 1, removed: 1 }] },
    );
    assert.match(page.text(), /Not run: make lint\. You skipped it/);
    assert.match(page.text(), /This round changed what npm test runs, in package\.json\./);
    assert.match(page.text(), /removed test files: a\.test\.js/);
    assert.match(page.text(), /The checks changed files: snap\.json/);
  });
});
