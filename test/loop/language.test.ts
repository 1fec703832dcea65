import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createBudgetGate } from '../../src/loop/budget.ts';
import { checkFolder } from '../../src/loop/checkFolder.ts';
import { prepareCommit } from '../../src/loop/commitRun.ts';
import { reviveExecutor } from '../../src/loop/reviveExecutor.ts';
import { applyWorktree } from '../../src/loop/settleWorktree.ts';
import { previewUndo } from '../../src/loop/undoRun.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import { errorText } from '../../src/shared/errors.ts';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import { optionWords } from '../../src/shared/optionWords.ts';
import type { PermissionRequest } from '../../src/shared/permission.ts';
import { english, type Translate } from '../../src/shared/translate.ts';
import { GIT_MISSING, GitError } from '../../src/workspace/git.ts';
import { HEADER } from '../fakes/events.ts';
import { commitAs, fenced, gitIn, type Played, playWorld, type Turn } from './reviewWorld.ts';

/** Says in which words it went through. */
const marked: Translate = (text, ...args) => `⟦${english(text, ...args)}⟧`;

/** What of the text did not go through it. */
function unmarked(text: string): string {
  const without = text.replace(/⟦[^⟦⟧]*⟧/g, '');
  return without === text ? text.trim() : unmarked(without);
}

function allMarked(texts: readonly string[]): void {
  for (const text of texts) assert.equal(unmarked(text), '', text);
}

/** Every text of an event that is the loop's own word to the person. */
function toldIn(event: LoopEvent): readonly string[] {
  switch (event.type) {
    case 'review.scored':
      return [...event.blockedBy, ...event.verdict.warnings];
    case 'run.paused':
    case 'check.skipped':
      return [event.why];
    case 'diagnostic':
      return event.derived.source === 'loop' ? [event.derived.text] : [];
    case 'turn.ended':
      return event.derived.outcome.type === 'failed' ? [event.derived.outcome.message] : [];
    default:
      return [];
  }
}

/** All of them that a run told, all marked, and no mark in what its agents were told. */
function toldBy({ ending, events, prompts }: Played): string {
  const texts = [...events.flatMap(toldIn), ...('message' in ending ? [ending.message ?? ''] : [])];
  allMarked(texts);
  assert.doesNotMatch([...prompts.execute, ...prompts.review].join('\n'), /[⟦⟧]/);
  return texts.join('\n').replace(/[⟦⟧]/g, '');
}

function questionWords({ title, options }: PermissionRequest): readonly string[] {
  return [title, ...options.flatMap(({ name, scope = marked('') }) => [name, scope])];
}

const blocker = { severity: 'blocker', title: 'Unsafe', detail: 'd' };
const odd = { title: 'Odd', severity: 'severe', line: 'x', detail: 'd' };
const says: Turn = () => 'Done.';

