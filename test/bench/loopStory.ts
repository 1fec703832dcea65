import type { Project } from '../e2e/harness/project.ts';
import { verdict } from '../e2e/loopStories.ts';
import { call, type Story, say, story } from '../fakes/models/story.ts';

/** What both ways of running the loop are asked to do. */
export const TASK = 'Make the failing test of this project pass.';

const sum = (round: number, rounds: number) =>
  round === 0 ? 'a - b' : round === rounds ? 'a + b' : `a - -b + ${round} - ${round}`;

/** Each round reads the file, changes one line and says so. */
export function executorOf(project: Project, rounds: number): Story {
  const file = project.file('add.js');
  let told = story(`the executor of ${rounds} rounds`);
  for (let round = 1; round <= rounds; round++) {
    told = told
      .next(call('Read', { file_path: file }))
      .next(call('Edit', { file_path: file, old_string: sum(round - 1, rounds), new_string: sum(round, rounds) }))
      .next(say(`Round ${round}: add gives the sum now.`));
  }
  return told;
}

/** Each review reads the file and gives a score, the last one 9. */
export function reviewerOf(project: Project, rounds: number): Story {
  let told = story(`the reviewer of ${rounds} rounds`);
  for (let round = 1; round <= rounds; round++) {
    const score = round === rounds ? 9 : 5 + round / 2;
    told = told
      .when({ afterTool: false })
      .reply(call('read_file', { file_path: project.file('add.js') }))
      .when({ afterTool: true })
      .reply(say(verdict({ score })));
  }
  return told;
}
