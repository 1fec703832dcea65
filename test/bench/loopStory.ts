import assert from 'node:assert/strict';
import { FAILING_TEST, type Project } from '../e2e/harness/project.ts';
import { verdict } from '../e2e/loopStories.ts';
import { makeWorld, type World } from '../e2e/loopWorld.ts';
import { call, type Story, say, story } from '../fakes/models/story.ts';

/** What both ways of running the loop are asked to do. */
export const TASK = 'Write a short manual for this project, one chapter after the other.';

/** The chapter that a round writes. */
export function chapter(round: number): string {
  return `chapter-${round}.md`;
}

/**
 * Each round writes one file and says so. Nothing more: what the CLIs take for further tool calls is theirs, the same
 * in both ways, and would only hide the difference between them.
 */
export function executorOf(project: Project, rounds: number): Story {
  let told = story(`the executor of ${rounds} rounds`);
  for (let round = 1; round <= rounds; round++) {
    told = told
      .next(call('Write', { file_path: project.file(chapter(round)), content: `# Chapter ${round}\n` }))
      .next(say(`Chapter ${round} is written.`));
  }
  return told;
}

/** Each review gives a score, the last one 9. */
export function reviewerOf(rounds: number): Story {
  let told = story(`the reviewer of ${rounds} rounds`);
  for (let round = 1; round <= rounds; round++) {
    told = told.next(say(verdict({ score: round === rounds ? 9 : 5 + round / 2 })));
  }
  return told;
}

/** Hands over a world whose models tell the story of so many rounds, and makes sure that it was told to its end. */
export async function inWorld<T>(rounds: number, use: (world: World) => Promise<T>): Promise<T> {
  const world = await makeWorld({
    files: FAILING_TEST,
    git: true,
    claude: (project) => executorOf(project, rounds),
    gemini: () => reviewerOf(rounds),
  });
  try {
    const told = await use(world);
    if (rounds > 0) assert.equal(await world.project.read(chapter(rounds)), `# Chapter ${rounds}\n`);
    assert.deepEqual([...world.anthropic.unplayed(), ...world.gemini.unplayed()], []);
    return told;
  } finally {
    await world.dispose();
  }
}
