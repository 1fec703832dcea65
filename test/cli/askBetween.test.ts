import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createAskBetween } from '../../src/cli/askBetween.ts';
import { type EditedText, editText } from '../../src/cli/editText.ts';
import { createStyle } from '../../src/cli/style.ts';
import { readKeys } from '../../src/cli/terminal.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import type { LoopEventBody } from '../../src/shared/events.ts';
import type { Verdict } from '../../src/shared/review.ts';
import type { Feedback } from '../../src/shared/roundEvents.ts';
import { HEADER } from '../fakes/events.ts';
import { fakeTerminal, settled } from './fakeTerminal.ts';

const VERDICT: Verdict = {
  status: 'not_approved',
  approved: false,
  score: 6,
  source: 'json',
  reason: 'json_not_approved',
  warnings: [],
  summary: 'Worth six.',
  findings: [],
  previous: [],
  suggestions: [],
};

function world(said = 'It is slow.\n\n```json\n{"score":6}\n```', findings: readonly string[] = ['F1', 'F2', 'F3']) {
  let now = 0;
  const log = createEventLog({ now: () => now });
  const told = {
    status: '',
    printed: '',
    proceeded: [] as (Feedback | null)[],
    stops: 0,
    edited: [] as string[],
    answer: { type: 'text', text: '' } as EditedText,
    keys: (typed: string) => between.keys(typed),
    wait: () => {
      now += 1000;
    },
    asking: () => between.asking,
    append: (body: LoopEventBody) => void log.append(body),
    type: (text: string) => {
      for (const key of text) between.keys(key);
    },
  };
  const between = createAskBetween({
    screen: {
      print: (text) => {
        told.printed += text;
      },
      status: (text) => {
        told.status = text;
      },
    },
    style: createStyle(false),
    events: () => log.events,
    proceed(feedback) {
      told.proceeded.push(feedback);
      log.append({ type: 'run.resumed', feedback });
      return true;
    },
    stop: () => {
      told.stops++;
      log.append({ type: 'run.ended', ending: { type: 'stopped' } });
    },
    async edit(text) {
      told.edited.push(text);
      return told.answer;
    },
    now: () => now,
  });
  log.subscribe(between.event);
  log.append({ type: 'run.started', run: HEADER });
  log.append({ type: 'round.started' });
  log.append({ type: 'turn.started', turn: 1, role: 'review', prompt: '', wire: { sessionId: null, model: null } });
  log.append({
    type: 'message.chunk',
    turn: 1,
    role: 'review',
    wire: {},
    derived: { channel: 'message', messageId: 'm', text: said },
  });
  log.append({ type: 'review.scored', turn: 1, verdict: VERDICT, approved: false, blockedBy: [] });
  for (const id of findings) {
    const finding = {
      id,
      severity: 'minor',
      title: `Title of ${id}`,
      detail: '',
      openedInRound: 1,
      status: 'open',
    } as const;
    log.append({ type: 'finding.opened', finding });
  }
  log.append({ type: 'round.ended' });
  log.append({ type: 'run.paused', reason: 'betweenRounds', why: 'Round 1 is over.' });
  return told;
}

