/** A face as thin as it can be: starts the agents ahead, says so, waits for a line, and runs. Ends with the ending as JSON. */
import fs from 'node:fs';
import { DEFAULTS, type RunOptions } from '../../src/loop/options.ts';
import { startRun } from '../../src/loop/startRun.ts';
import { createWarmAgents } from '../../src/loop/warmAgents.ts';

const [folder = '', reviewerModel = ''] = process.argv.slice(2);
const say = (word: string) => fs.writeSync(1, `${word}\n`);
const options: RunOptions = {
  ...DEFAULTS,
  task: 'Say a word.',
  folder,
  executorModel: null,
  reviewerModel,
  rounds: 1,
  permissionMode: 'edits',
  trusted: true,
  interactive: false,
  stateFolder: process.env.CGLOOP_HOME ?? '',
  executablePaths: {},
};
const services = { files: null, unsaved: null };
const warm = createWarmAgents({
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
});
const wait = (ms: number) => warm.warm(options, services, ms);

wait(600_000);
say('warming');
process.stdin.once('data', async (order: Buffer) => {
  if (String(order).startsWith('idle')) {
    wait(1);
    return;
  }
  const started = await startRun(options, new AbortController().signal, services, warm);
  if (started.type !== 'started') throw new Error(JSON.stringify(started));
  say(JSON.stringify(await started.run.done));
  await warm.dispose();
  process.exit();
});
