import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { BODY_LIMIT } from '../../src/session/bodies.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import { openLogFile } from '../../src/session/logFile.ts';
import { firstCheckpointOf, readRun, runHeaderOf } from '../../src/session/replay.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import { chunk, clear, PRODUCT, RUN, STORY, stamped, temporary } from './events.ts';

describe('logFile', () => {
  const fail = (message: string): void => assert.fail(message);
  const write = async (directory: string, events: readonly LoopEvent[]): Promise<string> => {
    const log = await openLogFile({ directory, product: PRODUCT, onProblem: fail });
    for (const event of events) log.append(event);
    await log.close();
    return path.join(directory, 'log.jsonl');
  };
  afterEach(clear);

  it('reads back every type of event as it was', async () => {
    const events = stamped(STORY);
    const directory = path.join(temporary(), 'runs', 'one');
    const file = await write(directory, events);
    const run = await readRun(directory);
    assert.deepEqual(run.events, events);
    assert.deepEqual([run.state, run.problems, run.readOnly], ['ended', [], false]);
    assert.deepEqual(runHeaderOf(run.events), RUN);
    assert.equal(firstCheckpointOf(run.events)?.id, 'c0');
    assert.equal(
      fs.readFileSync(file, 'utf8').split('\n')[0],
      '{"format":"cgloop-run","version":1,"product":{"name":"cgloop","version":"0.0.1"}}',
    );
    assert.deepEqual(fs.readdirSync(directory), ['log.jsonl'], 'the claim is given back');
  });

  it('is for its owner only', async function () {
    if (process.platform === 'win32') return this.skip();
    const directory = path.join(temporary(), 'one');
    const long = 'x'.repeat(BODY_LIMIT + 1);
    const file = await write(directory, stamped([chunk(long)]));
    const [body = ''] = fs.readdirSync(path.join(directory, 'bodies'));
    const mode = (name: string): number => fs.statSync(name).mode & 0o777;
    assert.deepEqual(
      [directory, path.join(directory, 'bodies'), file, path.join(directory, 'bodies', body)].map(mode),
      [0o700, 0o700, 0o600, 0o600],
    );
  });

  it('keeps long strings, wherever they are, as one file each, and puts them back', async () => {
    const long = `${'ü'.repeat(BODY_LIMIT)}end`;
    const half = `${'y'.repeat(BODY_LIMIT)}\ud800`;
    const wire = { deep: [{ text: long }, 'short', null], bodies: 'a word of the wire', [long]: 1, half };
    const events = stamped([{ ...chunk(long), wire }]);
    const directory = path.join(temporary(), 'one');
    const file = await write(directory, events);
    assert.equal(fs.readdirSync(path.join(directory, 'bodies')).length, 1);
    assert.ok(fs.readFileSync(file, 'utf8').split('\n')[1]?.startsWith('{"seq":1,'));
    const run = await readRun(directory);
    assert.deepEqual(run.events, events);
    assert.deepEqual(run.problems, []);
  });

  it('reads back any JSON of a wire', async function () {
    const runs = process.env.DEEP === '1' ? 1_000 : 50;
    this.timeout(10_000 + runs * 200);
    const directory = temporary();
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (wire) => {
        const events = stamped([
          { ...chunk('z'.repeat(BODY_LIMIT + 1)), wire: { long: 'y'.repeat(BODY_LIMIT + 1), ...wire } },
        ]);
        const one = path.join(directory, String(n++));
        await write(one, events);
        assert.equal(JSON.stringify((await readRun(one)).events), JSON.stringify(events));
      }),
      { numRuns: runs },
    );
  });

  it('says when a long text is missing or damaged, and shows that in its place', async () => {
    const directory = path.join(temporary(), 'one');
    await write(directory, stamped([chunk('a'.repeat(BODY_LIMIT + 1)), chunk('b'.repeat(BODY_LIMIT + 1))]));
    const bodies = path.join(directory, 'bodies');
    const [first = '', second = ''] = fs.readdirSync(bodies);
    fs.rmSync(path.join(bodies, first));
    fs.appendFileSync(path.join(bodies, second), 'more');
    const run = await readRun(directory);
    assert.equal(run.events.length, 2);
    assert.equal(run.problems.length, 4, 'wire and derived of both');
    assert.match(JSON.stringify(run.events[0]), /is missing or damaged/);
  });

  it('drops a torn last line, cuts it off when it goes on, and is interrupted without an end', async () => {
    const directory = path.join(temporary(), 'one');
    const file = await write(directory, stamped(STORY.slice(0, 4)));
    fs.appendFileSync(file, '{"seq":5,"at":1,"ro');
    const run = await readRun(directory);
    assert.deepEqual([run.events.length, run.state, run.problems], [4, 'interrupted', []]);
    const log = createEventLog({ now: () => 9, past: run.events });
    const again = await openLogFile({ directory, product: PRODUCT, onProblem: fail });
    assert.equal((await readRun(directory)).state, 'running');
    log.subscribe((event) => again.append(event));
    log.append({ type: 'run.ended', ending: { type: 'stopped' } });
    await again.close();
    await again.close();
    const whole = await readRun(directory);
    assert.deepEqual([whole.events, whole.state, whole.problems], [log.events, 'ended', []]);
  });

  it('reads a log cut at any byte: all whole lines, nothing else', async () => {
    const directory = path.join(temporary(), 'one');
    const events = stamped(STORY.slice(0, 5));
    const file = await write(directory, events);
    const bytes = fs.readFileSync(file);
    const header = bytes.indexOf(10) + 1;
    for (let cut = header; cut < bytes.length; cut += 7) {
      fs.writeFileSync(file, bytes.subarray(0, cut));
      const whole = bytes.subarray(0, cut).filter((byte) => byte === 10).length - 1;
      const run = await readRun(directory);
      assert.deepEqual(run.events, events.slice(0, whole));
      assert.deepEqual(run.problems, []);
    }
  });

  it('puts a diagnostic in the place of what it cannot read, so that no number is missing', async () => {
    const directory = path.join(temporary(), 'one');
    const events = stamped(STORY.slice(0, 8));
    const file = await write(directory, events);
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    lines[2] = 'noise';
    lines[3] = '{"seq":3,"at":1,"round":0,"type":"of.tomorrow"}';
    lines.splice(5, 1);
    lines.push(lines[6] ?? '', '');
    fs.writeFileSync(file, lines.join('\n').replaceAll('\n\n', '\n'));
    const run = await readRun(directory);
    assert.deepEqual(
      run.events.map(({ seq }) => seq),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    assert.deepEqual(
      run.events.map(({ type }) => type === 'diagnostic'),
      [false, true, true, false, true, false, false, false],
    );
    assert.match(
      run.problems.join('\n'),
      /Line 3: not JSON[\s\S]*of\.tomorrow[\s\S]*1 events before it[\s\S]*a second time/,
    );
  });

  it('reads a newer version with a word, and does not write to it', async () => {
    const directory = path.join(temporary(), 'one');
    const file = await write(directory, stamped(STORY.slice(0, 2)));
    const text = fs.readFileSync(file, 'utf8').replace('"version":1', '"version":2');
    fs.writeFileSync(file, text);
    const run = await readRun(directory);
    assert.equal(run.readOnly, true);
    assert.equal(run.events.length, 2);
    assert.match(run.problems.join(), /newer cgloop/);
    await assert.rejects(openLogFile({ directory, product: PRODUCT, onProblem: fail }), /newer.*only be read/);
    assert.equal(fs.readFileSync(file, 'utf8'), text);
    assert.deepEqual(fs.readdirSync(directory), ['log.jsonl']);
  });

  it('refuses what is no log, and a second writer', async () => {
    const root = temporary();
    await assert.rejects(
      readRun(path.join(root, 'none')),
      /^LogError: There is no log .*none.*"cgloop delete none" removes/,
    );
    fs.mkdirSync(path.join(root, 'other'));
    fs.writeFileSync(path.join(root, 'other', 'log.jsonl'), 'hello\n{}\n');
    await assert.rejects(readRun(path.join(root, 'other')), /not the log of a run/);
    const directory = path.join(root, 'one');
    const log = await openLogFile({ directory, product: PRODUCT, onProblem: fail });
    await assert.rejects(openLogFile({ directory, product: PRODUCT, onProblem: fail }), /written by process/);
    await log.close();
  });

  it('survives a disk that refuses: tells once, keeps the order, and writes all when it can again', async () => {
    const directory = path.join(temporary(), 'one');
    const problems: string[] = [];
    const log = await openLogFile({ directory, product: PRODUCT, onProblem: (message) => problems.push(message) });
    const events = stamped(STORY.slice(0, 6));
    const { writeSync } = fs;
    let room = 40;
    const limited = (fd: number, bytes: NodeJS.ArrayBufferView): number => {
      if (room === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      const written = writeSync(fd, bytes, 0, Math.min(room, bytes.byteLength));
      room -= written;
      return written;
    };
    Object.assign(fs, { writeSync: limited });
    try {
      for (const event of events.slice(0, 4)) log.append(event);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', /ENOSPC.*The run goes on.*free space/);
      room = 1_000_000;
      for (const event of events.slice(4)) log.append(event);
      await log.close();
    } finally {
      Object.assign(fs, { writeSync });
    }
    const run = await readRun(directory);
    assert.deepEqual([run.events, run.problems], [events, []]);
    assert.equal(problems.length, 1);
  });
});
