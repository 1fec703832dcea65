import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Agent, TurnResult } from '../../src/agent/agent.ts';
import { createBudgetGate } from '../../src/loop/budget.ts';
import { createCheckConsent } from '../../src/loop/confirmChecks.ts';
import { decideFinding, ledgerOf } from '../../src/loop/findings.ts';
import { createHeadWatch } from '../../src/loop/headWatch.ts';
import { promptWords } from '../../src/loop/language.ts';
import { runLoop } from '../../src/loop/loop.ts';
import { loopDiagnostic } from '../../src/loop/loopDiagnostic.ts';
import type { Reviewing } from '../../src/loop/loopParts.ts';
import { DEFAULTS, type RunOptions } from '../../src/loop/options.ts';
import { createPauseGate } from '../../src/loop/pauseGate.ts';
import { createCheckRunner } from '../../src/loop/runChecks.ts';
import { createTurnRunner } from '../../src/loop/runTurn.ts';
import type { Clock } from '../../src/loop/turnLimit.ts';
import { createWithheldGate } from '../../src/loop/withheldGate.ts';
import { createPermissionBroker } from '../../src/scheduler/permissionBroker.ts';
import { createEventLog, type EventLog } from '../../src/session/eventLog.ts';
import type { Role } from '../../src/shared/agentEvents.ts';
import type { Ending } from '../../src/shared/ending.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { CheckRequest, FindingDecision } from '../../src/shared/roundEvents.ts';
import { english, type Translate } from '../../src/shared/translate.ts';
import type { Json } from '../../src/shared/wire.ts';
import { spawnChild } from '../../src/transport/childProcess.ts';
import { openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { createTerminalService } from '../../src/workspace/terminals.ts';
import { diskPaths } from '../../src/workspace/turnTruth.ts';
import { REVIEWING } from './reviewing.ts';

/** What a scripted turn may do besides answering. */
export interface Hand {
  readonly folder: string;
  readonly log: EventLog;
  write(file: string, text: string): Promise<void>;
  decide(id: string, decision: FindingDecision): void;
  /** The reviewer's tool says that it changed this file. */
  claims(file: string): void;
  /** The reviewer's tool gave this text. */
  reads(text: string): void;
}

/** A text, or a verdict through the tool. */
export type Said = string | { readonly structured: Json };
export type Turn = (hand: Hand, prompt: string) => Said | Promise<Said>;

export interface WorldOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly execute: readonly Turn[];
  readonly review: readonly Turn[];
  readonly options?: Partial<RunOptions>;
  readonly reviewing?: Partial<Reviewing>;
  readonly secrets?: readonly string[];
  /** The folder is a repository with one commit. */
  readonly git?: boolean;
  /** The person's answer to the question about what is kept out; null: nobody is there. */
  readonly answer?: string | null;
  /** Absent: English. */
  readonly t?: Translate;
  /** What runs between work and review, with nobody there to confirm it. */
  readonly checks?: readonly CheckRequest[];
  /** Absent: no time passes. */
  readonly clock?: Clock;
}

export interface Played {
  readonly ending: Ending;
  readonly events: readonly LoopEvent[];
  readonly prompts: Readonly<Record<Role, readonly string[]>>;
  readonly folder: string;
}

/** A reviewer's answer whose last block is the verdict. */
export function fenced(verdict: object): string {
  return `Read.\n\n\`\`\`json\n${JSON.stringify({ summary: 's', previous: [], findings: [], ...verdict })}\n\`\`\`\n`;
}

/** Runs git commands one after the other, without the contributor's settings. */
export function gitIn(cwd: string, ...commands: readonly (readonly string[])[]): string {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  return commands
    .map((args) => execFileSync('git', args, { cwd, env, encoding: 'utf8' }))
    .join('')
    .trim();
}

/** Commits what is staged, or nothing. */
export function commitAs(subject: string): readonly string[] {
  return ['-c', 'user.name=U', '-c', 'user.email=u@example.org', 'commit', '--quiet', '--allow-empty', '-m', subject];
}

