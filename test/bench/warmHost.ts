// `node warmHost.cjs TASK ROUNDS REVIEWER_MODEL`: does what the extension does. Starts both agents while the task is
// still being written, says `warm`, waits for a line on stdin, runs the loop in its working folder and prints `Told` as
// one JSON object.
import { once } from 'node:events';
import { createAgent } from '../../src/agent/createAgent.ts';
import { preflight } from '../../src/agent/preflight.ts';
import { resolveDepsFor } from '../../src/agent/wideSearch.ts';
import { createNodeFs } from '../../src/cli/nodeFs.ts';
import { DEFAULTS, type RunOptions } from '../../src/loop/options.ts';
import { startRun } from '../../src/loop/startRun.ts';
import { warmAgents } from '../../src/loop/warmAgents.ts';

/** How the run went. */
export interface Told {
  readonly ending: string;
  /** Milliseconds from the line on stdin to the end of each round. */
  readonly roundEnds: readonly number[];
}

const [task = '', rounds, reviewerModel = null] = process.argv.slice(2);
const options: RunOptions = {
  ...DEFAULTS,
  task,
  rounds: Number(rounds),
  folder: process.cwd(),
  executorModel: null,
  reviewerModel,
  permissionMode: 'edits',
  trusted: true,
  interactive: false,
  stateFolder: process.env.CGLOOP_HOME ?? '',
  executablePaths: {},
};
const services = { files: createNodeFs(), unsaved: null };

async function main(): Promise<Told> {
  const up: Promise<unknown>[] = [];
  let allMade: () => void = () => undefined;
  const made = new Promise<void>((resolve) => {
    allMade = resolve;
  });
  const warm = warmAgents({
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    find: async (wanted) => {
      const found = preflight(wanted, await resolveDepsFor([wanted.executor, wanted.reviewer], wanted));
      if (found.type === 'problems') throw new Error(found.problems.map(({ what }) => what).join('\n'));
      return { execute: found.executor, review: found.reviewer };
    },
    createAgent: (context) => {
      const agent = createAgent(context);
      up.push(agent.ready());
      if (up.length === 2) allMade();
      return agent;
    },
  });
  warm.warm(options, services, 600_000);
  await made;
  await Promise.all(up);
  process.stdout.write('warm\n');
  await once(process.stdin, 'data');
  process.stdin.pause();

  const start = performance.now();
  const started = await startRun(options, new AbortController().signal, services, warm);
  if (started.type !== 'started') throw new Error(JSON.stringify(started));
  const roundEnds: number[] = [];
  const note = ({ type }: { readonly type: string }) => {
    if (type === 'round.ended') roundEnds.push(performance.now() - start);
  };
  for (const event of started.run.log.events) note(event);
  started.run.log.subscribe(note);
  const ending = await started.run.done;
  await warm.dispose();
  return { ending: ending.type, roundEnds };
}

main().then(
  (told) => process.stdout.write(`${JSON.stringify(told)}\n`),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
