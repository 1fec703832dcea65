import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  answerLine,
  readClaudeLine,
  readToolAsk,
  refuseLine,
  requestLine,
  suggestedRules,
  userLine,
} from '../../src/protocol/claudeStream.ts';
import { transcript } from '../agent/claudeTranscript.ts';

const FOLDER = fileURLToPath(new URL('../transcripts/claude', import.meta.url));

describe('claudeStream', () => {
  it('knows every line of the transcripts and keeps every field', () => {
    const names = readdirSync(FOLDER).flatMap((name) =>
      name.endsWith('.jsonl') ? [name.replace(/\.jsonl$/, '')] : [],
    );
    let lines = 0;
    for (const name of names) {
      for (const { dir, line } of transcript(name)) {
        if (dir === 'in') continue;
        lines += 1;
        assert.deepEqual(readClaudeLine(line), { type: 'known', value: line }, `${name}: ${JSON.stringify(line)}`);
      }
    }
    assert.ok(lines > 350, `${lines} lines`);
  });

  it('reads every recorded question and takes only rules that allow out of its suggestions (18)', () => {
    const asks = transcript('18-session-rule').flatMap(({ line }) =>
      line.type === 'control_request' ? [line.request] : [],
    );
    assert.ok(asks.length > 0);
    for (const request of asks) {
      const ask = readToolAsk(request);
      assert.equal(ask.type, 'known');
      if (ask.type !== 'known') continue;
      assert.deepEqual(suggestedRules(ask.value), [{ toolName: 'Bash', ruleContent: 'npm run *' }]);
      const wide = {
        ...ask.value,
        permission_suggestions: [
          { type: 'setMode', mode: 'acceptEdits' },
          { type: 'addRules', behavior: 'allow', rules: 'all' },
        ],
      };
      assert.deepEqual(suggestedRules(wide), []);
    }
  });

  it('tells unknown kinds from malformed lines, of system lines by their subtype', () => {
    assert.deepEqual(readClaudeLine({ type: 'tool_progress' }), {
      type: 'unknownVariant',
      variant: 'tool_progress',
    });
    assert.deepEqual(readClaudeLine({ type: 'system', subtype: 'new' }), { type: 'unknownVariant', variant: 'new' });
    for (const line of [
      {},
      { type: 'system' },
      { type: 'result' },
      { type: 'assistant', message: {} },
      { type: 'user' },
    ]) {
      assert.equal(readClaudeLine(line).type, 'invalid', JSON.stringify(line));
    }
  });

  it('CLAUDE.md 4.14: builds the lines that were recorded as sent, an interrupt in its envelope (12-initialize, 18, 19)', () => {
    const sent = (name: string) => transcript(name).flatMap(({ dir, line }) => (dir === 'in' ? [line] : []));
    assert.deepEqual(sent('12-initialize').slice(0, 2), [requestLine('init-1', 'initialize'), userLine('hello')]);
    assert.deepEqual(sent('19-permission-pending-interrupt')[1], requestLine('int-1', 'interrupt'));
    const rule = { toolName: 'Bash', ruleContent: 'npm run *' };
    assert.deepEqual(
      sent('18-session-rule')[1],
      answerLine('0b03ad14-4d5a-4301-8dfe-47961984c926', {
        behavior: 'allow',
        updatedInput: { command: 'npm run one', description: 'Run a command' },
        updatedPermissions: [{ type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' }],
      }),
    );
    assert.deepEqual(refuseLine('r', 'unsupported').response, {
      subtype: 'error',
      request_id: 'r',
      error: 'unsupported',
    });
  });
});