/** Runs the loop on scripted agents in a real folder with real checkpoints, which is gone afterwards. */
export async function playWorld(given: WorldOptions): Promise<Played> {
  const { t = english } = given;
  const ground = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'cgloop-world-')));
  const folder = path.join(ground, 'project');
  await fs.mkdir(folder);
  const write = async (file: string, text: string) => {
    await fs.mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await fs.writeFile(path.join(folder, file), text);
  };
  for (const [file, text] of Object.entries(given.files ?? {})) await write(file, text);
  if (given.git === true)
    gitIn(folder, ['init', '--quiet'], ['config', 'gc.auto', '0'], ['add', '-A'], commitAs('First'));
  const checkpoints = await openCheckpoints({ folder, stateFolder: path.join(ground, 'state'), runId: 'run-1' });
  const log = createEventLog({ now: () => 0 });
  const stopped = new AbortController().signal;
  const prompts: Record<Role, string[]> = { execute: [], review: [] };
  const toolCall = (toolCallId: string, patch: object) =>
    log.append({
      type: 'toolCall.started',
      turn: turns.turnOf('review'),
      role: 'review',
      wire: {},
      derived: { toolCallId, title: 't', state: 'success', ...patch },
    });
  const hand: Hand = {
    folder,
    log,
    write,
    decide(id, decision) {
      const event = decideFinding(ledgerOf(log.events), id, decision);
      assert.ok(event, `nothing to decide of ${id}`);
      log.append(event);
    },
    claims: (file) => void toolCall('edit', { kind: 'edit', locations: [{ path: path.join(folder, file) }] }),
    reads: (text) => void toolCall('read', { kind: 'read', content: [{ type: 'text', text }] }),
  };
  const agent = (role: Role): Agent => ({
    ready: async () => ({ ref: { id: role, name: role, protocol: 'acp', version: '1' }, sessionId: 's', model: null }),
    async prompt(prompt): Promise<TurnResult> {
      const turn = given[role][prompts[role].push(prompt) - 1];
      assert.ok(turn, `an unexpected turn of ${role}`);
      const said = await turn(hand, prompt);
      const told = typeof said === 'string' ? { texts: [said] } : { texts: [], structured: said.structured };
      return { wire: {}, outcome: { type: 'completed' }, usage: null, models: [], denials: [], ...told };
    },
    dispose: async () => {},
  });
  const broker = createPermissionBroker({
    append: (body) => log.append(body),
    decide: (_role, request) => {
      const optionId = given.answer ?? request.options.find(({ kind }) => kind === 'reject_once')?.optionId ?? '';
      return { type: 'answer', answer: { outcome: 'selected', optionId }, why: 'the test says so' };
    },
    turnOf: (role) => turns.turnOf(role),
    onWaiting: () => undefined,
  });
  const turns = createTurnRunner({
    t,
    log,
    broker,
    scheduler: { cancel: () => undefined },
    agents: { execute: agent('execute'), review: agent('review') },
    clock: given.clock ?? { now: () => 0, after: () => () => undefined },
    limitSeconds: 1,
    stopped,
  });
  const words = promptWords('en');
  const options: RunOptions = {
    ...DEFAULTS,
    task: 'Do it.',
    folder,
    executorModel: null,
    reviewerModel: null,
    trusted: true,
    interactive: true,
    stateFolder: ground,
    executablePaths: {},
    plateauRounds: 0,
    ...given.options,
  };
  const ref = (role: Role) => ({ id: role, name: role, protocol: 'acp', version: '1' }) as const;
  const { task, rounds, threshold, turnLimitSeconds, permissionMode, trusted } = options;
  const asked = { task, folder, rounds, threshold, turnLimitSeconds, permissionMode, trusted };
  const run = { id: 'run-1', ...asked, executor: ref('execute'), reviewer: ref('review') };
  log.append({ type: 'run.started', run });
  const pause = createPauseGate({
    append: (body) => log.append(body),
    interactive: true,
    askBetweenRounds: options.askBetweenRounds ?? false,
    stopped,
  });
  let checkCount = 0;
  const runnerOf = (checks: readonly CheckRequest[]) =>
    createCheckRunner({
      checks,
      folder,
      limitSeconds: 600,
      consent: createCheckConsent({
        folder,
        stateFolder: path.join(ground, 'state'),
        interactive: false,
        ask: async () => null,
        t,
        warn: (text) => log.append(loopDiagnostic('warning', text)),
      }),
      terminals: createTerminalService({ spawn: spawnChild, env: process.env }),
      textOf: (of, file) => checkpoints.textOf(of, file),
      append: (body) => void log.append(body),
      after: () => () => undefined,
      nextId: () => `check-${++checkCount}`,
      stopped,
      platform: process.platform,
      env: process.env,
      t,
    });
  // The person goes on at once, in their own time.
  log.subscribe((event) => {
    if (event.type === 'run.paused') setImmediate(() => pause.proceed(null));
  });
  try {
    const ending = await runLoop(
      {
        t,
        log,
        turns,
        stopped,
        unsaved: null,
        checks: given.checks === undefined ? null : runnerOf(given.checks),
        reviewed: null,
        paths: diskPaths(folder),
        marker: () => 'm4rk3r',
        revive: async () => false,
        checkpoints,
        pause,
        head: createHeadWatch({ checkpoints, append: (body) => log.append(body), pause, past: [], t }),
        budget: createBudgetGate({ log, ask: async () => null, t }),
        reviewing: {
          ...REVIEWING,
          withheld: createWithheldGate({
            secrets: given.secrets ?? [],
            reviewer: REVIEWING.name,
            marks: { file: words.review.withheldFile, line: words.review.withheldLine },
            permissions: broker.port('execute'),
            t,
            stopped,
          }),
          ...given.reviewing,
        },
      },
      options,
    );
    return { ending, events: log.events, prompts, folder };
  } finally {
    await checkpoints.close();
    await fs.rm(ground, { recursive: true, force: true, maxRetries: 3 });
  }
}
