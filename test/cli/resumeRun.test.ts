import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { resumeOptions } from '../../src/cli/resumeRun.ts';
import { headerOf } from '../../src/loop/headerOf.ts';
import { DEFAULTS, type RunOptions } from '../../src/loop/options.ts';
import { openLogFile } from '../../src/session/logFile.ts';
import { runDirectory } from '../../src/session/runs.ts';
import type { AgentRef } from '../../src/shared/agentEvents.ts';
import { HEADER, stamp } from '../fakes/events.ts';

describe('a run that goes on in a terminal', () => {
  let stateFolder = '';
  beforeEach(() => {
    stateFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-resume-'));
  });
  afterEach(() => fs.rmSync(stateFolder, { recursive: true }));

  const begun = async (asked: Partial<RunOptions>): Promise<void> => {
    const options: RunOptions = {
      ...DEFAULTS,
      task: HEADER.task,
      folder: HEADER.folder,
      executor: HEADER.executor.id,
      reviewer: HEADER.reviewer.id,
      executorModel: null,
      reviewerModel: null,
      trusted: false,
      interactive: false,
      stateFolder,
      executablePaths: {},
      ...asked,
    };
    const launch = (ref: AgentRef) => ({ ref, command: 'x', args: [], env: {} });
    const launches = { execute: launch(HEADER.executor), review: launch(HEADER.reviewer) };
    const run = headerOf('run-1', options, launches, { attached: [], worktree: null });
    const directory = runDirectory(stateFolder, 'run-1');
    const log = await openLogFile({ directory, product: { name: 'cgloop', version: '0' }, onProblem: assert.fail });
    for (const event of stamp([{ type: 'run.started', run }])) log.append(event);
    await log.close();
  };
  const resumed = async (given: Parameters<typeof resumeOptions>[0]['given'] = {}) => {
    const result = await resumeOptions({ run: 'run-1', given }, stateFolder);
    return result.type === 'ready' ? result.options : assert.fail(result.message);
  };

  it('has the models and choices that it was begun with, but for what is named now', async () => {
    await begun({
      executorModel: 'm1',
      reviewerModel: 'm2',
      plateauRounds: 5,
      language: 'zh-cn',
      askBetweenRounds: true,
    });
    const choices = ({
      executorModel,
      reviewerModel,
      plateauRounds,
      language,
      askBetweenRounds,
    }: Partial<RunOptions>) => [executorModel, reviewerModel, plateauRounds, language, askBetweenRounds];
    assert.deepEqual(choices(await resumed()), ['m1', 'm2', 5, 'zh-cn', true]);
    assert.deepEqual(
      choices(await resumed({ executorModel: 'm3', plateauRounds: 0, language: 'en', askBetweenRounds: false })),
      ['m3', 'm2', 0, 'en', false],
    );
    assert.deepEqual(choices(await resumed({ reviewer: 'another' })).slice(0, 2), ['m1', null]);
    assert.deepEqual(choices(await resumed({ reviewer: 'another', reviewerModel: 'm4' })).slice(0, 2), ['m1', 'm4']);
  });

  it('has the usual ones where nothing was chosen', async () => {
    await begun({});
    const { executorModel, reviewerModel, ...options } = await resumed();
    assert.deepEqual([executorModel, reviewerModel], [null, null]);
    for (const name of ['plateauRounds', 'language', 'askBetweenRounds']) assert.ok(!(name in options), name);
  });
});
