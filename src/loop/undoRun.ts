import fs from 'node:fs';
import path from 'node:path';
import { errorText } from '../shared/errors.ts';
import type { CheckpointRef } from '../shared/fileEvents.ts';
import type { UndoScope } from '../shared/roundEvents.ts';
import { english, type Translate } from '../shared/translate.ts';
import type { ConflictWay, UndoOutcome } from '../shared/undo.ts';
import { type Checkpoints, openCheckpoints } from '../workspace/checkpoint.ts';
import type { PutBack, PutBackEffect, TreeRef } from '../workspace/putBack.ts';
import { diskPaths } from '../workspace/turnTruth.ts';
import { type EndedRun, openEndedRun, untold } from './endedRun.ts';
import { fixedAgain, reopened } from './undoFindings.ts';
import { planUndo, type UndoPlan } from './undoPlan.ts';

export interface UndoOptions {
  /** Id of the run, or a part that only it has. */
  readonly run: string;
  readonly stateFolder: string;
  /** Absent: the whole run. */
  readonly scope?: UndoScope;
  /** Only these, absolute or relative to the run's folder; one of a folder means all that is in it. Absent: all. */
  readonly files?: readonly string[];
  /** Absent: `leave`. */
  readonly conflicts?: ConflictWay;
  /** Says what is in the way. Absent: in English. */
  readonly t?: Translate;
}

export type UndoResult =
  | (UndoOutcome & {
      readonly type: 'undone';
      readonly runId: string;
      readonly folder: string;
      /** What was asked for, relative; absent: all. */
      readonly only?: readonly string[];
      /** The folder as it was before the undoing. */
      readonly replaced: CheckpointRef;
      /** Ids of findings that are open again, or of a redo fixed again. */
      readonly findings: readonly string[];
    })
  | UndoProblem;

export type UndoPreview =
  | (UndoOutcome & {
      readonly type: 'preview';
      readonly runId: string;
      readonly folder: string;
      readonly only?: readonly string[];
    })
  | UndoProblem;

/** What is in the way and the way out. Nothing was changed. */
export interface UndoProblem {
  readonly type: 'problem';
  readonly message: string;
}

/**
 * Takes back what a run did, or a part of it; a redo takes the last undoing back. What came later stays, put together three-way,
 * and so does what the person alone changed meanwhile. What is replaced is saved first, and the run's log tells of it.
 */
export async function undoRun(options: UndoOptions): Promise<UndoResult> {
  return inRun(options, async ({ run, checkpoints, plan, asked, outcome }) => {
    const { replaced, restored, ...effect } = await checkpoints.putBack(asked);
    const told = outcome(effect, checkpoints.nested);
    const conflicts = told.conflicts.map(({ path }) => path);
    const only = asked.only === undefined ? {} : { only: asked.only };
    const { scope, rounds, redoes } = plan;
    // Of single files nobody can say what they have to do with a finding.
    const asBefore = options.files === undefined ? reopened(run.events, rounds) : [];
    const findings = redoes === null ? asBefore : fixedAgain(run.events, redoes);
    const didNothing = told.files.length === 0 && told.ignored.length === 0 && conflicts.length > 0;
    const result = { ...told, ...only, type: 'undone', runId: run.id, folder: run.folder, replaced } as const;
    if (didNothing) return { ...result, findings: [] };
    await run.append({ type: 'run.undone', restored, replaced, scope, ...only, files: told.files, conflicts });
    for (const finding of findings) await run.append(finding);
    return { ...result, findings: findings.map(({ id }) => id) };
  });
}

/** What `undoRun` would do with the folder as it is now. Nothing of it is changed. */
export async function previewUndo(options: UndoOptions): Promise<UndoPreview> {
  return inRun(options, async ({ run, checkpoints, asked, outcome }) => {
    const effect = await checkpoints.previewPutBack(asked);
    const only = asked.only === undefined ? {} : { only: asked.only };
    const told = outcome(effect, checkpoints.nested);
    return { ...told, ...only, type: 'preview', runId: run.id, folder: run.folder };
  });
}

interface Opened {
  readonly run: EndedRun;
  readonly checkpoints: Checkpoints;
  readonly plan: UndoPlan;
  readonly asked: PutBack;
  readonly outcome: (effect: PutBackEffect, nested: readonly string[]) => UndoOutcome;
}

