import assert from 'node:assert/strict';
import { checkRows, ruleRows } from '../../src/host/ruleRows.ts';
import type { Rule } from '../../src/scheduler/rules.ts';

const t = (text: string, ...args: readonly (string | number)[]) =>
  text.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)]));

describe('ruleRows', () => {
  it('say what a rule allows or denies, and where', () => {
    const rules: readonly Rule[] = [
      { effect: 'allow', tool: 'execute', command: { match: 'exact', line: 'npm test' }, scope: 'workspace' },
      { effect: 'deny', tool: 'execute', command: { match: 'prefix', line: 'rm' }, scope: 'workspace' },
      { effect: 'deny', tool: 'edit', path: '*.lock', scope: 'workspace' },
      { effect: 'allow', tool: 'edit', scope: 'workspace' },
      { effect: 'allow', tool: 'web', scope: 'workspace' },
    ];
    assert.deepEqual(
      ruleRows(rules, '/home/me/project', 'project', t).map(({ label, description }) => `${label} | ${description}`),
      [
        'Allow: npm test | in project',
        'Deny: commands that begin with rm | in project',
        'Deny: edits of *.lock | in project',
        'Allow: all edits | in project',
        'Allow: the web | in project',
      ],
    );
    assert.equal(ruleRows(rules, null, '', t)[0]?.description, 'in every folder');
    const [check] = checkRows([{ command: 'npm test', definition: '' }], '/home/me/project', 'project', t);
    assert.deepEqual([check?.label, check?.description], ['Check: npm test', 'in project']);
  });
});
