import fs from 'node:fs';
import path from 'node:path';
import { AGENTS_SETTING } from '../agent/catalog.ts';
import type { CustomAgents } from '../agent/customAgents.ts';
import { errorText, isMissing } from '../shared/errors.ts';

/** The agents that the person set, or why they cannot be used. */
export type OwnAgents =
  | { readonly type: 'agents'; readonly agents: CustomAgents }
  | { readonly type: 'problem'; readonly message: string };

/**
 * Reads `agents.json` of the state folder: what is the setting `cgloop.agents` in VS Code, for `cgloop` in a terminal. It names
 * programs, so it lies where no project can put one. No file: no agents.
 */
export function readAgentsFile(stateFolder: string): OwnAgents {
  const file = path.join(stateFolder, 'agents.json');
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return { type: 'agents', agents: {} };
    return problem(file, errorText(error));
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    return problem(file, errorText(error));
  }
  const parsed = AGENTS_SETTING.safeParse(raw);
  if (parsed.success) return { type: 'agents', agents: parsed.data };
  return problem(file, parsed.error.issues.map((issue) => [...issue.path, issue.message].join(': ')).join('; '));
}

function problem(file: string, why: string): OwnAgents {
  return { type: 'problem', message: `${file} cannot be used: ${why}. Correct it, or remove it.` };
}
