import { exampleOf, VERDICT_WORDS, verdictSchema } from '../agent/verdictSchema.ts';
import type { CheckEnd } from '../shared/roundEvents.ts';

/** Languages that the prompts are written in. */
export type PromptLanguage = 'en' | 'zh-cn';

/** How the reviewer gives its verdict: as the last fenced block of its answer, or through a tool that takes nothing else. */
export type VerdictForm = 'fenced' | 'structured';

/** Every word of the prompts in one language, so that another language is another object of this shape. */
export interface PromptWords {
  readonly leftOut: (characters: number, of: number) => string;
  readonly moreFiles: (count: number) => string;
  readonly moreFindings: (count: number) => string;
  readonly task: string;
  /** What stands before the words in a list of findings. */
  readonly finding: {
    readonly regressed: string;
    readonly late: string;
    readonly disputed: string;
    readonly dismissed: string;
  };
  readonly check: {
    readonly ended: (end: CheckEnd) => string;
    readonly noOutput: string;
    readonly skipped: string;
    readonly definitionChanged: (command: string, file: string) => string;
    readonly before: string;
    readonly after: string;
    readonly absent: string;
    readonly testsRemoved: string;
  };
  readonly execute: {
    readonly first: (round: number, rounds: number) => string;
    readonly later: (round: number, rounds: number) => string;
    readonly dispute: string;
    readonly review: (score: number | null) => string;
    readonly reviewNote: string;
    readonly openFindings: string;
    readonly chosenFindings: string;
    readonly noOpenFindings: string;
    readonly noChosenFindings: string;
    readonly failedChecks: string;
    readonly undone: string;
    readonly instruction: string;
    readonly previousOutput: string;
    readonly interrupted: string;
  };
  readonly review: {
    readonly role: (round: number, rounds: number) => string;
    readonly copy: string;
    readonly asData: (marker: string) => string;
    readonly taskNote: string;
    readonly attached: string;
    readonly notes: string;
    readonly files: string;
    readonly runPatch: string;
    readonly roundPatch: string;
    readonly samePatch: string;
    readonly emptyPatch: string;
    readonly emptyRound: string;
    readonly shortened: string;
    readonly withheld: string;
    readonly withheldFile: string;
    readonly withheldLine: string;
    readonly texts: string;
    readonly noTexts: string;
    readonly denials: string;
    readonly headMoved: (by: 'agent' | 'user', from: string | null, to: string | null) => string;
    readonly noCommits: string;
    readonly checks: string;
    readonly noChecks: string;
    readonly checkChanges: string;
    readonly byChecks: string;
    readonly truth: string;
    readonly unannounced: (ranCommands: boolean) => string;
    readonly unseen: string;
    readonly outside: string;
    readonly byUser: string;
    readonly byBoth: string;
    readonly openFindings: string;
    readonly fixedFindings: string;
    readonly dismissedFindings: string;
    readonly questions: string;
    readonly contract: (threshold: number, hasPrevious: boolean, form: VerdictForm) => string;
  };
  /** Where changes are reviewed that no execution of the run made. */
  readonly reviewed: {
    readonly role: string;
    readonly roleFixed: (round: number, rounds: number) => string;
    readonly what: string;
    readonly workingTree: string;
    readonly notCheckedOut: string;
    readonly files: string;
    readonly patch: string;
    readonly execute: (round: number, rounds: number) => string;
    readonly reviewNote: string;
  };
  readonly retry: (reason: string, threshold: number, form: VerdictForm) => string;
}

/** The verdict as a fenced block of JSON, its texts saying what they hold. */
export function verdictBlock(words = VERDICT_WORDS): string {
  return `\`\`\`json\n${JSON.stringify(exampleOf(verdictSchema(words)), null, 2)}\n\`\`\``;
}
