import { call, type Step, type Story, say, story } from '../fakes/models/story.ts';
import type { Project } from './harness/project.ts';

/** Every character of it must reach both models each round. */
export const TASK =
  'Make the failing test pass.\n\n"add" stays a pure function; don\'t touch the test (测试不变, 100 % <as it is>).';

/** Round 1 makes the test pass in an odd way, round 2 as the review wants it. */
export const FIXED_ODDLY = 'export function add(a, b) {\n  return a - -b;\n}\n';
export const FIXED_WELL = '/** The sum of two numbers. */\nexport function add(a, b) {\n  return a + b;\n}\n';
export const SAID = { round1: 'The test passes: add negates b twice.', round2: 'add adds now, and says what it does.' };

/** One edit of add.js by Claude. */
export function edit(project: Project, before: string, after: string): Step {
  return call('Edit', { file_path: project.file('add.js'), old_string: before, new_string: after });
}

/** Claude, as the executor of one round. */
export function executorRound1(project: Project): Story {
  return story('the executor fixes the test')
    .next(say('I look at it first.'), call('Read', { file_path: project.file('add.js') }))
    .next(edit(project, 'a - b', 'a - -b'))
    .next(say(SAID.round1));
}

/** Claude, as the executor of two rounds. */
export function executorRounds(project: Project): Story {
  const whole = (text: string) => text.trimEnd();
  return executorRound1(project)
    .next(edit(project, whole(FIXED_ODDLY), whole(FIXED_WELL)))
    .next(say(SAID.round2));
}

interface Verdict {
  readonly score: number;
  readonly findings?: readonly object[];
  readonly previous?: readonly { readonly id: string; readonly status: 'fixed' | 'open' | 'withdrawn' }[];
}

/** What a reviewer writes: some words, the verdict, and the last line when it approves. */
export function verdict(given: Verdict): string {
  const json = verdictJson(given);
  const { approved } = json;
  return `I have read the change.\n\n\`\`\`json\n${JSON.stringify(json, null, 2)}\n\`\`\`\n${approved ? '\nAPPROVED\n' : ''}`;
}

/** What Claude Code writes as a reviewer: some words, and the verdict through its tool. */
export function judge(given: Verdict): readonly Step[] {
  return [say('I have read the change.'), call('StructuredOutput', verdictJson(given))];
}

function verdictJson({ score, findings = [], previous = [] }: Verdict) {
  return { score, approved: score >= 9, summary: `Worth ${score}.`, findings, previous, suggestions: [] };
}

/** The review of `executorRound1`: 6 of 10, two findings. */
export const SIX = verdict({
  score: 6,
  findings: [
    {
      severity: 'major',
      file: 'add.js',
      line: 2,
      title: 'The addition hides behind a double negation',
      detail: 'Nobody reads a - -b as a sum.',
      suggestion: 'Write a + b.',
    },
    { severity: 'minor', file: 'add.js', line: 1, title: 'No doc comment', detail: 'The export says nothing.' },
  ],
});

/** The review of the second round: both findings are fixed. */
export const NINE = verdict({
  score: 9,
  previous: [
    { id: 'F1', status: 'fixed' },
    { id: 'F2', status: 'fixed' },
  ],
});
