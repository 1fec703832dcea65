/**
 * How many characters of each part a prompt may hold; what is longer is cut, with a mark. The task, the review, the
 * contract and how the checks ended are never cut.
 */
export const PROMPT_LIMITS = {
  previousOutput: 30_000,
  runPatch: 120_000,
  roundPatch: 60_000,
  texts: 40_000,
  denials: 4_000,
  truth: 8_000,
  /** Of the end of one check's output. */
  checkTail: 8_000,
  checkChanges: 12_000,
  /** Of a list of findings; beyond it a finding is one line, and beyond half as much again it is counted. */
  findings: 60_000,
  /** Of one finding's detail. */
  findingDetail: 2_000,
  /** Number of files, of names in a list, and of commits. */
  files: 300,
  names: 100,
  commits: 50,
} as const;
