import assert from 'node:assert/strict';
import type { FormValues, QuestionForm } from '../../src/shared/question.ts';
import { filledIn, formProblems, initialValues } from '../../src/shared/questionForm.ts';

const OPTIONS = [
  { value: 'sqlite', label: 'SQLite', description: 'A file' },
  { value: 'pg', label: 'Postgres' },
];

const FORM: QuestionForm = {
  message: '',
  fields: [
    { id: 'db', type: 'choice', label: 'Which database?', options: OPTIONS, freeText: false, required: true },
    { id: 'own', type: 'choice', label: 'Or another?', options: OPTIONS, freeText: true, required: false },
    {
      id: 'many',
      type: 'choices',
      label: 'Which ones?',
      options: OPTIONS,
      freeText: false,
      minItems: 1,
      maxItems: 1,
      initial: ['pg'],
      required: false,
    },
    { id: 'name', type: 'text', label: 'Name', minLength: 2, maxLength: 4, initial: 'main', required: false },
    { id: 'port', type: 'number', label: 'Port', integer: true, minimum: 1, maximum: 65535, required: false },
    { id: 'log', type: 'boolean', label: 'Log?', initial: false, required: false },
  ],
};

describe('question form', () => {
  it('takes what the agent proposes as filled in', () => {
    assert.deepEqual(initialValues(FORM), { many: ['pg'], name: 'main', log: false });
  });

  const cases: readonly [string, FormValues, Record<string, string>][] = [
    ['nothing of what is required', {}, { db: 'missing' }],
    ['an option that is offered', { db: 'pg' }, {}],
    ['one that is not', { db: 'mysql' }, { db: 'notOffered' }],
    ['words of one’s own where they are allowed', { db: 'pg', own: 'DuckDB' }, {}],
    ['a list where one is chosen', { db: ['pg'] }, { db: 'wrongType' }],
    ['too few of several', { db: 'pg', many: [] }, { many: 'tooFew' }],
    ['too many of several', { db: 'pg', many: ['pg', 'sqlite'] }, { many: 'tooMany' }],
    ['several with one not offered', { db: 'pg', many: ['x'] }, { many: 'notOffered' }],
    ['a short text', { db: 'pg', name: 'x' }, { name: 'tooShort' }],
    ['a long text', { db: 'pg', name: 'xxxxx' }, { name: 'tooLong' }],
    ['a broken number', { db: 'pg', port: Number.NaN }, { port: 'wrongType' }],
    ['a number with a fraction', { db: 'pg', port: 1.5 }, { port: 'notWhole' }],
    ['a small number', { db: 'pg', port: 0 }, { port: 'tooSmall' }],
    ['a large number', { db: 'pg', port: 70_000 }, { port: 'tooLarge' }],
    ['a word for yes or no', { db: 'pg', log: 'yes' }, { log: 'wrongType' }],
    ['a field that the form does not have', { db: 'pg', constructor: 'x' }, { constructor: 'unknownField' }],
  ];
  for (const [name, values, expected] of cases) {
    it(`judges ${name}`, () => assert.deepEqual(Object.fromEntries(formProblems(FORM, values)), expected));
  }

  it('wants a required choice with words of one’s own to have words', () => {
    const form: QuestionForm = {
      message: '',
      fields: [{ id: 'db', type: 'choice', label: 'Which?', options: OPTIONS, freeText: true, required: true }],
    };
    assert.deepEqual([...formProblems(form, { db: '  ' })], [['db', 'missing']]);
  });

  it('says what was filled in with the labels that were offered', () => {
    assert.deepEqual(filledIn(FORM, { db: 'pg', own: 'DuckDB', many: ['sqlite', 'pg'], port: 8080, log: true }), [
      { label: 'Which database?', value: 'Postgres' },
      { label: 'Or another?', value: 'DuckDB' },
      { label: 'Which ones?', value: 'SQLite, Postgres' },
      { label: 'Port', value: '8080' },
      { label: 'Log?', value: 'true' },
    ]);
  });
});
