import assert from 'node:assert/strict';
import { afterEach, before } from 'mocha';
import { startAnthropic } from '../fakes/models/anthropic.ts';
import { startGemini } from '../fakes/models/gemini.ts';
import type { Exchange, ModelServer } from '../fakes/models/modelServer.ts';
import { type Story, story } from '../fakes/models/story.ts';
import { type Files, makeProject, type Project } from './harness/project.ts';
import { needRealClis, type RealCli, type RealCliOptions, realCli } from './harness/realCli.ts';
import { type Finished, runCgloop, type Terminal, type TerminalOptions } from './harness/terminal.ts';
import { gitDigest, treeDigest } from './harness/treeDigest.ts';

/** The automatic model of Gemini CLI would ask another model first which one to take. */
export const GEMINI_MODEL = 'gemini-2.5-flash';

/** A project, both CLIs and both models: what one run of the loop needs. */
export interface World {
  readonly project: Project;
  readonly clis: RealCli;
  readonly anthropic: ModelServer;
  readonly gemini: ModelServer;
  /** Starts `cgloop` in the project's folder, with Gemini's model named. */
  cgloop(args: readonly string[], options?: Pick<TerminalOptions, 'tty'>): Terminal;
  /** Undoes the run that `told` of itself on stderr, and asserts that the folder is byte for byte as the world began. */
  undo(told: Finished): Promise<void>;
  /** Asserts that both scripts were played to their end, that nothing else was asked, and that nothing is alive. */
  assertPlayedAndGone(): Promise<void>;
  dispose(): Promise<void>;
}

export interface WorldOptions extends Pick<RealCliOptions, 'without'> {
  readonly files: Files;
  readonly git: boolean;
  /** What each model says; it may speak of the project's files. */
  readonly claude?: (project: Project) => Story;
  readonly gemini?: (project: Project) => Story;
}

/**
 * Inside a `describe`: what makes the world of a test, which is taken down after it. The suite is skipped where nobody wants
 * the real CLIs. `usual`: what the worlds of the suite have in common.
 */
export function useWorlds(
  usual: WorldOptions = { files: {}, git: true },
): (options?: Partial<WorldOptions>) => Promise<World> {
  let world: World | null = null;
  before(function () {
    return needRealClis(this);
  });
  afterEach(async () => {
    await world?.dispose();
    world = null;
  });
  return async (options = {}) => {
    world = await makeWorld({ ...usual, ...options });
    return world;
  };
}

export async function makeWorld({ files, git, claude, gemini: told, without }: WorldOptions): Promise<World> {
  const project = await makeProject(files, { git });
  const silent = story('nothing is asked');
  const anthropic = await startAnthropic(claude?.(project) ?? silent);
  const gemini = await startGemini(told?.(project) ?? silent);
  const urls = { anthropicUrl: anthropic.url, geminiUrl: gemini.url };
  const clis = await realCli(without === undefined ? urls : { ...urls, without });
  const digest = async () => [await treeDigest(project.folder), git ? await gitDigest(project.folder) : {}];
  const before = await digest();
  const run = (args: readonly string[], options: Pick<TerminalOptions, 'tty'> = {}) =>
    runCgloop(args, { cwd: project.folder, env: clis.env, ...options });

  return {
    project,
    clis,
    anthropic,
    gemini,
    cgloop: run,
    async undo(told) {
      const [, id] = / undo (\S+)$/m.exec(told.stderr + told.stdout) ?? [];
      assert.ok(id !== undefined, `no way to undo is told:\n${told.stderr}`);
      const undone = await run(['undo', id]).done;
      assert.equal(undone.code, 0, undone.stderr);
      assert.deepEqual(await digest(), before);
    },
    async assertPlayedAndGone() {
      for (const server of [anthropic, gemini]) {
        assert.deepEqual(server.beyondScript().map(summary), [], 'requests beyond the script');
        assert.deepEqual(server.unplayed(), [], 'scenes that were not played');
      }
      await clis.assertNothingAlive();
    },
    async dispose() {
      await clis.dispose();
      for (const server of [anthropic, gemini]) await server.close();
      await project.dispose();
    },
  };
}

/** The prompts that opened a turn, in order: what the model answers to its own tool results is left out. */
export function prompts(server: ModelServer): string[] {
  return server.exchanges
    .filter(({ request }) => request.toolResults.length === 0)
    .map(({ request }) => request.prompt);
}

/**
 * Presses a key, as often as it takes until the pattern is seen: a question takes no key in its first moments, so that
 * nothing typed ahead answers it.
 */
export async function pressUntil(terminal: Terminal, key: string, pattern: RegExp): Promise<void> {
  const press = setInterval(() => terminal.type(key), 100);
  await terminal.saw(pattern).finally(() => clearInterval(press));
}

const summary = ({ request }: Exchange) => `${request.kind} ${request.model}: ${request.prompt.slice(0, 200)}`;