describe('the person between two rounds, on a terminal', () => {
  it('goes on with Enter, and says with a bell what else can be done', () => {
    const told = world();
    assert.equal(told.asking(), true);
    assert.ok(told.printed.startsWith('\u0007'));
    assert.match(
      told.printed,
      /\[Enter\] go on[\s\S]*\[i\] add an instruction[\s\S]*\[e\] edit the review[\s\S]*\[f\] choose the findings that go back \(all 3 open\)[\s\S]*\[n\] end the run/,
    );
    told.keys('\r');
    assert.deepEqual(told.proceeded, [], 'a key typed ahead is none');
    told.wait();
    told.keys('\r');
    assert.deepEqual(told.proceeded, [null]);
    assert.deepEqual([told.asking(), told.status], [false, '']);
  });

  it('adds an instruction, and leaves one that is begun', () => {
    const told = world();
    told.wait();
    told.keys('i');
    told.type('Never mind');
    told.keys('\u001b');
    told.keys('i');
    told.type('Mind the tests');
    assert.match(told.status, /Mind the tests▏/);
    told.keys('\r');
    assert.match(told.printed, /add an instruction: Mind the tests/);
    told.keys('\r');
    assert.deepEqual(told.proceeded, [{ findings: null, text: null, instruction: 'Mind the tests' }]);
  });

  it('chooses findings by their ids, and names one that is none', () => {
    const told = world();
    told.wait();
    told.keys('f');
    assert.match(told.status, /F1 F2 F3▏/);
    told.keys('\u007f');
    told.type('9\r');
    assert.match(told.printed, /F9: no open finding\. There are F1, F2, F3\./);
    told.type('\u007f'.repeat(8));
    told.type('f3, f1\r');
    told.keys('\r');
    assert.deepEqual(told.proceeded, [{ findings: ['F3', 'F1'], text: null, instruction: null }]);
  });

  it('has none to choose where none is open', () => {
    const told = world('Good.', []);
    told.wait();
    assert.doesNotMatch(told.printed, /\[f\]/);
    told.keys('f');
    assert.match(told.status, /Enter\/i\/e\/f\/n/);
  });

  it('edits the words of the review, without the verdict that stands in the findings', async () => {
    const told = world();
    told.answer = { type: 'text', text: 'It is slow, but that is wanted.\n' };
    told.wait();
    told.keys('e');
    told.keys('n');
    assert.equal(told.stops, 0, 'the editor has the terminal');
    await settled();
    assert.deepEqual(told.edited, ['It is slow.']);
    assert.match(told.printed, /\(edited\)/);
    told.keys('e');
    await settled();
    assert.deepEqual(told.edited[1], 'It is slow, but that is wanted.', 'what was edited is edited further');
    told.keys('\r');
    assert.deepEqual(told.proceeded, [{ findings: null, text: 'It is slow, but that is wanted.', instruction: null }]);
  });

  it('leaves a review that was only looked at as it came, and says why there is no editor', async () => {
    const told = world('```json\n{"score":6}\n```');
    told.answer = { type: 'text', text: 'Worth six.\n' };
    told.wait();
    told.keys('e');
    await settled();
    told.answer = { type: 'problem', what: 'No editor is named.' };
    told.keys('e');
    await settled();
    assert.match(told.printed, /No editor is named\./);
    told.keys('\r');
    assert.deepEqual(told.proceeded, [null]);
  });

  it('ends the run with n, and asks no more once it has ended', () => {
    const told = world();
    told.wait();
    told.keys('n');
    assert.deepEqual([told.stops, told.asking()], [1, false]);
    told.keys('\r');
    assert.deepEqual(told.proceeded, []);
  });
});

describe('the keys of a terminal', () => {
  it('are read again after something else had the terminal', async () => {
    const { terminal, type, isRaw } = fakeTerminal(true);
    const heard: string[] = [];
    const hear = () => readKeys(terminal, (typed) => void heard.push(typed));
    hear()();
    assert.equal(isRaw(), false);
    const release = hear();
    type('y');
    await settled();
    assert.deepEqual([heard, isRaw()], [['y'], true]);
    release();
  });
});

describe('the person’s editor', () => {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-editor-'));
  after(() => fs.rmSync(scratch, { recursive: true, force: true }));
  const editor = (script: string) => {
    const file = path.join(scratch, `editor${fs.readdirSync(scratch).length}.cjs`);
    fs.writeFileSync(file, `const file = process.argv.at(-1), fs = require('node:fs');\n${script}`);
    return { ...process.env, VISUAL: `${process.execPath} ${file} --wait` };
  };

  it('is given a private file, and what it leaves there counts', async () => {
    const seen = path.join(scratch, 'seen');
    const env = editor(
      `fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify([process.argv.slice(2, -1), file, fs.statSync(file).mode & 0o777, fs.readFileSync(file, 'utf8')]));\nfs.appendFileSync(file, 'and more');`,
    );
    assert.deepEqual(await editText('a review', { env, program: 'cgloop' }), {
      type: 'text',
      text: 'a review\nand more',
    });
    const [args, file, mode, text] = JSON.parse(fs.readFileSync(seen, 'utf8'));
    assert.deepEqual([args, text], [['--wait'], 'a review\n']);
    if (process.platform !== 'win32') assert.equal(mode, 0o600);
    assert.equal(fs.existsSync(path.dirname(file)), false, 'nothing is left of it');
  });

  it('changes nothing when it fails, is not there, or is not named', async () => {
    const fails = await editText('a review', { env: editor('process.exit(3)'), program: 'cgloop' });
    assert.match(fails.type === 'problem' ? fails.what : '', /ended with 3: nothing was changed/);
    const gone = await editText('a review', {
      env: { ...process.env, VISUAL: path.join(scratch, 'gone') },
      program: 'cgloop',
    });
    assert.match(gone.type === 'problem' ? gone.what : '', /did not start/);
    const none = await editText('a review', { env: {}, program: 'cgloop' });
    assert.match(none.type === 'problem' ? none.what : '', /set EDITOR/);
  });
});
