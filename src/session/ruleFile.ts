import { createHash } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';
import type { Rule } from '../scheduler/rules.ts';
import { addLine, LineFileError, readLines, writeLines } from './lineFile.ts';

/** The rules of one run: those that are stored, and those of the run itself. */
export interface RuleBook {
  /** Grows in place. */
  readonly rules: readonly Rule[];
  /** In force at once. Rejects when it is to be stored and cannot be; it holds for this run all the same. */
  add(rule: Rule): Promise<void>;
}

/** A file of rules that is there and cannot be read: what it refuses would be allowed. */
export class RuleFileError extends Error {
  readonly file: string;
  constructor(file: string, problem: string) {
    super(`The rules in ${file} cannot be read: ${problem}`);
    this.name = 'RuleFileError';
    this.file = file;
  }
}

const FORMAT = {
  format: 'cgloop-rules',
  schema: z.object({
    effect: z.enum(['allow', 'deny']),
    tool: z.enum(['edit', 'execute', 'read', 'web', 'other']),
    path: z.exactOptional(z.string().min(1).max(200)),
    command: z.exactOptional(z.object({ match: z.enum(['exact', 'prefix']), line: z.string().min(1).max(10_000) })),
  }),
};

/** The rules for a run in `folder` (absolute, links resolved). They lie in the state folder, never in the folder itself. */
export async function openRules(stateFolder: string, folder: string): Promise<RuleBook> {
  const rules = [...(await readRules(stateFolder, null)), ...(await readRules(stateFolder, folder))];
  return {
    rules,
    async add(rule) {
      rules.push(rule);
      if (rule.scope !== 'session') await addRule(stateFolder, rule.scope === 'user' ? null : folder, rule);
    },
  };
}

/** The stored rules of a folder; null: those of every folder. Rejects with `RuleFileError`. */
export async function readRules(stateFolder: string, folder: string | null): Promise<readonly Rule[]> {
  const scope = folder === null ? 'user' : 'workspace';
  try {
    return (await readLines(ruleFile(stateFolder, folder), FORMAT)).map((rule) => ({ ...rule, scope }));
  } catch (error) {
    if (error instanceof LineFileError) throw new RuleFileError(error.file, error.problem);
    throw error;
  }
}

/** Stores one more rule. Several programs may do so at once: a rule is one line, and only ever added. */
export async function addRule(stateFolder: string, folder: string | null, { scope: _, ...rule }: Rule): Promise<void> {
  await addLine(ruleFile(stateFolder, folder), FORMAT, rule);
}

/** Replaces the stored rules as a whole. */
export async function writeRules(stateFolder: string, folder: string | null, rules: readonly Rule[]): Promise<void> {
  await writeLines(
    ruleFile(stateFolder, folder),
    FORMAT,
    rules.map(({ scope: _, ...rule }) => rule),
  );
}

function ruleFile(stateFolder: string, folder: string | null): string {
  return path.join(stateFolder, 'rules', folder === null ? 'user.jsonl' : folderFile(folder));
}

/** The name of a folder's file among those of other folders. `folder`: absolute, links resolved. */
export function folderFile(folder: string): string {
  return `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.jsonl`;
}