async function inRun<T>(options: UndoOptions, work: (opened: Opened) => Promise<T>): Promise<T | UndoProblem> {
  const { stateFolder, scope = { type: 'run' }, files, conflicts, t = english } = options;
  const opened = await openEndedRun({ run: options.run, stateFolder, folder: 'lock', t });
  if (opened.type === 'problem') return opened;
  const { run } = opened;
  const { folder } = run;
  let checkpoints: Checkpoints | null = null;
  try {
    const outside = files?.find((file) => isOutside(inFolder(folder, file)));
    if (outside !== undefined) return { type: 'problem', message: t('"{0}" is no file in {1}.', outside, folder) };
    const only = files === undefined ? null : files.map((file) => inFolder(folder, file));
    const lost = untold(run, t);
    if (lost !== null) return { type: 'problem', message: lost };
    const planned = planUndo(run.events, scope, diskPaths(folder), t);
    if (planned.type === 'problem') return planned;
    const plan = fs.readdirSync(folder).length === 0 ? inEmpty(planned.plan) : planned.plan;
    checkpoints = await openCheckpoints({ folder, stateFolder, runId: run.id });
    const part = await withPersonsPart(checkpoints, plan);
    const asked: PutBack = {
      from: plan.from,
      to: part.to,
      label: plan.label,
      keep: plan.persons.alone,
      ignored: { from: plan.from?.id ?? null, to: plan.to.id },
      ...(only === null ? {} : { only }),
      ...(conflicts === undefined ? {} : { conflicts }),
    };
    const unknown = only === null ? [] : unknownOf(only, folder, await checkpoints.previewPutBack(asked));
    if (unknown.length > 0) {
      const message = t(
        'Neither the folder {0} nor what would be put back holds {1}. Nothing was changed; a preview lists the files.',
        folder,
        unknown.map((file) => `"${file}"`).join(', '),
      );
      return { type: 'problem', message };
    }
    const outcome: Opened['outcome'] = (effect, nested) => outcomeOf(plan, part.kept, effect, nested);
    return await work({ run, checkpoints, plan, asked, outcome });
  } catch (error) {
    return { type: 'problem', message: errorText(error, t) };
  } finally {
    await checkpoints?.close();
    await run.close();
  }
}

/**
 * What is put back, with what the person did between the rounds in files that the agent changed too: `kept`. A file where
 * the two cannot be told apart is put back whole.
 */
async function withPersonsPart(
  checkpoints: Checkpoints,
  { from, to, persons, spans }: UndoPlan,
): Promise<{ readonly to: TreeRef; readonly kept: readonly string[] }> {
  const whole = { to, kept: [] };
  if (persons.withAgent.length === 0 || spans.length === 0) return whole;
  const end: TreeRef = from ?? { tree: await checkpoints.treeNow() };
  let paths: readonly string[] = persons.withAgent;
  let tree: TreeRef = end;
  for (const { before, after } of spans) {
    const merged = await checkpoints.merge(after ?? end, tree, before, paths);
    tree = merged;
    paths = paths.filter((file) => !merged.conflicts.includes(file));
  }
  if (paths.length === 0) return whole;
  const partly = await checkpoints.merge(to, to, tree, paths);
  return { to: partly, kept: (await checkpoints.changes(to, partly)).files.map((file) => file.path) };
}

/** In an empty folder, as one that was deleted and made again, nothing came later that could stay: all is put back. */
function inEmpty(plan: UndoPlan): UndoPlan {
  if (plan.scope.type === 'round' || plan.scope.type === 'redo') return plan;
  return { ...plan, from: null, persons: { alone: [], withAgent: [] }, spans: [] };
}

/** The paths that stand for no file: there is none now, and none that the undoing has to do with. */
function unknownOf(only: readonly string[], folder: string, effect: PutBackEffect): readonly string[] {
  const { files, kept, merged, conflicts, ignored } = effect;
  const touched = [...files, ...conflicts].map((one) => one.path).concat(kept, merged, ignored);
  const isThere = (file: string) => fs.lstatSync(path.join(folder, file), { throwIfNoEntry: false }) !== undefined;
  return only.filter((file) => !isThere(file) && !touched.some((one) => one === file || one.startsWith(`${file}/`)));
}

function isOutside(relative: string): boolean {
  return /^(|\.\.(\/.*)?)$/.test(relative) || path.isAbsolute(relative);
}

/** Relative to the folder, with `/`. */
function inFolder(folder: string, file: string): string {
  return path.relative(folder, path.resolve(folder, file)).split(path.sep).join('/');
}

function outcomeOf(
  { scope, persons, beyond }: UndoPlan,
  partly: readonly string[],
  effect: PutBackEffect,
  nested: readonly string[],
): UndoOutcome {
  const changed = new Set(effect.files.map((file) => file.path));
  const both = persons.withAgent.filter((file) => changed.has(file));
  const mixed = both.filter((file) => !partly.includes(file));
  const merged = [...new Set([...effect.merged, ...both.filter((file) => partly.includes(file))])];
  return { scope, ...effect, merged, mixed, beyond: { ...beyond, ...(nested.length === 0 ? {} : { nested }) } };
}
