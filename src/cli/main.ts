import os from 'node:os';
import path from 'node:path';
import { agentIds } from '../agent/catalog.ts';
import type { CustomAgents } from '../agent/customAgents.ts';
import { checkFolder } from '../loop/checkFolder.ts';
import { createDemoProject, demoOptions } from '../loop/demoRun.ts';
import { type RunOptions, USAGE_EXIT } from '../loop/options.ts';
import { reviewTask } from '../loop/reviewRun.ts';
import type { StartRun } from '../loop/runHandle.ts';
import { startRun } from '../loop/startRun.ts';
import { PRODUCT } from '../session/product.ts';
import { listRuns } from '../session/runs.ts';
import { ownStateFolder } from '../session/stateFolder.ts';
import { errorText } from '../shared/errors.ts';
import type { RunHeader } from '../shared/events.ts';
import { readAgentsFile } from './agentsFile.ts';
import { createAskSignIn } from './askSignIn.ts';
import { commitCommand } from './commitCommand.ts';
import { continueRun } from './continueRun.ts';
import { deleteCommand } from './deleteCommand.ts';
import { runDoctor } from './doctor.ts';
import { exportCommand } from './exportCommand.ts';
import { renderRuns } from './history.ts';
import { createNodeFs } from './nodeFs.ts';
import type { DisplayOptions } from './optionKinds.ts';
import { type Invocation, parseArguments } from './parseArguments.ts';
import { renderDoctor } from './renderDoctor.ts';
import { replay } from './replay.ts';
import { report } from './report.ts';
import { resumeOptions } from './resumeRun.ts';
import { changeRules } from './rules.ts';
import type { RunArguments } from './runCommand.ts';
import { runTask } from './runTask.ts';
import type { DemoArguments } from './setupCommands.ts';
import { showCommand } from './showCommand.ts';
import { createStyle, wantsColours } from './style.ts';
import { columnsOf, isInteractive, type Terminal, watchOutputs } from './terminal.ts';
import { undo } from './undoCommand.ts';
import { settle } from './worktreeCommand.ts';

const USAGE = USAGE_EXIT;
const NEEDS_AGENTS: readonly Invocation['type'][] = ['run', 'review', 'resume', 'doctor'];

const terminal: Terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  program: programName(process.argv[1] ?? ''),
  now: Date.now,
  onSignal(listener) {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
  exit: (code) => process.exit(code),
};

// VS Code's own program runs us as Node in its terminals; what we start is not to be run so.
delete process.env.ELECTRON_RUN_AS_NODE;
let isLost = false;
watchOutputs([process.stdout, process.stderr], (why) => {
  isLost = true;
  // Whoever reads the output is not to take it for whole.
  if (process.exitCode === 0) process.exitCode = 1;
  process.stderr.write(`cgloop: The output cannot be written: ${why}\n`);
});
main().then(
  (code) => {
    process.exitCode = isLost && code === 0 ? 1 : code;
  },
  (error: unknown) => {
    process.stderr.write(`cgloop: ${errorText(error)}\n`);
    process.exitCode = 1;
  },
);

