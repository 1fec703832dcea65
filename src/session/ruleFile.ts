import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseWire } from '../protocol/parseWire.ts';
import type { Rule } from '../scheduler/rules.ts';

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

const HEADER = '{"format":"cgloop-rules","version":1}\n';

const headerSchema = z.object({ format: z.literal('cgloop-rules'), version: z.literal(1) });
const ruleSchema = z.object({
  effect: z.enum(['allow', 'deny']),
  tool: z.enum(['edit', 'execute', 'read', 'web', 'other']),
  path: z.exactOptional(z.string().min(1).max(200)),
  command: z.exactOptional(z.object({ match: z.enum(['exact', 'prefix']), line: z.string().min(1).max(10_000) })),
});

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
  const file = ruleFile(stateFolder, folder);
  let text: string;
  try {
    text = await fs.readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new RuleFileError(file, error instanceof Error ? error.message : String(error));
  }
  // What follows the last line feed was never finished, so nobody was told that it is stored.
  const [header = '', ...lines] = text.split('\n').slice(0, -1);
  if (text !== '') parse(headerSchema, header, file, 1);
  const scope = folder === null ? 'user' : 'workspace';
  return lines.map((line, index) => ({ ...parse(ruleSchema, line, file, index + 2), scope }));
}

/** Stores one more rule. Several programs may do so at once: a rule is one line, and only ever added. */
export async function addRule(stateFolder: string, folder: string | null, rule: Rule): Promise<void> {
  const file = ruleFile(stateFolder, folder);
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await fs.writeFile(file, HEADER, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  await fs.appendFile(file, lineOf(rule));
}

/** Replaces the stored rules as a whole. */
export async function writeRules(stateFolder: string, folder: string | null, rules: readonly Rule[]): Promise<void> {
  const file = ruleFile(stateFolder, folder);
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.draft`;
  await fs.writeFile(draft, HEADER + rules.map(lineOf).join(''), { mode: 0o600 });
  await fs.rename(draft, file);
}

function lineOf({ scope: _, ...rule }: Rule): string {
  return `${JSON.stringify(rule)}\n`;
}

function parse<S extends z.ZodType>(schema: S, line: string, file: string, number: number): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new RuleFileError(file, `line ${number} is no JSON.`);
  }
  const parsed = parseWire(schema, null, value);
  if (parsed.type === 'known') return parsed.value;
  throw new RuleFileError(file, `line ${number}: ${parsed.type === 'invalid' ? parsed.problem : parsed.variant}`);
}

function ruleFile(stateFolder: string, folder: string | null): string {
  const name = folder === null ? 'user' : createHash('sha256').update(folder).digest('hex').slice(0, 32);
  return path.join(stateFolder, 'rules', `${name}.jsonl`);
}
