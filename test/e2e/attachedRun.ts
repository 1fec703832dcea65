/** A face as thin as it can be: runs what its one argument (JSON) says, and ends with the ending as JSON. */
import fs from 'node:fs';
import { DEFAULTS, type RunOptions } from '../../src/loop/options.ts';
import { startRun } from '../../src/loop/startRun.ts';

type Asked = Pick<
  RunOptions,
  'task' | 'folder' | 'executor' | 'reviewer' | 'executorModel' | 'reviewerModel' | 'images' | 'rounds'
>;

const asked: Asked = JSON.parse(process.argv[2] ?? '');
const started = await startRun(
  {
    ...DEFAULTS,
    ...asked,
    permissionMode: 'read-only',
    trusted: true,
    interactive: false,
    stateFolder: process.env.CGLOOP_HOME ?? '',
    executablePaths: {},
  },
  new AbortController().signal,
  { files: null, unsaved: null },
);
if (started.type !== 'started') throw new Error(JSON.stringify(started));
const ending = await started.run.done;
const warnings = started.run.log.events.filter((one) => one.type === 'diagnostic' && one.derived.level !== 'info');
fs.writeSync(1, `${JSON.stringify({ ending, warnings })}\n`);
process.exit();