describe('what the loop says to the person', () => {
  it('is in their language, whatever it is about, and what it says to the agents is not', async function () {
    this.timeout(30_000);
    const told = toldBy(
      await playWorld({
        t: marked,
        git: true,
        files: { 'a.txt': 'one\n' },
        options: { permissionMode: 'read-only', rounds: 3, plateauRounds: 1, askBetweenRounds: true },
        checks: [
          { command: 'git no-such-command', source: 'typed' },
          { command: 'git --version', source: 'detected' },
        ],
        execute: [
          async ({ folder, write }) => {
            await write('a.txt', 'two\n');
            await write('inner/b.txt', 'b\n');
            const inner = path.join(folder, 'inner');
            gitIn(inner, ['init', '--quiet'], commitAs('Inner'));
            fs.appendFileSync(path.join(folder, '.git/config'), '[user]\n\tname = Other\n');
            return 'Done.';
          },
          says,
          says,
        ],
        review: [
          ({ folder }) => {
            gitIn(folder, commitAs('Second'));
            return fenced({ score: 4, approved: true, summary: 3, findings: [blocker, odd] });
          },
          () => fenced({ score: 4, approved: false, previous: [{ id: 'F1', status: '?' }], suggestions: [[]] }),
          async ({ write, claims }) => {
            await write('a.txt', 'three\n');
            claims('a.txt');
            return fenced({ score: 9, approved: true });
          },
        ],
      }),
    );
    for (const part of [
      /read-only, but files changed/,
      /repositories of their own.*inner/,
      /Git runs or heeds this by itself/,
      /HEAD was moved.*The newest commit is “Second”/,
      /Round 2 is over: 4\/10, 2 open findings\. The open findings did not become fewer in the last round: 2 → 2\./,
      /The check "git no-such-command" is red: exit code 1/,
      /Nobody has confirmed it/,
      /F1 is an open blocker: Unsafe/,
      /changed a\.txt while it reviewed/,
      /approves and holds a blocker/,
      /below the threshold/,
      /Finding 2: severity "severe" is taken as major/,
      /The status of F1 is none of/,
      /The summary is not a text/,
      /A suggestion is not a text/,
    ])
      assert.match(told, part);
  });

  it('is so in the endings', async () => {
    const same = () =>
      fenced({ score: 5, approved: false, findings: [{ severity: 'major', title: 'One', detail: 'd' }] });
    const stuck = await playWorld({
      t: marked,
      options: { rounds: 4, plateauRounds: 1 },
      execute: [says, says],
      review: [same, same],
    });
    assert.match(toldBy(stuck), /did not become fewer in the last round: 1 → 1/);
    const mute = await playWorld({ t: marked, execute: [says], review: [() => 'Well.', () => 'Well.'] });
    assert.match(toldBy(mute), /states no score/);
    assert.match(mute.prompts.review[1] ?? '', /The review states no score\./);
  });

  it('is so for a silent turn, and one that takes too long', async () => {
    let now = 0;
    const timers: { readonly at: number; readonly callback: () => void }[] = [];
    const silent = await playWorld({
      t: marked,
      clock: {
        now: () => now,
        after(ms, callback) {
          timers.push({ at: now + ms, callback });
          return () => undefined;
        },
      },
      execute: [
        () => {
          now = 31_000;
          for (const { at, callback } of timers.splice(0)) if (at <= now) callback();
          return '';
        },
      ],
      review: [],
    });
    assert.match(toldBy(silent), /No answer from the model for 31 s[\s\S]*took longer than its limit of 1 s/);
  });

  it('is so in its questions, and what comes of them', async () => {
    const told: LoopEventBody[] = [];
    const asked: PermissionRequest[] = [];
    const answers = ['goOn', 'end'];
    const ask = async (request: PermissionRequest) => {
      asked.push(request);
      return answers.shift() ?? null;
    };
    await reviveExecutor({
      name: 'Claude',
      ask,
      append: (body) => told.push(body),
      stopped: new AbortController().signal,
      isOver: () => false,
      restart: async () => ({ ref: HEADER.executor, sessionId: 's', model: null }),
      t: marked,
    });
    const log = createEventLog({ now: () => 0 });
    log.append({ type: 'run.started', run: { ...HEADER, budget: { tokens: 5 } } });
    for (const [turn, inputTokens] of [9, null].entries()) {
      const usage = { inputTokens, outputTokens: inputTokens, cachedTokens: null, costUsd: null };
      const derived = { outcome: { type: 'completed' }, usage, models: [] } as const;
      log.append({ type: 'turn.ended', turn, role: turn === 0 ? 'execute' : 'review', wire: {}, derived });
    }
    assert.ok(await createBudgetGate({ log, ask, t: marked }).before('execute'));
    allMarked([...asked.flatMap(questionWords), ...[...log.events, ...told].flatMap(textOf)]);
    assert.equal(asked.length, 2);
    assert.equal(told.length, 1);
  });

  it('is so where there is nothing to start, to undo or to commit', async () => {
    const stateFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-language-'));
    const run = { run: 'nobody', stateFolder, t: marked };
    try {
      const made = [await prepareCommit(run), await previewUndo(run), await applyWorktree(run)];
      const texts = made.map((one) => (one.type === 'problem' ? one.message : one.type));
      const { type, ...missing } = checkFolder(path.join(stateFolder, 'no'), '/', true, undefined, marked);
      assert.equal(type, 'problem');
      const { what, fix } = 'problem' in missing ? missing.problem : { what: '', fix: '' };
      allMarked([...texts, what, fix, errorText(new GitError(null, GIT_MISSING), marked)]);
      assert.match(errorText(new GitError(null, GIT_MISSING)), /^git was not found on PATH/);
    } finally {
      fs.rmSync(stateFolder, { recursive: true });
    }
  });

  it('names the options that we know in it, and leaves the agents’ own words as they came', () => {
    allMarked(['Allow', 'Deny', 'this command, once'].map((text) => optionWords(text, marked)));
    assert.equal(optionWords('constructor', marked), 'constructor');
  });
});

function textOf(body: LoopEventBody): readonly string[] {
  return body.type === 'diagnostic' ? [body.derived.text] : [];
}
