import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { CLAUDE_DEPS, createClaudeAgent } from '../../src/agent/claudeCli.ts';
import { startAnthropic } from '../fakes/models/anthropic.ts';
import { call, say, story } from '../fakes/models/story.ts';
import { withProject } from './harness/project.ts';
import { needRealClis, realCli } from './harness/realCli.ts';

describe('e2e: Claude Code, a prompt that it takes into a turn of its own', function () {
  this.timeout(120_000);

  before(function () {
    return needRealClis(this);
  });

  it('ends the turn with the one result that comes', () =>
    withProject({ 'README.md': 'A project\n' }, { git: false }, async ({ folder }) => {
      const run = (command: string, more: object = {}) => call('Bash', { command, description: command, ...more });
      const model = await startAnthropic(
        story('a background command')
          .next(run('sleep 1', { run_in_background: true }))
          .next(say('It runs.'))
          .next(run('sleep 2'))
          .next(say('I saw its end, and your prompt.')),
      );
      const cli = await realCli({ anthropicUrl: model.url, geminiUrl: model.url });
      let sleeps = (): void => undefined;
      const busy = new Promise<void>((resolve) => {
        sleeps = resolve;
      });
      const agent = createClaudeAgent(
        {
          launch: {
            ref: { id: 'claude', name: 'Claude Code', protocol: 'claude-stream-json', version: null },
            command: cli.claudePath,
            args: [],
            env: {},
          },
          role: 'execute',
          folder,
          mode: 'edits',
          trusted: true,
          model: null,
          permissions: { request: async () => ({ outcome: 'selected', optionId: 'allow' }) },
          emit: (event) => {
            if (event.type === 'toolCall.started' && event.derived.title === 'sleep 2') sleeps();
          },
        },
        { ...CLAUDE_DEPS, env: cli.env },
      );
      try {
        const never = new AbortController().signal;
        assert.deepEqual((await agent.prompt('Begin.', never)).texts, ['It runs.']);
        await busy;
        const { outcome, texts, wire } = await agent.prompt('Go on.', never);
        assert.deepEqual([outcome.type, texts], ['completed', ['I saw its end, and your prompt.']]);
        assert.deepEqual(wire?.origin, { kind: 'task-notification' });
        assert.deepEqual(model.beyondScript(), []);
      } finally {
        await agent.dispose();
        await cli.dispose();
        await model.close();
      }
    }));
});
