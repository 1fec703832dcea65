import assert from 'node:assert/strict';
import { openLogFile } from '../../src/session/logFile.ts';
import { scoresOf } from '../../src/session/runScores.ts';
import { runDirectory } from '../../src/session/runs.ts';
import { TWO_ROUND_RUN } from '../fakes/events.ts';
import { chunk, clear, PRODUCT, STORY, stamped, temporary } from './events.ts';

describe('the scores of a run on disk', () => {
  afterEach(clear);

  const write = async (events: Parameters<typeof stamped>[0]): Promise<string> => {
    const directory = runDirectory(temporary(), '20260101-000000-aaaaaa');
    const log = await openLogFile({ directory, product: PRODUCT, onProblem: (message) => assert.fail(message) });
    for (const event of stamped(events)) log.append(event);
    await log.close();
    return directory;
  };

  it('are those of its reviews in the order of the rounds, wherever they stand in the log', async () => {
    const told = await scoresOf(await write(TWO_ROUND_RUN));
    assert.deepEqual(told, { scores: [6, 9], rounds: 2 });
  });

  it('are found in a log of many reads, beside text that only looks like one', async () => {
    const text = `"review.scored" ${'x'.repeat(40_000)}`;
    const many = Array.from({ length: 60 }, () => chunk(text));
    const directory = await write([...STORY.slice(0, 5), ...many, ...TWO_ROUND_RUN.slice(1)]);
    assert.deepEqual((await scoresOf(directory)).scores, [6, 9]);
  });

  it('are none where nothing was reviewed, and there is none without a log', async () => {
    assert.deepEqual((await scoresOf(await write(STORY.slice(0, 2)))).scores, []);
    await assert.rejects(scoresOf(temporary()), /ENOENT/);
  });
});
