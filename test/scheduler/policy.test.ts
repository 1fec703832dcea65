import assert from 'node:assert/strict';
import path from 'node:path';
import { decide, isOpenPath, type PolicyContext, ruleOf } from '../../src/scheduler/policy.ts';
import { createWriteGrants } from '../../src/scheduler/writeGrants.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';
import type { Translate } from '../../src/shared/translate.ts';

const context: PolicyContext = {
  role: 'execute',
  mode: 'ask',
  folder: '/p',
  interactive: true,
  resolvePath: (file) => path.resolve(file),
  caseInsensitive: false,
  rules: [],
  firstEdit: true,
};
const edit: PermissionRequest = {
  toolCallId: 't1',
  title: 'Edit a.ts',
  kind: 'edit',
  // Gemini's order: the permissive option comes first.
  options: [
    { optionId: 'proceed_always', name: 'Allow for this session', kind: 'allow_always' },
    { optionId: 'proceed_once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'cancel', name: 'Reject', kind: 'reject_once' },
  ],
  content: [],
  paths: ['/p/src/a.ts'],
  takesMessage: false,
};
const command: PermissionRequest = { ...edit, kind: 'execute', title: 'npm test', command: 'npm test', paths: [] };

/** `ask`, or the id of the option that policy chose, or `cancelled`. */
function decided(request: PermissionRequest, changes: Partial<PolicyContext> = {}): string {
  const decision = decide(request, { ...context, ...changes });
  if (decision.type === 'ask') return 'ask';
  return decision.answer.outcome === 'selected' ? decision.answer.optionId : 'cancelled';
}

describe('permission policy', () => {
  it('asks before an edit of a file with unsaved text in the editor, whatever the mode allows', () => {
    const unsaved = { ...edit, unsaved: edit.paths };
    for (const mode of ['edits', 'all'] as const) {
      assert.equal(decided(edit, { mode }), 'proceed_once');
      assert.equal(decided(unsaved, { mode }), 'ask');
      assert.equal(decided(unsaved, { mode, interactive: false }), 'cancel');
    }
    assert.equal(decided(unsaved, { mode: 'read-only' }), 'cancel');
  });

  it('says why in the person’s language, and refuses the agent in English', () => {
    const t: Translate = (text) => `⟦${text}⟧`;
    const decision = decide({ ...edit, takesMessage: true }, { ...context, mode: 'read-only', t });
    const why = 'This run is read-only: nothing is written and no command runs.';
    assert.deepEqual(decision, {
      type: 'answer',
      answer: { outcome: 'selected', optionId: 'cancel', message: why },
      why: t(why),
    });
  });

  it('asks for everything in the mode Ask', () => {
    assert.equal(decided(edit), 'ask');
    assert.equal(decided(command), 'ask');
  });

  it('lets edits in the folder run in the mode Edits allowed, and asks for commands', () => {
    assert.equal(decided(edit, { mode: 'edits' }), 'proceed_once');
    assert.equal(decided(command, { mode: 'edits' }), 'ask');
    assert.equal(decided({ ...edit, paths: ['/p/../etc/passwd'] }, { mode: 'edits' }), 'ask');
    assert.equal(decided({ ...edit, paths: [] }, { mode: 'edits' }), 'ask', 'an edit that names no path');
  });

  it('asks for protected paths even when everything is allowed', () => {
    for (const file of [
      '/p/.git/config',
      '/p/sub/.vscode/x',
      '/p/.claude/a',
      '/p/.gemini/s',
      '/p/a.code-workspace',
      '/p/.Git./config',
      '/p/.git::$INDEX_ALLOCATION/config',
      '/p/.g\u200cit/hooks/pre-commit',
      '/p/a.code-workspace ',
      '/q/a',
    ]) {
      assert.equal(decided({ ...edit, paths: ['/p/ok.ts', file] }, { mode: 'all' }), 'ask', file);
    }
    assert.equal(decided(edit, { mode: 'all' }), 'proceed_once');
    assert.equal(decided(command, { mode: 'all' }), 'proceed_once');
  });

  it('asks about a path that leads nowhere, in a circle of links, and never throws', () => {
    const resolvePath = (file: string): string => {
      if (file.startsWith('/p/circle')) throw new Error('Too many symbolic links');
      return path.resolve(file);
    };
    const circle = { ...edit, paths: ['/p/src/a.ts', '/p/circle/a.ts'] };
    const rule = (effect: 'allow' | 'deny') => ({ effect, tool: 'edit', path: '**/a.ts', scope: 'user' }) as const;
    assert.equal(decided(circle, { mode: 'all', resolvePath }), 'ask');
    assert.equal(decided(circle, { resolvePath, rules: [rule('allow')] }), 'ask');
    assert.equal(decided(circle, { resolvePath, rules: [rule('deny')] }), 'cancel');
    const grants = createWriteGrants(resolvePath);
    grants.allowed('execute', 1, circle, { optionId: 'proceed_once', name: 'Allow', kind: 'allow_once' });
    assert.deepEqual(
      circle.paths.map((file) => grants.covers('execute', 1, file)),
      [true, false],
    );
  });

  it('writes nothing and runs nothing in the mode Read-only', () => {
    assert.equal(decided(edit, { mode: 'read-only' }), 'cancel');
    assert.equal(decided(command, { mode: 'read-only' }), 'cancel');
  });

  it('refuses the reviewer everything, in every mode', () => {
    for (const mode of ['ask', 'edits', 'read-only', 'all'] as const) {
      assert.equal(decided(edit, { role: 'review', mode }), 'cancel', mode);
      assert.equal(decided({ ...edit, kind: 'read' }, { role: 'review', mode }), 'cancel', mode);
    }
  });

  it('answers with a refusal when nobody is there, and with `cancelled` when the agent offers none', () => {
    assert.equal(decided(edit, { interactive: false }), 'cancel');
    assert.equal(decided({ ...edit, options: edit.options.slice(0, 2) }, { interactive: false }), 'cancelled');
  });

  it('C21: never chooses among several options of the same kind', () => {
    const options = ['Alpha', 'Bravo', 'Charlie', 'Delta'].map((name) => ({
      optionId: name,
      name,
      kind: 'allow_once' as const,
    }));
    assert.equal(decided({ ...edit, options }, { mode: 'all' }), 'ask');
    assert.equal(decided({ ...edit, options }, { mode: 'all', interactive: false }), 'cancelled');
  });

  it('C25: answers "once" where no "always" is offered, and never an option of unknown kind', () => {
    const options = [
      { optionId: 'x', name: 'Do it', kind: 'unknown' as const },
      { optionId: 'n', name: 'No', kind: 'reject_once' as const },
    ];
    assert.equal(decided({ ...edit, options }, { mode: 'all' }), 'ask');
    assert.equal(decided({ ...edit, options }, { mode: 'all', interactive: false }), 'n');
  });

  it('lets a rule of the person that denies win, whatever the mode and whatever else allows', () => {
    const rules = [
      { effect: 'allow', tool: 'edit', scope: 'session' },
      { effect: 'deny', tool: 'edit', path: 'src/**', scope: 'user' },
      { effect: 'deny', tool: 'execute', command: { match: 'prefix', line: 'rm' }, scope: 'workspace' },
    ] as const;
    for (const mode of ['ask', 'edits', 'all'] as const) {
      assert.equal(decided(edit, { mode, rules }), 'cancel', mode);
      assert.equal(decided({ ...edit, paths: ['/p/other.ts'] }, { mode, rules }), 'proceed_once', mode);
      assert.equal(decided({ ...command, command: 'rm -rf x' }, { mode, rules }), 'cancel', mode);
      assert.equal(decided({ ...command, command: 'sh -c "rm -rf x"' }, { mode, rules }), 'ask', mode);
    }
  });

  it('asks for protected places and outside of the folder in spite of a rule that allows', () => {
    const rules = [{ effect: 'allow', tool: 'edit', scope: 'user' }] as const;
    assert.equal(decided(edit, { rules }), 'proceed_once');
    for (const file of ['/p/.git/hooks/pre-commit', '/p/.vscode/settings.json', '/q/a'])
      assert.equal(decided({ ...edit, paths: [file] }, { rules }), 'ask', file);
  });

  it('writes nothing in the mode Read-only, and lets nothing of the reviewer pass, whatever the rules', () => {
    const rules = [
      { effect: 'allow', tool: 'edit', scope: 'user' },
      { effect: 'allow', tool: 'execute', scope: 'user' },
      { effect: 'allow', tool: 'web', scope: 'user' },
      { effect: 'allow', tool: 'other', scope: 'user' },
    ] as const;
    assert.equal(decided(edit, { rules, mode: 'read-only' }), 'cancel');
    assert.equal(decided(command, { rules, mode: 'read-only' }), 'cancel');
    for (const kind of ['edit', 'execute', 'fetch', 'other'] as const)
      assert.equal(decided({ ...edit, kind }, { rules, role: 'review' }), 'cancel', kind);
  });

  it('offers to allow the edits of the run with its first edit, where the agent allows one once', () => {
    const offers = (request: PermissionRequest, changes: Partial<PolicyContext> = {}) => {
      const decision = decide(request, { ...context, ...changes });
      return decision.type === 'ask' ? decision.offers?.map(({ offerId }) => offerId) : decision.type;
    };
    assert.deepEqual(offers(edit), ['run-edits']);
    assert.deepEqual(offers(edit, { firstEdit: false }), []);
    assert.deepEqual(offers({ ...edit, paths: ['/p/.git/x'] }), []);
    assert.deepEqual(offers({ ...edit, options: edit.options.slice(2) }), []);
    assert.deepEqual(offers(command), ['command-workspace', 'command-user'], 'the agent has an "always" of its own');
    assert.deepEqual(offers({ ...command, options: edit.options.slice(1) }), [
      'command-session',
      'command-workspace',
      'command-user',
    ]);
    assert.deepEqual(offers({ ...command, command: 'npm test && rm x' }), []);
  });

  it('makes of an offer a rule for exactly what was shown', () => {
    assert.deepEqual(ruleOf({ offerId: 'x', type: 'runEdits' }), { effect: 'allow', tool: 'edit', scope: 'session' });
    const rule = ruleOf({ offerId: 'x', type: 'command', scope: 'user', command: 'npm test' });
    assert.equal(decided(command, { rules: [rule] }), 'proceed_once');
    assert.equal(decided({ ...command, command: 'npm test -- -u' }, { rules: [rule] }), 'ask');
  });

  it('compares whole path components', () => {
    assert.equal(isOpenPath('/p/.gitignore', context), true);
    assert.equal(isOpenPath('/p/..hidden', context), true);
    assert.equal(isOpenPath('/project/a', context), false);
    assert.equal(isOpenPath('/p/.GIT/config', { ...context, caseInsensitive: true }), false);
    assert.equal(isOpenPath('/P/a', { ...context, caseInsensitive: true }), true);
  });
});
