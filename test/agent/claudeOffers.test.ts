import assert from 'node:assert/strict';
import { claudeOffers } from '../../src/agent/claudeOffers.ts';

const ANSWER = {
  commands: [
    { name: 'review', description: 'Review a pull request', argumentHint: '[pr number]', aliases: ['pr'] },
    { name: 'init', argumentHint: '' },
  ],
  models: [
    {
      value: 'default',
      resolvedModel: 'claude-opus-4-8[1m]',
      displayName: 'Default (recommended)',
      description: 'Best',
    },
    { value: 'haiku', displayName: 'Haiku' },
  ],
  account: { email: 'ada@example.com', tokenSource: 'none' },
};

describe('claudeOffers (12-initialize)', () => {
  it('tells commands and models, and nothing of the account', () => {
    const events = claudeOffers(ANSWER, null);
    assert.deepEqual(events, [
      {
        type: 'commands.updated',
        wire: { commands: ANSWER.commands },
        derived: {
          commands: [
            { name: 'review', description: 'Review a pull request', hint: '[pr number]' },
            { name: 'init', description: '' },
          ],
        },
      },
      {
        type: 'options.updated',
        wire: { models: ANSWER.models },
        derived: {
          options: [
            {
              id: 'model',
              name: 'Model',
              category: 'model',
              type: 'choice',
              value: 'default',
              choices: [
                { value: 'default', label: 'Default (recommended)', description: 'Best' },
                { value: 'haiku', label: 'Haiku' },
              ],
            },
          ],
        },
      },
    ]);
    assert.doesNotMatch(JSON.stringify(events), /ada@example/);
  });

  it('says which model it was started with', () => {
    const options = claudeOffers(ANSWER, 'haiku').flatMap((event) =>
      event.type === 'options.updated' ? event.derived.options : [],
    );
    assert.deepEqual(
      options.map(({ value }) => value),
      ['haiku'],
    );
  });

  it('tells nothing where nothing is told, or in another shape', () => {
    assert.deepEqual(claudeOffers({}, null), []);
    assert.deepEqual(claudeOffers({ commands: 'many', models: [] }, null), []);
  });
});
