import assert from 'node:assert/strict';
import { promptOf } from '../../src/agent/acpPrompt.ts';
import { isReplayNoise } from '../../src/agent/geminiQuirks.ts';
import { QUIRKS, quirksOf } from '../../src/agent/quirks.ts';
import { compareVersions } from '../../src/agent/versions.ts';
import { RPC_ERROR } from '../../src/protocol/jsonrpc.ts';

const gemini = quirksOf('gemini-cli', '0.61.0');
const other = quirksOf('some-agent', '1.0.0');

describe('quirks', () => {
  it('belong to one agent and a range of its versions, and each says when it goes', () => {
    for (const { agent, from, until, what, goes } of QUIRKS) {
      assert.match(from, /^\d+\.\d+\.\d+$/);
      assert.ok(until === null || compareVersions(until, from) > 0);
      assert.ok(agent !== '' && what.endsWith('.') && goes.endsWith('.'), what);
    }
    assert.deepEqual(quirksOf('gemini-cli', '99.0.0'), gemini);
    assert.deepEqual(quirksOf('gemini-cli', 'a-build-of-mine'), gemini);
    assert.deepEqual(quirksOf(null), other);
    assert.notDeepEqual(gemini, other);
  });

  it('GEMINI.md 0.8: a whole chunk "[MODE_UPDATE] …" is a mode, a part of a text is none', () => {
    assert.equal(gemini.modeInText('[MODE_UPDATE] autoEdit'), 'autoEdit');
    for (const text of ['[MODE_UPDATE] autoEdit.', ' [MODE_UPDATE] yolo', '[MODE_UPDATE] other', 'plan']) {
      assert.equal(gemini.modeInText(text), null);
    }
    assert.equal(other.modeInText('[MODE_UPDATE] yolo'), null);
  });

  it('acp-36-thought-shapes: an empty subject is cut off a thought', () => {
    assert.equal(gemini.thought('****\nno subject'), 'no subject');
    assert.equal(gemini.thought('**Plan**\nthink'), '**Plan**\nthink');
    assert.equal(other.thought('****\nno subject'), '****\nno subject');
  });

  it('GEMINI.md 0.3, C62: a missing file is a bare string to gemini-cli, and every other error stays as it is', () => {
    const missing = { code: RPC_ERROR.resourceNotFound, message: 'Resource not found: /w/a' };
    assert.equal(gemini.errorWire('fs/read_text_file', missing), 'ENOENT: no such file or directory');
    assert.equal(gemini.errorWire('fs/write_text_file', missing), missing);
    const denied = { code: -32603, message: 'no' };
    assert.equal(gemini.errorWire('fs/read_text_file', denied), denied);
    assert.equal(other.errorWire('fs/read_text_file', missing), missing);
  });

  it('acp-13c: hidden context and tool results of a replay are nobody’s words', () => {
    assert.equal(isReplayNoise('<session_context>\nThis is …\n</session_context>'), true);
    assert.equal(isReplayNoise('[Function Response: read_file][Function Response: write_file]'), true);
    assert.equal(isReplayNoise('What does <session_context> mean?'), false);
    assert.equal(other.replayNoise('[Function Response: read_file]'), false);
  });

  it('never chooses a mode without questions, in any role', () => {
    for (const role of ['execute', 'review'] as const) {
      for (const mode of ['ask', 'edits', 'read-only', 'all'] as const) {
        const modes = gemini.modes(role, mode);
        assert.ok(!modes.some((one) => /yolo|bypass|full/i.test(one)), modes.join());
        if (role === 'review') assert.equal(modes[0], 'plan');
      }
    }
  });
});

describe('promptOf', () => {
  const all = { promptCapabilities: { image: true, audio: true, embeddedContext: true } };
  const file = { type: 'file', path: '/w/a b ü.txt' } as const;
  const text = { type: 'text', path: '/w/b.txt', text: 'unsaved' } as const;
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;

  it('GEMINI.md 0.11: is never empty', () => {
    assert.deepEqual(promptOf('', [], null, gemini, 'linux').blocks, [{ type: 'text', text: '' }]);
  });

  it('acp-20: gives gemini-cli the address of a file as it stands, after a blank', () => {
    const { blocks } = promptOf('Look at', [file, text], all, gemini, 'linux');
    assert.deepEqual(blocks, [
      { type: 'text', text: 'Look at ' },
      { type: 'resource_link', uri: 'file:///w/a b ü.txt', name: 'a b ü.txt' },
      { type: 'resource', resource: { uri: 'file:///w/b.txt', text: 'unsaved' } },
    ]);
    const windows = promptOf('x', [{ type: 'file', path: 'C:\\w\\a.txt' }], all, gemini, 'win32');
    assert.deepEqual(
      [windows.blocks[1], windows.leftOut],
      [{ type: 'text', text: '\n\nAttached file, to be read from the disk: C:\\w\\a.txt' }, []],
    );
  });

  it('gives gemini-cli files in words where an image goes too, which it would lose', () => {
    const lines = { type: 'text', path: '/w/b.txt', text: 'two', lines: { from: 2, to: 2 } } as const;
    const { blocks } = promptOf('Look', [file, lines, image], all, gemini, 'linux');
    assert.deepEqual(blocks.slice(1), [
      { type: 'text', text: '\n\nAttached file, to be read from the disk: /w/a b ü.txt' },
      { type: 'text', text: '\n\nAttached from /w/b.txt, line 2:\n\ntwo' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
    ]);
    const kept = promptOf('Look', [lines, image], all, other, 'linux').blocks.slice(1);
    assert.deepEqual(kept, [
      { type: 'resource', resource: { uri: 'file:///w/b.txt#L2', text: 'two' } },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
    ]);
  });

  it('gives others a proper address, and leaves out what they do not take, with a word', () => {
    const { blocks, leftOut } = promptOf('Look', [file, text, image], null, other, 'linux');
    assert.deepEqual(blocks.slice(1), [
      { type: 'resource_link', uri: 'file:///w/a%20b%20%C3%BC.txt', name: 'a b ü.txt' },
      { type: 'resource_link', uri: 'file:///w/b.txt', name: 'b.txt' },
    ]);
    assert.deepEqual(leftOut, ['An image: this agent takes none.']);
  });
});