async function main(): Promise<number> {
  const own = readAgentsFile(ownStateFolder());
  const agents = own.type === 'agents' ? own.agents : {};
  const invocation = parseArguments(process.argv.slice(2), PRODUCT.version, agentIds(agents));
  // What needs no agent works all the same.
  if (own.type === 'problem' && NEEDS_AGENTS.includes(invocation.type)) return usage(own.message);
  switch (invocation.type) {
    case 'told':
      process.stdout.write(invocation.text);
      return 0;
    case 'usage':
      return usage(invocation.message);
    case 'runs': {
      const columns = process.stdout.isTTY ? columnsOf(process.stdout) : Number.MAX_SAFE_INTEGER;
      const runs = await listRuns(ownStateFolder());
      process.stdout.write(renderRuns(runs, invocation.asked, terminal.program, columns));
      return 0;
    }
    case 'show':
      return showCommand(invocation.asked, ownStateFolder(), terminal);
    case 'export':
      return exportCommand(invocation.asked, ownStateFolder(), terminal);
    case 'commit':
      return commitCommand(invocation.run, ownStateFolder(), terminal);
    case 'delete':
      return deleteCommand(invocation.asked, ownStateFolder(), terminal);
    case 'resume': {
      const resumed = await resumeOptions(invocation.asked, ownStateFolder());
      if (resumed.type === 'ready') return begin({ ...resumed.options, agents, face: 'terminal' }, invocation.display);
      process.stderr.write(`${resumed.message}\n`);
      return 1;
    }
    case 'worktree': {
      const { text, code } = await settle(invocation.asked, ownStateFolder());
      (code === 0 ? process.stdout : process.stderr).write(text);
      return code;
    }
    case 'undo': {
      const { text, code } = await undo(invocation.asked, ownStateFolder());
      (code === 0 ? process.stdout : process.stderr).write(text);
      return code;
    }
    case 'rules': {
      const folder = checkFolder(absolute(invocation.asked.dir), os.homedir());
      if (folder.type === 'problem') return usage(`--dir: ${folder.problem.what} ${folder.problem.fix}`);
      const { text, code } = await changeRules(invocation.asked, folder.path, ownStateFolder());
      (code === 0 ? process.stdout : process.stderr).write(text);
      return code;
    }
    case 'continue':
      return continueRun(invocation.asked, ownStateFolder(), terminal);
    case 'replay':
      return replay(invocation.asked, ownStateFolder(), terminal);
    case 'report': {
      const examine = ({ executor, reviewer, folder, trusted }: RunHeader) => {
        const asked = { all: false, dir: folder, executor: executor.id, reviewer: reviewer.id, trusted };
        return runDoctor(asked, ownStateFolder(), agents);
      };
      return report(invocation.asked, { terminal, stateFolder: ownStateFolder(), examine });
    }
    case 'doctor': {
      const { json, ...asked } = invocation.doctor;
      const report = await runDoctor(asked, ownStateFolder(), agents);
      const style = createStyle(wantsColours(process.env, process.stdout.isTTY === true));
      process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : renderDoctor(report, style));
      return report.ok ? 0 : 1;
    }
    case 'demo':
      return demo(invocation.demo);
    case 'run': {
      const task = invocation.task ?? (await readAll(process.stdin)).trim();
      if (task === '') return usage('The task on stdin is empty.');
      return run({ task }, invocation.run, agents);
    }
    case 'review': {
      const { kind, range, run: asked } = invocation.asked;
      const wanted = { task: reviewTask(kind, range), kind, ...(range === null ? {} : { range }) };
      return run(wanted, asked, agents);
    }
    default:
      return invocation satisfies never;
  }
}

async function run(
  wanted: Pick<RunOptions, 'task' | 'kind' | 'range'>,
  args: RunArguments,
  agents: CustomAgents,
): Promise<number> {
  const folder = checkFolder(absolute(args.dir), os.homedir());
  if (folder.type === 'problem') return usage(`--dir: ${folder.problem.what} ${folder.problem.fix}`);
  const { dir: _, verbose, quiet, output, ...rest } = args;
  return begin(
    {
      ...rest,
      ...wanted,
      folder: folder.path,
      stateFolder: ownStateFolder(),
      executablePaths: {},
      agents,
      face: 'terminal',
    },
    { verbose, quiet, output },
  );
}

async function demo(args: DemoArguments): Promise<number> {
  const { scenario, rounds, permissionMode, ...display } = args;
  // The demo agents are our children and read it from there.
  process.env.CGLOOP_DEMO_SCENARIO = scenario;
  const stateFolder = ownStateFolder();
  const folder = createDemoProject();
  const code = await begin(demoOptions({ folder, stateFolder, rounds, permissionMode }), display);
  if (code !== USAGE) process.stderr.write(`The demo's project: ${folder}\n`);
  return code;
}

async function begin(options: Omit<RunOptions, 'interactive'>, display: DisplayOptions): Promise<number> {
  const interactive = isInteractive(terminal);
  if (options.permissionMode === 'ask' && !interactive) {
    return usage(
      '--permission ask needs a terminal to ask in, and there is none. Say what the executor may do: --permission edits, read-only or all.',
    );
  }
  const services = {
    files: createNodeFs(),
    unsaved: null,
    locale: process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '',
    ...(interactive ? { askSignIn: createAskSignIn(terminal) } : {}),
  };
  const start: StartRun = (wanted, cancel) => startRun(wanted, cancel, services);
  return runTask({ ...options, interactive }, display, { terminal, startRun: start });
}

function usage(message: string): number {
  process.stderr.write(`cgloop: ${message}\n"${terminal.program} --help" lists all options.\n`);
  return USAGE;
}

async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  stream.setEncoding('utf8');
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

/** `cgloop` when it was started by that name, else the way it was started. */
function programName(script: string): string {
  const name = path.basename(script);
  // In VS Code's terminals the bundled `cgloop` stands before this file.
  return name === 'cgloop' || name === 'cgloop.cmd' || process.env.CGLOOP_NODE !== undefined
    ? 'cgloop'
    : `node ${path.relative(workingFolder() ?? '/', script) || script}`;
}

function absolute(dir: string): string {
  if (!path.isAbsolute(dir) && workingFolder() === null) {
    throw new Error('The folder that this terminal is in was deleted: go to another one, or name it whole with --dir.');
  }
  return path.resolve(dir);
}

/** Null: it was deleted under this terminal, which only matters to what works in it. */
function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}
