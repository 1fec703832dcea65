import { type Command, Option } from 'commander';
import { DEFAULTS } from '../loop/options.ts';
import type { PermissionMode } from '../shared/permission.ts';
import type { DoctorArguments } from './doctor.ts';
import { type DisplayOptions, display, MAX_ROUNDS, oneOf, permission, whole } from './optionKinds.ts';

const SCENARIOS = ['default', 'stubborn'] as const;

/** A demo as the arguments ask for it. */
export interface DemoArguments extends DisplayOptions {
  readonly scenario: (typeof SCENARIOS)[number];
  readonly rounds: number;
  readonly permissionMode: PermissionMode;
}

interface RawDemo extends DisplayOptions {
  readonly scenario: (typeof SCENARIOS)[number];
  readonly rounds: number;
  readonly permission: PermissionMode;
}

/** What these commands ask for. */
export type SetupInvocation =
  | { readonly type: 'demo'; readonly demo: DemoArguments }
  | { readonly type: 'doctor'; readonly doctor: DoctorArguments };

/** Adds `doctor` and `demo`. */
export function addSetupCommands(
  program: Command,
  agents: readonly string[],
  found: (invocation: SetupInvocation) => void,
): void {
  const agent = oneOf(agents);
  program
    .command('doctor')
    .description('check that both agents are there, start, and are signed in; exit 0 when nothing is in the way')
    .option('--json', 'print what was found as JSON', false)
    .option('--all', 'look at every agent of the catalog', false)
    .option('-d, --dir <folder>', 'the folder to look from', '.')
    .option('--executor <agent>', `who executes: ${agents.join(', ')}`, agent, DEFAULTS.executor)
    .option('--reviewer <agent>', 'who reviews, also the same one', agent, DEFAULTS.reviewer)
    .option('--trust', "as a run that uses the folder's own hooks, instructions and servers", false)
    .action(({ trust, ...options }: Omit<DoctorArguments, 'trusted'> & { readonly trust: boolean }) => {
      found({ type: 'doctor', doctor: { ...options, trusted: trust } });
    });
  display(program.command('demo'))
    .description('run the loop in a temporary project with demo agents: no account, no network')
    .addOption(new Option('--scenario <name>', 'what the agents play').choices(SCENARIOS).default('default'))
    .option('-n, --rounds <number>', 'rounds at most', whole(1, MAX_ROUNDS), DEFAULTS.rounds)
    .addOption(permission('edits'))
    .action((options: RawDemo) => {
      const { permission: permissionMode, ...demo } = options;
      found({ type: 'demo', demo: { ...demo, permissionMode } });
    });
}
