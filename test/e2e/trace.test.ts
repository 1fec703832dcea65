import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { call, say, story } from '../fakes/models/story.ts';
import { FAILING_TEST } from './harness/project.ts';
import { DUMMY_KEYS } from './harness/realCli.ts';
import { executorRounds, NINE, SAID, SIX } from './loopStories.ts';
import { GEMINI_MODEL, useWorlds } from './loopWorld.ts';

/** Every file below a folder with its text. */
async function textsBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder, { recursive: true });
  const texts = new Map<string, string>();
  for (const name of names) {
    const file = path.join(folder, name);
    if ((await stat(file)).isFile()) texts.set(name, await readFile(file, 'latin1'));
  }
  return texts;
}

describe('e2e: trace, replay and report of a run of the real CLIs', function () {
  this.timeout(120_000);
  const enter = useWorlds();

  it('traces both wires without keys and home, shows them again, and gathers a report (case C06: no key in a log)', async () => {
    const made = await enter({
      files: FAILING_TEST,
      git: true,
      claude: executorRounds,
      gemini: (at) =>
        story('a reviewer who prints its environment')
          .next(call('read_file', { file_path: at.file('add.js') }))
          // As if a tool had printed the keys: both are known, so they are kept nowhere.
          .next(say(`The keys are ${DUMMY_KEYS.gemini} and ${DUMMY_KEYS.anthropic}.\n\n${SIX}`))
          .next(say(NINE)),
    });
    const { clis, cgloop } = made;
    const told = await cgloop(['--reviewer-model', GEMINI_MODEL, '--permission', 'edits', '--trace', 'Fix it']).done;
    assert.equal(told.code, 0, told.stderr);
    const id = / undo (\S+)$/m.exec(told.stderr)?.[1] ?? '';
    const state = path.join(clis.home, 'cgloop');
    const run = path.join(state, 'runs', id);

    const trace = await readFile(path.join(run, 'trace.jsonl'), 'utf8');
    assert.ok(!trace.includes(clis.home), 'the home folder is no part of a trace');
    assert.match(trace, /"dir":"out","line":"\{\\"type\\":\\"user\\"/);
    assert.match(trace, /"dir":"in","line":"\{\\"jsonrpc\\"/);

    const shown = await cgloop(['replay', path.join(run, 'trace.jsonl')]).done;
    assert.equal(shown.code, 0, shown.stderr);
    for (const words of [SAID.round1, SAID.round2, 'I have read the change.', '── Round 2']) {
      assert.ok(shown.stdout.includes(words), `${words} in:\n${shown.stdout}`);
    }
    const again = await cgloop(['replay', id]).done;
    assert.match(again.stdout, /6\/10[\s\S]*9\/10 +APPROVED[\s\S]*Approved with 9\/10/);
    assert.equal(again.stderr, '');

    const report = await cgloop(['report', id]).done;
    assert.equal(report.code, 0, report.stderr);
    const file = report.stdout.trim();
    const text = await readFile(file, 'utf8');
    assert.match(
      text,
      /Claude Code 2\.1\.197[\s\S]*Gemini CLI 0\.61\.0[\s\S]*"type":"approved"[\s\S]*## Setup\n\n- Claude Code/,
    );
    assert.ok(!text.includes(clis.home));
    const replayed = await cgloop(['replay', path.dirname(file)]).done;
    assert.match(replayed.stdout, /Approved with 9\/10/);

    const texts = await textsBelow(state);
    assert.ok([...texts.keys()].some((name) => name.endsWith('report.md')));
    for (const [name, content] of texts) {
      for (const key of Object.values(DUMMY_KEYS)) assert.ok(!content.includes(key), `a key in ${name}`);
    }
    for (const output of [shown, again, report, replayed]) {
      for (const key of Object.values(DUMMY_KEYS)) assert.ok(!`${output.stdout}${output.stderr}`.includes(key));
    }
    await clis.assertNothingAlive();
  });

  it('writes no trace unless it is asked to', async () => {
    const made = await enter({
      files: { 'README.md': 'A project\n' },
      git: false,
      claude: () => story('the executor').next(say('Nothing to do.')),
      gemini: () => story('the reviewer').next(say(NINE)),
    });
    const told = await made.cgloop(['--reviewer-model', GEMINI_MODEL, '--permission', 'edits', 'Look']).done;
    assert.equal(told.code, 0, told.stderr);
    const names = [...(await textsBelow(path.join(made.clis.home, 'cgloop'))).keys()];
    assert.ok(names.some((name) => name.endsWith('log.jsonl')));
    assert.ok(!names.some((name) => name.includes('trace')), names.join('\n'));
  });
});
