import assert from 'node:assert/strict';
import type { SignInQuestion } from '../../src/agent/agent.ts';
import { createAskSignIn } from '../../src/cli/askSignIn.ts';
import { fakeTerminal, settled } from './fakeTerminal.ts';

const question: SignInQuestion = {
  agent: { id: 'gemini', name: 'Gemini CLI', protocol: 'acp', version: null },
  message: 'Authentication required',
  choices: [
    { id: 'key', name: 'API key', changes: 'It writes into .gemini/settings.json.' },
    { id: 'vertex', name: 'Vertex AI', changes: 'The same.' },
  ],
  commands: ['gemini login'],
};

describe('createAskSignIn', () => {
  it('says who asks and what each way changes, and takes a number for consent', async () => {
    const terminal = fakeTerminal(true);
    const ask = createAskSignIn(terminal.terminal);
    const answer = ask(question);
    await settled();
    for (const part of [
      'Gemini CLI wants a sign-in',
      '1  API key. It writes into .gemini/settings.json',
      'gemini login',
    ])
      assert.ok(terminal.err().includes(part), part);
    terminal.type('2');
    assert.equal(await answer, 'vertex');
  });

  it('takes every other key for no, and asks for two agents one after the other', async () => {
    const terminal = fakeTerminal(true);
    const ask = createAskSignIn(terminal.terminal);
    for (const key of ['\r', '3', '12', '\u0003', 'y']) {
      const answer = ask(question);
      await settled();
      terminal.type(key);
      assert.equal(await answer, null, JSON.stringify(key));
    }
    const both = [ask(question), ask({ ...question, agent: { ...question.agent, name: 'Second' } })];
    await settled();
    assert.ok(!terminal.err().includes('Second'));
    terminal.type('1');
    await both[0];
    await settled();
    assert.ok(terminal.err().includes('Second'));
    terminal.type('1');
    assert.deepEqual(await Promise.all(both), ['key', 'key']);
  });
});
