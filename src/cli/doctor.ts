import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { agentIds } from '../agent/catalog.ts';
import type { CustomAgents } from '../agent/customAgents.ts';
import { diagnose } from '../agent/doctor.ts';
import { doctorDeps, examine } from '../agent/doctorProbe.ts';
import { resolveDepsFor } from '../agent/wideSearch.ts';
import type { DoctorReport } from '../shared/doctor.ts';
import { english } from '../shared/translate.ts';

/** What `cgloop doctor` looks at. */
export interface DoctorArguments {
  readonly json: boolean;
  /** The whole catalog, not only the two that are chosen. */
  readonly all: boolean;
  readonly dir: string;
  readonly executor: string;
  readonly reviewer: string;
  readonly trusted: boolean;
}

/** Examines the two agents (and with `all` the catalog) in the folder as a run there would start them. */
export async function runDoctor(
  args: Omit<DoctorArguments, 'json'>,
  stateFolder: string,
  agents: CustomAgents,
): Promise<DoctorReport> {
  const { all, dir, executor, reviewer, trusted } = args;
  const folder = realFolder(path.resolve(dir));
  const others = all ? agentIds(agents).filter((id) => !id.startsWith('demo-')) : [];
  const ids = [executor, reviewer, ...others];
  const deps = await resolveDepsFor(ids, { executablePaths: {}, stateFolder, trusted, agents });
  const facts = await examine(
    { executor, reviewer, others, folder, trusted, mayStart: true, secrets: {} },
    doctorDeps(deps, os.homedir(), realFolder),
  );
  return diagnose(facts, english);
}

function realFolder(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    return folder;
  }
}
