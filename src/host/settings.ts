import path from 'node:path';
import * as z from 'zod';
import { AGENTS_SETTING } from '../agent/catalog.ts';
import type { CustomAgents } from '../agent/customAgents.ts';
import { LANGUAGE_CHOICES, type LanguageChoice } from '../loop/language.ts';
import { DEFAULTS, type RunOptions } from '../loop/options.ts';
import type { UnsavedPolicy } from '../loop/unsavedFiles.ts';
import { commandProblem } from '../shared/checkWords.ts';
import type { ComposerOptions } from '../shared/messages.ts';
import type { PermissionMode } from '../shared/permission.ts';
import type { Budget } from '../shared/roundEvents.ts';
import { MAX_FILE_BYTES } from '../workspace/diskFiles.ts';
import type { Secrets } from './keys.ts';

/** The values of one setting as VS Code keeps them. */
export interface SettingValues {
  /** The one in force, by VS Code's own order. */
  readonly effective: unknown;
  /** The person's own (user or machine), whatever the workspace says. */
  readonly user: unknown;
}

export interface Settings {
  readonly rounds: number;
  readonly threshold: number;
  readonly turnLimitSeconds: number;
  readonly permissionMode: PermissionMode;
  /** What is done with unsaved files before the agents go on. */
  readonly dirtyFiles: UnsavedPolicy;
  /** Megabytes up to which a file is served to an agent whole. */
  readonly maxFileMegabytes: number;
  readonly executor: string;
  readonly reviewer: string;
  /** Catalog id → model. */
  readonly models: Readonly<Record<string, string>>;
  /** Catalog id → absolute program path. */
  readonly executablePaths: Readonly<Record<string, string>>;
  readonly agents: CustomAgents;
  /** Whether the agents are started when the person begins to write a task, and after how long without a run they end. */
  readonly warmStart: boolean;
  readonly idleStopMinutes: number;
  /** Whether a run writes both wires to its folder. */
  readonly traceWire: boolean;
  /** The checks of a run; null: those that are found in its folder. Each is confirmed before it runs. */
  readonly checks: readonly string[] | null;
  readonly checkTimeoutSeconds: number;
  /** Limits of one run; empty: none. */
  readonly budget: Budget;
  readonly plateauRounds: number;
  /** Of the prompts. */
  readonly language: LanguageChoice;
  /** Whether a run waits for the person after each round. */
  readonly askBetweenRounds: boolean;
  /** Where in the editor the findings of the run shown stand. */
  readonly findingsInEditor: 'both' | 'comments' | 'problems' | 'none';
  /** Days that runs are kept after something was last added to them; 0: for ever. */
  readonly retentionDays: number;
  /** The program that is told of waiting questions and endings, and its arguments. Empty: none. */
  readonly notifyCommand: readonly string[];
}

/** A setting whose value cannot be used; its default is in force. */
export interface SettingProblem {
  readonly setting: string;
  readonly why: string;
}

/** From the strictest to the most permissive. */
const MODES = ['read-only', 'ask', 'edits', 'all'] as const satisfies readonly PermissionMode[];

/** A word that can be a program's argument and never an option of it. */
const model = z.string().regex(/^[A-Za-z0-9][\w.:@/[\]-]*$/, 'is no name of a model');

const check = z.string().refine((command) => commandProblem(command) === null, {
  error: ({ input }) => commandProblem(typeof input === 'string' ? input : '') ?? 'is no command',
});

const SCHEMAS = {
  rounds: z.int().min(1).max(20),
  threshold: z.number().min(1).max(10),
  turnLimitSeconds: z.int().min(10).max(86_400),
  permissionMode: z.enum(MODES),
  dirtyFiles: z.enum(['ask', 'save', 'ignore']),
  maxFileMegabytes: z.int().min(1).max(64),
  executor: z.string().min(1),
  reviewer: z.string().min(1),
  models: z.record(z.string(), model),
  executablePaths: z.record(z.string(), z.string().min(1)),
  agents: AGENTS_SETTING,
  warmStart: z.boolean(),
  idleStopMinutes: z.number().min(1).max(1_440),
  traceWire: z.boolean(),
  checks: z.array(check).max(20).nullable(),
  budget: z.strictObject({
    tokens: z.exactOptional(z.int().min(1)),
    money: z.exactOptional(z.number().positive()),
    minutes: z.exactOptional(z.number().positive()),
  }),
  plateauRounds: z.int().min(0).max(20),
  language: z.enum(LANGUAGE_CHOICES),
  askBetweenRounds: z.boolean(),
  checkTimeoutSeconds: z.int().min(1).max(86_400),
  findingsInEditor: z.enum(['both', 'comments', 'problems', 'none']),
  retentionDays: z.int().min(0).max(3650),
  notifyCommand: z
    .array(z.string().max(10_000))
    .max(100)
    .refine(isCommand, 'names no program: a name that is on the PATH, or an absolute path'),
};

/** A relative path would name another program in every folder. */
function isCommand([program]: readonly string[]): boolean {
  return program === undefined || (program !== '' && (path.isAbsolute(program) || !/[\\/]/.test(program)));
}

/**
 * Reads every setting once. Programs are taken from the person's own settings only, never from a workspace's; a
 * workspace may make the permission mode stricter, never more permissive.
 */
