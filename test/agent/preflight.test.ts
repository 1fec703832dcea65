import assert from 'node:assert/strict';
import type { ResolveDeps } from '../../src/agent/catalog.ts';
import { preflight } from '../../src/agent/preflight.ts';

function machine(...programs: string[]): ResolveDeps & { readonly asked: string[] } {
  const asked: string[] = [];
  const look = (file: string) => {
    asked.push(file);
    return programs.includes(file.split('/').at(-1) ?? '');
  };
  return {
    asked,
    env: { PATH: '/bin' },
    platform: 'linux',
    probe: { isProgram: look, read: (file) => (look(file) ? '' : null) },
    node: { command: '/bin/node', env: {} },
    executablePaths: {},
    geminiEnv: () => ({}),
    demoAgents: '/dist/demo-agents.cjs',
  };
}

describe('preflight', () => {
  it('is ready when both programs are there', () => {
    const result = preflight({ executor: 'claude', reviewer: 'gemini' }, machine('claude', 'gemini'));
    assert.deepEqual(result.type === 'ready' && [result.executor.command, result.reviewer.command], [
      '/bin/claude',
      '/bin/gemini',
    ]);
  });

  it('looks only for the chosen agents', () => {
    const deps = machine('claude');
    assert.equal(preflight({ executor: 'claude', reviewer: 'claude' }, deps).type, 'ready');
    assert.deepEqual(deps.asked, ['/bin/claude']);
  });

  it('offers the agent that is there in both roles when the other is missing', () => {
    const noGemini = preflight({ executor: 'claude', reviewer: 'gemini' }, machine('claude'));
    assert.equal(noGemini.type === 'problems' && noGemini.problems.length, 1);
    const fix = noGemini.type === 'problems' ? noGemini.problems[0]?.fix : '';
    assert.match(fix ?? '', /--executor claude --reviewer claude/);
    assert.match(fix ?? '', /npm i -g @google\/gemini-cli/);
    const noClaude = preflight({ executor: 'claude', reviewer: 'gemini' }, machine('gemini'));
    assert.match(
      (noClaude.type === 'problems' ? noClaude.problems[0]?.fix : '') ?? '',
      /--executor gemini --reviewer gemini/,
    );
  });

  it('names both when both are missing, one of them once when it was to take both roles', () => {
    const both = preflight({ executor: 'claude', reviewer: 'gemini' }, machine());
    assert.deepEqual(both.type === 'problems' && both.problems.map((problem) => problem.agent?.id), [
      'claude',
      'gemini',
    ]);
    const one = preflight({ executor: 'gemini', reviewer: 'gemini' }, machine());
    assert.equal(one.type === 'problems' && one.problems.length, 1);
    assert.doesNotMatch((one.type === 'problems' && one.problems[0]?.fix) || '', /self-review/);
  });
});
