import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { createNodeFs } from '../../src/cli/nodeFs.ts';
import { FileRefused } from '../../src/scheduler/fileService.ts';
import { clear, temporary } from './grounds.ts';

const DEEP = process.env.DEEP === '1';
/** Requests a run; the runs of the deep test make 100,000 of them. */
const REQUESTS = 10;
const RUNS = DEEP ? 10_000 : 60;

const WHOLE = { line: null, limit: null } as const;
const name = fc.constantFrom('a', 'b', 'c', 'out', 'sub', '.git');
/** What links lead to, and what is asked for: in and out, up and down, with detours. */
const step = fc.constantFrom('a', 'b', 'c', 'sub', '.git', 'out', 'ws', '..', '.', '', 'secret.txt', 'new.txt');
const steps = fc.array(step, { minLength: 1, maxLength: 6 });
const entry = fc.record({
  at: fc.array(name, { minLength: 1, maxLength: 3 }),
  what: fc.oneof(
    { weight: 2, arbitrary: fc.constant({ type: 'file' as const }) },
    fc.constant({ type: 'folder' as const }),
    fc.record({ type: fc.constant('link' as const), from: fc.constantFrom('here', 'base', 'ws', 'out'), to: steps }),
    fc.constant({ type: 'hardLink' as const }),
  ),
});
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;
const request = fc.record({
  from: fc.constantFrom('ws', 'ws', 'ws', 'base', 'out'),
  to: fc.oneof(
    { weight: 1, arbitrary: steps },
    { weight: 1, arbitrary: fc.array(name, { minLength: 1, maxLength: 3 }) },
  ),
  writes: fc.boolean(),
  /** Made after the path was located, and before it is written: what a racing command would do. */
  swap: fc.option(entry, { freq: 3 }),
});

interface World {
  readonly base: string;
  readonly ws: string;
  readonly out: string;
}

/** Makes the entry in place of what is there; never through a link or a file. */
function make({ base, ws, out }: World, { at, what }: Entry): void {
  const file = path.join(ws, ...at);
  const parent = path.dirname(file);
  for (let up = 1; up < at.length; up++) {
    const folder = path.join(ws, ...at.slice(0, up));
    const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) fs.mkdirSync(folder);
    else if (!stat.isDirectory()) return;
  }
  fs.rmSync(file, { recursive: true, force: true });
  switch (what.type) {
    case 'file':
      fs.writeFileSync(file, 'inside\n');
      break;
    case 'folder':
      fs.mkdirSync(file);
      break;
    case 'link': {
      const target = what.to.join('/');
      const begin = { here: '', base: `${base}/`, ws: `${ws}/`, out: `${out}/` }[what.from];
      fs.symlinkSync(begin + target || parent, file);
      break;
    }
    case 'hardLink':
      fs.linkSync(path.join(out, 'linked.txt'), file);
      break;
    default:
      what satisfies never;
  }
}

/** Every name outside of the root, with its content. */
function outsideOf({ base, ws }: World): string {
  const told: string[] = [];
  const walk = (folder: string): void => {
    for (const each of fs.readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, each.name);
      if (file === ws) continue;
      if (each.isDirectory()) {
        told.push(file);
        walk(file);
      } else told.push(`${file}: ${fs.readFileSync(file, 'utf8')}`);
    }
  };
  walk(base);
  return told.join('\n');
}

