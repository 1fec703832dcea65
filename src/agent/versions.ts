/** What is known of the versions of one agent's program. A range begins with `from` (the first version when absent) and ends before `fixedIn`. */
export interface KnownVersions {
  /** Older ones lack something that is needed: `minimumWhy`. */
  readonly minimum: string;
  readonly minimumWhy: string;
  /** The version that our tests run. */
  readonly tested: string;
  readonly bad: readonly { readonly from?: string; readonly fixedIn: string; readonly why: string }[];
}

/** Claude Code's changelog (github.com/anthropics/claude-code, CHANGELOG.md) names each of these. */
const CLAUDE: KnownVersions = {
  minimum: '2.1.41',
  minimumWhy: '"claude auth status" came with it',
  tested: '2.1.197',
  bad: [
    { fixedIn: '2.1.162', why: 'a stop at the very start of a turn is lost' },
    { from: '2.1.147', fixedIn: '2.1.148', why: 'for some users every command ends with exit code 127' },
    { fixedIn: '2.1.186', why: 'a first start after an update may offer more tools than "--tools" names' },
  ],
};

/** `--acp` came with 0.33 (github.com/google-gemini/gemini-cli/pull/21171); 0.27 hung instead (issue 18355 there). */
const GEMINI: KnownVersions = {
  minimum: '0.33.0',
  minimumWhy: '"gemini --acp" came with it',
  tested: '0.61.0',
  bad: [],
};

const VERSIONS: ReadonlyMap<string, KnownVersions> = new Map([
  ['claude', CLAUDE],
  ['gemini', GEMINI],
  ['gemini-headless', GEMINI],
]);

export type VersionJudgement =
  | { readonly type: 'tested' }
  /** Nothing is known against it. */
  | { readonly type: 'untested'; readonly tested: string; readonly newer: boolean }
  | { readonly type: 'tooOld'; readonly minimum: string; readonly why: string }
  | { readonly type: 'bad'; readonly fixedIn: string; readonly why: string }
  /** No version was told, or nothing is known of this agent's. */
  | { readonly type: 'unknown' };

/** What is known of this version of the catalog's agent `id`. */
export function judgeVersion(id: string, version: string | null): VersionJudgement {
  const known = VERSIONS.get(id);
  if (known === undefined || version === null) return { type: 'unknown' };
  if (compareVersions(version, known.minimum) < 0) {
    return { type: 'tooOld', minimum: known.minimum, why: known.minimumWhy };
  }
  const bad = known.bad.filter(
    ({ from, fixedIn }) =>
      compareVersions(version, fixedIn) < 0 && (from === undefined || compareVersions(version, from) >= 0),
  );
  const worst = bad.toSorted((a, b) => compareVersions(b.fixedIn, a.fixedIn))[0];
  if (worst !== undefined) {
    return { type: 'bad', fixedIn: worst.fixedIn, why: bad.map(({ why }) => why).join('; ') };
  }
  const order = compareVersions(version, known.tested);
  return order === 0 ? { type: 'tested' } : { type: 'untested', tested: known.tested, newer: order > 0 };
}

/** Below, at or above zero, by the numbers; a version with a `-` part comes before the one without (semver). */
export function compareVersions(a: string, b: string): number {
  const [mainA = '', preA] = split(a);
  const [mainB = '', preB] = split(b);
  const numbersA = mainA.split('.').map(Number);
  const numbersB = mainB.split('.').map(Number);
  for (let place = 0; place < Math.max(numbersA.length, numbersB.length); place++) {
    const difference = (numbersA[place] ?? 0) - (numbersB[place] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return Number(preA === undefined) - Number(preB === undefined);
}

function split(version: string): readonly string[] {
  const [main = '', ...pre] = version.replace(/^v/, '').replace(/\+.*$/, '').split('-');
  return pre.length === 0 ? [main] : [main, pre.join('-')];
}
