import assert from 'node:assert/strict';
import { createAskPerson } from '../../src/cli/askPerson.ts';
import { choicesOf, renderQuestion } from '../../src/cli/renderQuestion.ts';
import { createStyle } from '../../src/cli/style.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { PermissionAnswer, PermissionOption, PermissionRequest } from '../../src/shared/permission.ts';
import type { QuestionForm } from '../../src/shared/question.ts';
import { EDIT_REQUEST } from '../fakes/events.ts';
import { settled } from './fakeTerminal.ts';

const option = (kind: PermissionOption['kind'], optionId: string): PermissionOption => ({
  kind,
  optionId,
  name: optionId,
});

describe('renderQuestion', () => {
  const render = (request: PermissionRequest) => renderQuestion('Claude Code', request, createStyle(false));

  it('C21: gives keys by meaning, and numbers in the agent’s order where options share one', () => {
    const keys = (...options: readonly PermissionOption[]) =>
      choicesOf({ ...EDIT_REQUEST, options }).map(({ key, twice }) => key + (twice ? '!' : ''));
    // Gemini's order: the permissive option comes first.
    assert.deepEqual(
      keys(option('allow_always', 'always'), option('allow_once', 'once'), option('reject_once', 'no')),
      ['a!', 'y', 'n'],
    );
    assert.deepEqual(
      keys(
        option('allow_always', 'server'),
        option('allow_always', 'tool'),
        option('allow_once', 'once'),
        option('reject_always', 'never'),
      ),
      ['1!', '2!', 'y', 'x!'],
    );
    assert.deepEqual(keys(option('unknown', 'other'), option('allow_once', 'once')), ['1', 'y']);
    const four = ['Alpha', 'Bravo', 'Charlie', 'Delta'].map((name) => option('allow_once', name));
    assert.deepEqual(keys(...four), ['1', '2', '3', '4']);
    const shown = render({ ...EDIT_REQUEST, options: four });
    assert.match(shown, /\[1\] Alpha[\s\S]*\[2\] Bravo[\s\S]*\[3\] Charlie[\s\S]*\[4\] Delta/);
  });

  it('shows a command whole, with every control character visible', () => {
    const command = `echo ${'x'.repeat(500)}\u001b[1A\nrm -rf /`;
    const text = render({ ...EDIT_REQUEST, kind: 'execute', title: 'Run', command, content: [], paths: [] });
    assert.ok(text.includes('x'.repeat(500)));
    assert.match(text, /␛\[1A\n {4}rm -rf \//);
    assert.ok(!text.includes('\u001b'));
  });

  it('shows every line of a long change', () => {
    const newText = Array.from({ length: 400 }, (_, line) => `line ${line}\n`).join('');
    const text = render({ ...EDIT_REQUEST, content: [{ type: 'diff', path: '/p/a', oldText: null, newText }] });
    assert.match(text, /\/p\/a \(new file\)/);
    assert.match(text, /\+line 0\n[\s\S]*\+line 399\n/);
  });

  it('asks in its own name what the agent does not ask', () => {
    assert.match(render({ ...EDIT_REQUEST, title: 'Go on?' }), /^\? Claude Code asks: Go on\?/);
    assert.match(render({ ...EDIT_REQUEST, title: 'Go on?', asker: 'loop' }), /^\? Go on\?/);
  });

  it('offers words with a refusal only where the agent takes them', () => {
    assert.match(render(EDIT_REQUEST), /\[m\] refuse and say why/);
    assert.doesNotMatch(render({ ...EDIT_REQUEST, takesMessage: false }), /\[m\]/);
    assert.doesNotMatch(render({ ...EDIT_REQUEST, options: [option('allow_once', 'once')] }), /\[m\]/);
  });
});

describe('askPerson', () => {
  let now = 0;
  let answers: (readonly [string, PermissionAnswer])[] = [];
  let printed: string[] = [];
  let status = '';
  let person = create();

  function create() {
    now = 0;
    answers = [];
    printed = [];
    status = '';
    return createAskPerson({
      screen: {
        print: (text) => void printed.push(text),
        status: (text) => {
          status = text;
        },
      },
      style: createStyle(false),
      agentName: () => 'Claude Code',
      answer: (id, answer) => {
        answers.push([id, answer]);
        tell({ type: 'permission.resolved', permissionId: id, by: 'user', answer });
        return true;
      },
      now: () => now,
    });
  }
  const tell = (body: LoopEventBody) => person.event({ seq: 1, at: 0, round: 1, ...body });
  const request = (permissionId: string, derived = EDIT_REQUEST) =>
    tell({ type: 'permission.requested', turn: 1, role: 'execute', permissionId, wire: {}, derived });
  /** Lets the question appear, and stay long enough to be read. */
  const appear = async () => {
    await settled();
    now += 1000;
  };
  beforeEach(() => {
    person = create();
  });

  it('asks one question after the other, and says that more are waiting', async () => {
    request('q1');
    request('q2');
    await appear();
    assert.equal(printed.length, 1);
    assert.match(status, /Waiting for you \(1 more waiting\): y\/a\/n\/m/);
    person.keys('n');
    await appear();
    assert.equal(printed.length, 2);
    person.keys('Y');
    await appear();
    assert.deepEqual(answers, [
      ['q1', { outcome: 'selected', optionId: 'no' }],
      ['q2', { outcome: 'selected', optionId: 'once' }],
    ]);
    assert.equal(person.asking, false);
    assert.equal(status, '');
  });

  it('wants the key for "always" twice, one after the other', async () => {
    request('q');
    await appear();
    person.keys('a');
    assert.match(status, /allow edits for this session: press a again/);
    person.keys('z');
    person.keys('a');
    assert.deepEqual(answers, []);
    person.keys('a');
    assert.deepEqual(answers, [['q', { outcome: 'selected', optionId: 'session' }]]);
  });

  it('takes an offer of ours by its key, pressed twice, with the option that allows once', async () => {
    tell({
      type: 'permission.requested',
      permissionId: 'q',
      turn: 1,
      role: 'execute',
      wire: {},
      derived: {
        ...EDIT_REQUEST,
        offers: [
          { offerId: 'run-edits', type: 'runEdits' },
          { offerId: 'command-user', type: 'command', scope: 'user', command: 'npm test' },
        ],
      },
    });
    await appear();
    assert.match(printed[0] ?? '', /\[e\] Allow edits for this run – every edit inside the folder.* \(press twice\)/);
    assert.match(printed[0] ?? '', /\[u\] Always allow, in every folder – exactly this command \(press twice\)/);
    person.keys('e');
    assert.match(status, /Allow edits for this run: press e again/);
    person.keys('e');
    assert.deepEqual(answers, [['q', { outcome: 'selected', optionId: 'once', offerId: 'run-edits' }]]);
  });

  it('ignores a key that was meant for the question before, and what is pasted', async () => {
    request('q1');
    await settled();
    now += 100;
    person.keys('y');
    assert.deepEqual(answers, []);
    now += 1000;
    person.keys('yes');
    person.keys('\u001b[A');
    assert.deepEqual(answers, []);
  });

  it('sends a refusal with words', async () => {
    request('q');
    await appear();
    person.keys('m');
    person.keys('Put it in dx');
    person.keys('\u007f');
    person.keys('\u001b[D');
    assert.match(status, /Say why .*: Put it in d▏/);
    person.keys('ocs ✓\r');
    assert.deepEqual(answers, [['q', { outcome: 'selected', optionId: 'no', message: 'Put it in docs ✓' }]]);
  });

  it('goes back from an empty message, and by Esc', async () => {
    request('q');
    await appear();
    person.keys('m');
    person.keys(' \r');
    assert.match(status, /Waiting for you/);
    person.keys('m');
    person.keys('y');
    person.keys('\u001b');
    assert.match(status, /Waiting for you/);
    assert.deepEqual(answers, []);
    person.keys('y');
    assert.equal(answers.length, 1);
  });

  it('never shows what policy answers at once', async () => {
    request('q');
    tell({ type: 'permission.resolved', permissionId: 'q', by: 'policy', answer: { outcome: 'cancelled' } });
    await appear();
    assert.deepEqual(printed, []);
    assert.equal(person.asking, false);
  });

  it('takes a question away that the agent withdrew: a late key answers nothing', async () => {
    request('q1');
    request('q2');
    await appear();
    tell({ type: 'permission.resolved', permissionId: 'q1', by: 'withdrawn', answer: { outcome: 'cancelled' } });
    person.keys('y');
    assert.deepEqual(answers, []);
    await appear();
    person.keys('y');
    assert.deepEqual(answers, [['q2', { outcome: 'selected', optionId: 'once' }]]);
  });

  describe('with a form', () => {
    const form: QuestionForm = {
      message: 'About the storage:',
      fields: [
        {
          id: 'db',
          type: 'choice',
          label: 'Which database?',
          required: true,
          freeText: true,
          options: [
            { value: 'sqlite', label: 'SQLite', description: 'A file' },
            { value: 'pg', label: 'Postgres' },
          ],
        },
        {
          id: 'more',
          type: 'choices',
          label: 'Which features?',
          required: true,
          freeText: true,
          options: ['Search', 'Tags'].map((label) => ({ value: label, label })),
        },
        { id: 'name', type: 'text', label: 'Name', required: false, initial: 'main', minLength: 2 },
        { id: 'port', type: 'number', label: 'Port', required: false, integer: true, minimum: 1024 },
        { id: 'log', type: 'boolean', label: 'Write a log?', description: 'In the folder', required: true },
      ],
    };
    const options: readonly PermissionOption[] = [
      { optionId: 'answer', name: 'Answer', kind: 'allow_once' },
      { optionId: 'deny', name: 'Decline to answer', kind: 'reject_once' },
    ];
    const asking = {
      ...EDIT_REQUEST,
      title: 'Which database?',
      kind: 'ask',
      content: [],
      paths: [],
      options,
      form,
    } as const;
    const keys = (...typed: readonly string[]) => typed.forEach((one) => void person.keys(one));

    it('asks field after field, by keys and lines, and sends what was filled in', async () => {
      request('q', asking);
      await appear();
      assert.match(printed.join(''), /About the storage:[\s\S]*1 of 5 {2}Which database\?\n {2}\[1\] SQLite – A file/);
      keys('2');
      assert.match(printed.at(-1) ?? '', /2 of 5 {2}Which features\?[\s\S]*\[o\] in your own words/);
      keys('1', '2', '1', 'o', 'Expo', 'rt', '\r');
      assert.match(status, /Picked: Tags, Export/);
      keys('\r');
      assert.match(status, /: main▏$/);
      keys('2', '\r', '80', '\r');
      assert.match(status, /^Not less than 1024\. .*: 80▏$/);
      keys('80', '\r', 'y');
      const values = { db: 'pg', more: ['Tags', 'Export'], name: 'main2', port: 8080, log: true };
      assert.deepEqual(answers, [['q', { outcome: 'selected', optionId: 'answer', form: values }]]);
    });

    it('answers one question with a choice by one key, or by words of the person’s own', async () => {
      const [field] = form.fields;
      const one = { ...asking, form: { message: '', fields: field === undefined ? [] : [field] } };
      request('q1', one);
      await appear();
      assert.doesNotMatch(printed.join(''), /1 of 1/);
      keys('1');
      request('q2', one);
      await appear();
      keys('o', 'Duck\u001b[A', 'DB\r');
      assert.deepEqual(
        answers.map(([, answer]) => answer.outcome === 'selected' && answer.form),
        [{ db: 'sqlite' }, { db: 'DuckDB' }],
      );
    });

    it('is left by Esc for the other answers, and can be taken up again', async () => {
      request('q', asking);
      await appear();
      keys('\u001b');
      assert.match(status, /Waiting for you: y\/n\/m/);
      keys('y', '\u001b', 'm', 'Decide yourself', '\r');
      assert.deepEqual(answers, [['q', { outcome: 'selected', optionId: 'deny', message: 'Decide yourself' }]]);
    });

    it('skips what need not be answered, and says what must be', async () => {
      request('q', asking);
      await appear();
      keys('\r');
      assert.match(status, /^This needs an answer\./);
      keys('9', '1', '\r');
      assert.match(status, /^This needs an answer\. Picked: nothing yet/);
      keys('2', '\r', '\u007f\u007f\u007f\u007f', '\r', 'x', '\r');
      assert.match(status, /^A number, please\./);
      keys('\u007f', '\r', '\r');
      assert.match(status, /^This needs an answer\./);
      keys('n');
      const values = { db: 'sqlite', more: ['Tags'], log: false };
      assert.deepEqual(answers, [['q', { outcome: 'selected', optionId: 'answer', form: values }]]);
    });

    it('shows a plan and takes one key for it', async () => {
      request('q', { ...asking, form: { message: '# Plan\n1. Look', fields: [] } });
      await appear();
      assert.match(printed.join(''), / {2}# Plan\n {2}1\. Look\n {2}\[y\] Answer/);
      keys('y');
      assert.deepEqual(answers, [['q', { outcome: 'selected', optionId: 'answer' }]]);
    });
  });
});