export function readSettings(read: (name: string) => SettingValues): {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
} {
  const problems: SettingProblem[] = [];
  const parse = <T>(name: string, schema: z.ZodType<T>, value: unknown, otherwise: T): T => {
    if (value === undefined) return otherwise;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const why = parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
    problems.push({ setting: `cgloop.${name}`, why });
    return otherwise;
  };
  const effective = <T>(name: string, schema: z.ZodType<T>, otherwise: T): T =>
    parse(name, schema, read(name).effective, otherwise);

  const own = parse('permissionMode', SCHEMAS.permissionMode, read('permissionMode').user, DEFAULTS.permissionMode);
  const asked = effective('permissionMode', SCHEMAS.permissionMode, own);
  const settings: Settings = {
    rounds: effective('rounds', SCHEMAS.rounds, DEFAULTS.rounds),
    threshold: effective('threshold', SCHEMAS.threshold, DEFAULTS.threshold),
    turnLimitSeconds: effective('turnLimitSeconds', SCHEMAS.turnLimitSeconds, DEFAULTS.turnLimitSeconds),
    dirtyFiles: effective('dirtyFiles', SCHEMAS.dirtyFiles, 'ask'),
    maxFileMegabytes: effective('maxFileMegabytes', SCHEMAS.maxFileMegabytes, MAX_FILE_BYTES / 1024 / 1024),
    permissionMode: MODES.indexOf(asked) < MODES.indexOf(own) ? asked : own,
    executor: effective('executor', SCHEMAS.executor, DEFAULTS.executor),
    reviewer: effective('reviewer', SCHEMAS.reviewer, DEFAULTS.reviewer),
    models: effective('models', SCHEMAS.models, {}),
    executablePaths: parse('executablePaths', SCHEMAS.executablePaths, read('executablePaths').user, {}),
    agents: parse('agents', SCHEMAS.agents, read('agents').user, {}),
    warmStart: effective('warmStart', SCHEMAS.warmStart, true),
    idleStopMinutes: effective('idleStopMinutes', SCHEMAS.idleStopMinutes, 10),
    traceWire: effective('traceWire', SCHEMAS.traceWire, false),
    checks: effective('checks', SCHEMAS.checks, null),
    checkTimeoutSeconds: effective('checkTimeoutSeconds', SCHEMAS.checkTimeoutSeconds, DEFAULTS.checkTimeoutSeconds),
    budget: effective<Budget>('budget', SCHEMAS.budget, {}),
    plateauRounds: effective('plateauRounds', SCHEMAS.plateauRounds, DEFAULTS.plateauRounds),
    language: effective('language', SCHEMAS.language, DEFAULTS.language),
    askBetweenRounds: effective('askBetweenRounds', SCHEMAS.askBetweenRounds, false),
    findingsInEditor: effective('findingsInEditor', SCHEMAS.findingsInEditor, 'both'),
    retentionDays: effective('retentionDays', SCHEMAS.retentionDays, DEFAULTS.retentionDays),
    notifyCommand: parse('notifyCommand', SCHEMAS.notifyCommand, read('notifyCommand').user, []),
  };
  const told = new Map(problems.map((problem) => [problem.setting, problem]));
  return { settings, problems: [...told.values()] };
}

/** What the composer starts from. */
export function composerDefaults({ rounds, executor, reviewer, models, permissionMode }: Settings): ComposerOptions {
  return { rounds, executor, reviewer, models, permissionMode, folder: null, checks: null, newWorktree: false };
}

/** A name that is none is not taken: it would stand on a command line. */
function modelOf(agent: string, { models }: ComposerOptions): string | null {
  const chosen = Object.hasOwn(models, agent) ? models[agent] : undefined;
  return chosen !== undefined && model.safeParse(chosen).success ? chosen : null;
}

/** What was chosen, else what is set; with neither, the run looks for itself. */
function checksOf({ checks: chosen }: ComposerOptions, { checks: set }: Settings): Pick<RunOptions, 'checks'> {
  if (chosen !== null) return { checks: chosen };
  return set === null ? {} : { checks: set.map((command) => ({ command, source: 'settings' })) };
}

/** One run as the composer and the settings ask for it, in a folder that VS Code trusts. */
export function runOptions(asked: {
  readonly task: string;
  readonly folder: string;
  readonly chosen: ComposerOptions;
  readonly settings: Settings;
  readonly stateFolder: string;
  readonly secrets: Secrets;
}): RunOptions {
  const { task, folder, chosen, settings, stateFolder, secrets } = asked;
  return {
    task,
    folder,
    rounds: chosen.rounds,
    executor: chosen.executor,
    reviewer: chosen.reviewer,
    permissionMode: chosen.permissionMode,
    executorModel: modelOf(chosen.executor, chosen),
    reviewerModel: modelOf(chosen.reviewer, chosen),
    threshold: settings.threshold,
    turnLimitSeconds: settings.turnLimitSeconds,
    budget: settings.budget,
    plateauRounds: settings.plateauRounds,
    language: settings.language,
    askBetweenRounds: settings.askBetweenRounds,
    ...checksOf(chosen, settings),
    checkTimeoutSeconds: settings.checkTimeoutSeconds,
    newWorktree: chosen.newWorktree,
    trusted: true,
    interactive: true,
    face: 'editor',
    stateFolder,
    executablePaths: settings.executablePaths,
    agents: settings.agents,
    secrets,
    retentionDays: settings.retentionDays,
    trace: settings.traceWire,
  };
}
