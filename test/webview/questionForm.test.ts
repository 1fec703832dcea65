import assert from 'node:assert/strict';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';
import type { QuestionForm } from '../../src/shared/question.ts';
import { stamp, WAITING_RUN } from '../fakes/events.ts';
import { openPage, type TestPage } from './dom.ts';

const FORM: QuestionForm = {
  message: '# How it is to be stored',
  fields: [
    {
      id: 'q1',
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
      id: 'q2',
      type: 'choices',
      label: 'Which features?',
      required: false,
      freeText: true,
      options: ['Search', 'Tags'].map((label) => ({ value: label, label })),
    },
    { id: 'name', type: 'text', label: 'Name', description: 'Of the file', required: false, initial: 'main' },
    { id: 'port', type: 'number', label: 'Port', integer: true, minimum: 1024, required: false },
    { id: 'log', type: 'boolean', label: 'Write a log', required: false },
  ],
};

const REQUEST: PermissionRequest = {
  toolCallId: 't9',
  title: 'Which database?',
  kind: 'ask',
  options: [
    { optionId: 'answer', name: 'Answer', kind: 'allow_once' },
    { optionId: 'deny', name: 'Decline to answer', kind: 'reject_once' },
  ],
  content: [],
  paths: [],
  takesMessage: true,
  form: FORM,
};

const asked = {
  type: 'permission.requested',
  turn: 1,
  role: 'execute',
  permissionId: 'q2',
  wire: {},
  derived: REQUEST,
} as const satisfies LoopEventBody;

function openForm(derived: PermissionRequest = REQUEST): TestPage {
  const page = openPage();
  page.show({ phase: 'running' }, stamp([...WAITING_RUN, { ...asked, derived }]));
  return page;
}

/** The input of the option or field with these words. */
function input(page: TestPage, words: string): HTMLElement {
  const found = page.find('.form label', words).querySelector<HTMLElement>('input');
  assert.ok(found !== null, words);
  return found;
}

const type = (element: HTMLElement, value: string) => {
  Object.assign(element, { value });
  element.dispatchEvent(new window.Event('input', { bubbles: true }));
};

const sent = (page: TestPage) => page.posted.flatMap((message) => (message.type === 'answer' ? [message.answer] : []));

describe('a question with a form', () => {
  it('shows the agent’s words, every field by its name, and marks what need not be answered', () => {
    const page = openForm();
    assert.deepEqual(
      page.all('.form legend').map((legend) => legend.textContent),
      ['Which database? ', 'Which features? (optional)'],
    );
    assert.match(page.find('.form').textContent ?? '', /How it is to be stored.*A file.*Of the file/);
  });

  it('sends one label, several labels and one’s own words, what was proposed, numbers and yes', () => {
    const page = openForm();
    input(page, 'Postgres').click();
    input(page, 'Search').click();
    type(page.find('[aria-label="Which features?: in your own words"]'), 'Export');
    type(page.find('input[type=number]'), '8080');
    input(page, 'Write a log').click();
    page.find('.option button', 'Answer').click();
    const form = { q1: 'pg', q2: ['Search', 'Export'], name: 'main', port: 8080, log: true };
    assert.deepEqual(sent(page), [{ outcome: 'selected', optionId: 'answer', form }]);
  });

  it('lets a choice be changed and taken back', () => {
    const page = openForm();
    input(page, 'Postgres').click();
    type(page.find('[aria-label="Which database?: in your own words"]'), 'DuckDB');
    input(page, 'Search').click();
    input(page, 'Search').click();
    type(page.find('.form input[aria-describedby$="name/description"]'), '');
    page.find('.option button', 'Answer').click();
    assert.deepEqual(sent(page), [{ outcome: 'selected', optionId: 'answer', form: { q1: 'DuckDB' } }]);
  });

  it('says what is missing or wrong instead of sending it, at the field, and goes there', () => {
    const page = openForm();
    type(page.find('input[type=number]'), '80');
    page.find('.option button', 'Answer').click();
    assert.deepEqual(sent(page), []);
    assert.deepEqual(
      page.all('.problem').map((problem) => problem.textContent),
      ['Please answer this.', 'Not less than 1,024.'],
    );
    assert.equal(document.activeElement, input(page, 'SQLite'));
    const described = page.find('input[type=number]').getAttribute('aria-describedby') ?? '';
    assert.equal(document.getElementById(described)?.textContent, 'Not less than 1,024.');
    input(page, 'SQLite').click();
    type(page.find('input[type=number]'), '8080');
    assert.deepEqual(page.all('.problem'), []);
    page.find('.option button', 'Answer').click();
    assert.deepEqual(sent(page), [
      { outcome: 'selected', optionId: 'answer', form: { q1: 'sqlite', name: 'main', port: 8080 } },
    ]);
  });

  it('is declined without the form, with or without words', () => {
    const page = openForm();
    page.find('.option button', 'Decline').click();
    assert.deepEqual(sent(page), [{ outcome: 'selected', optionId: 'deny' }]);
  });

  it('shows a plan that needs no fields, and approves it', () => {
    const page = openForm({ ...REQUEST, title: 'Approve the plan', form: { message: 'First this.', fields: [] } });
    assert.match(page.find('.form').textContent ?? '', /First this\./);
    page.find('.option button', 'Answer').click();
    assert.deepEqual(sent(page), [{ outcome: 'selected', optionId: 'answer', form: {} }]);
  });

  it('says in one line what was answered', () => {
    const page = openPage();
    const answer = { outcome: 'selected', optionId: 'answer', form: { q1: 'pg', q2: ['Tags'] } } as const;
    const resolved = { type: 'permission.resolved', permissionId: 'q2', by: 'user', answer } as const;
    page.show({ phase: 'running' }, stamp([...WAITING_RUN, asked, resolved]));
    const [row] = page.all('.settled', 'Which database?');
    assert.match(
      (row?.textContent ?? '').replace(/\s+/g, ' '),
      /You answered “Answer”\. .* · Postgres · Which features\? Tags/,
    );
  });
});