describe('E4: generated paths and links', function () {
  this.timeout(DEEP ? 3_600_000 : 60_000);
  afterEach(clear);

  for (const platform of process.platform === 'linux' ? (['linux', 'freebsd'] as const) : [process.platform])
    it(`read and write nothing outside the root (${platform})`, async function () {
      if (process.platform === 'win32') this.skip(); // Making links needs a right of its own there.
      const own = process.platform;
      const count = { read: 0, written: 0, outside: 0, refused: 0 };
      const base = temporary();
      const world: World = { base, ws: path.join(base, 'ws'), out: path.join(base, 'out') };
      fs.mkdirSync(path.join(world.out, 'sub', 'a'), { recursive: true });
      // A hard link made inside is a file of the folder, so its text is no secret; its other name must stay as it is.
      fs.writeFileSync(path.join(world.out, 'linked.txt'), 'linked\n');
      for (const file of ['secret.txt', 'a', 'sub/secret.txt'])
        fs.writeFileSync(path.join(world.out, file), 'SECRET\n');
      fs.mkdirSync(`${world.ws}-secret`);
      fs.writeFileSync(path.join(`${world.ws}-secret`, 'a'), 'SECRET\n');
      const before = outsideOf(world);
      try {
        Object.defineProperty(process, 'platform', { value: platform });
        await fc.assert(
          fc.asyncProperty(
            fc.array(entry, { maxLength: 10 }),
            fc.array(request, { minLength: REQUESTS, maxLength: REQUESTS }),
            async (entries, requests) => {
              fs.rmSync(world.ws, { recursive: true, force: true });
              fs.mkdirSync(world.ws);
              for (const one of entries) make(world, one);
              const files = createNodeFs().open(world.ws);
              for (const { from, to, writes, swap } of requests) {
                const asked = `${world[from]}/${to.join('/')}`;
                try {
                  const located = files.locate(asked);
                  if (swap !== null) make(world, swap);
                  if (writes) {
                    await files.write(located, 'the agent was here\n');
                    count.written++;
                    assert.equal(fs.readFileSync(located, 'utf8'), 'the agent was here\n');
                    assert.ok(fs.realpathSync(located).startsWith(`${world.ws}/`));
                  } else {
                    const { text } = await files.read(located, WHOLE);
                    count.read++;
                    assert.doesNotMatch(text, /SECRET/);
                  }
                } catch (error) {
                  if (!(error instanceof FileRefused)) throw error;
                  if (error.problem === 'outside') count.outside++;
                  else count.refused++;
                }
                assert.equal(outsideOf(world), before, asked);
              }
            },
          ),
          { numRuns: RUNS, endOnFailure: !DEEP },
        );
      } finally {
        Object.defineProperty(process, 'platform', { value: own });
      }
      // The generator reaches every kind of answer, or this would prove nothing.
      for (const [kind, times] of Object.entries(count)) assert.ok(times > RUNS / 20, `${kind}: ${times}`);
    });

  it('are not followed out of the root while folders are swapped for links without a pause', async function () {
    if (process.platform === 'win32') this.skip();
    const base = temporary();
    const world: World = { base, ws: path.join(base, 'ws'), out: path.join(base, 'out') };
    for (const folder of [world.ws, world.out]) fs.mkdirSync(path.join(folder, 'sub'), { recursive: true });
    fs.writeFileSync(path.join(world.out, 'sub', 'a'), 'SECRET\n');
    fs.writeFileSync(path.join(world.ws, 'sub', 'a'), 'inside\n');
    const before = outsideOf(world);
    const swapping = new Worker(
      `const fs = require('node:fs'); const { ws, out } = require('node:worker_threads').workerData;
       // The service makes a missing folder: then that is in the way.
       const done = (move) => { try { move(); return true; } catch { return false; } };
       const clear = () => done(() => fs.rmSync(ws + '/sub', { recursive: true, force: true }));
       const attempt = (move) => done(move) || (clear(), done(move));
       for (;;) {
         attempt(() => fs.renameSync(ws + '/sub', ws + '/kept'));
         attempt(() => fs.symlinkSync(out + '/sub', ws + '/sub'));
         clear();
         attempt(() => fs.renameSync(ws + '/kept', ws + '/sub'));
       }`,
      { eval: true, workerData: world },
    );
    let served = 0;
    try {
      const files = createNodeFs().open(world.ws);
      for (let n = 0; n < (DEEP ? 20_000 : 1_000); n++) {
        try {
          const located = files.locate(path.join(world.ws, 'sub', n % 3 === 0 ? `new-${n}` : 'a'));
          if (n % 3 === 1) assert.doesNotMatch((await files.read(located, WHOLE)).text, /SECRET/);
          else await files.write(located, `inside ${n}\n`);
          served++;
        } catch (error) {
          if (!(error instanceof FileRefused)) throw error;
        }
      }
    } finally {
      await swapping.terminate();
    }
    assert.equal(outsideOf(world), before);
    assert.ok(served > 0);
  });
});
