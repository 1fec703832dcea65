import { geminiJsonSchema } from '../protocol/geminiStream.ts';
import { parseWire } from '../protocol/parseWire.ts';
import type { FailureCause } from '../shared/ending.ts';

/** How the process of a headless turn ended. */
export interface GeminiExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The last of what it said on stderr. */
  readonly stderr: string;
}

/** What an exit code says. `fix` is for people, empty where the words of stderr are all there is. */
interface ExitMeaning {
  readonly cause: Extract<FailureCause, 'signIn' | 'quota' | 'agentError'> | null;
  readonly what: string;
  readonly fix: string;
}

const SIGN_IN =
  'Set GEMINI_API_KEY, or run "gemini" in a terminal and sign in there; with GOOGLE_GEMINI_BASE_URL the way must also be chosen in its settings (security.auth.selectedType).';

/**
 * The exit codes of Gemini CLI 0.61.0: its own (recorded: 1, 41, 42, 52, 53, 55; in its program text: 44, 54, 130), and
 * the HTTP status modulo 256 when the model's server refused (sj-05-api-*). 0 is no success by itself (sj-06c, sj-10, sj-14).
 */
const MEANINGS: ReadonlyMap<number, ExitMeaning> = new Map<number, ExitMeaning>([
  [0, { cause: null, what: 'it ended as if all were well', fix: '' }],
  [1, { cause: null, what: 'it refused its arguments, or something failed that has no code of its own', fix: '' }],
  [41, { cause: 'signIn', what: 'it is not signed in', fix: SIGN_IN }],
  [42, { cause: null, what: 'its input was refused: a prompt, or the session to go on with', fix: '' }],
  [
    44,
    {
      cause: null,
      what: 'its sandbox could not be started',
      fix: 'Look at GEMINI_SANDBOX and its tools.sandbox setting.',
    },
  ],
  [
    52,
    {
      cause: null,
      what: 'its settings are broken or forbid what was asked',
      fix: 'Look at .gemini/settings.json in your home folder and here.',
    },
  ],
  [
    53,
    {
      cause: null,
      what: 'it reached its limit of turns in a session',
      fix: 'The limit is model.maxSessionTurns in its settings.',
    },
  ],
  [54, { cause: null, what: 'a tool failed for good, such as by a full disk', fix: '' }],
  [
    55,
    {
      cause: 'agentError',
      what: 'it does not trust this folder',
      fix: 'Trust the folder for the run (cgloop --trust; in VS Code: trust the workspace), or run "gemini" in it once and trust it there.',
    },
  ],
  [130, { cause: null, what: 'it was interrupted', fix: '' }],
  ...[400, 401, 403, 404, 408, 429, 500, 502, 503, 504].map((status): [number, ExitMeaning] => [
    status % 256,
    {
      cause: status === 401 || status === 403 ? 'signIn' : status === 429 ? 'quota' : null,
      what: `the model's server answered ${status}`,
      fix: status === 401 || status === 403 ? SIGN_IN : '',
    },
  ]),
]);

/** What the exit code says of the failure; null: nothing. */
export function exitCause(exit: GeminiExit | null): FailureCause | null {
  return exit?.code == null ? null : (MEANINGS.get(exit.code)?.cause ?? null);
}

/** The words with the way out that belongs to the exit code, where there is one. */
export function withFix(words: string, exit: GeminiExit | null): string {
  const fix = exit?.code == null ? '' : (MEANINGS.get(exit.code)?.fix ?? '');
  return fix === '' ? words : `${words.replace(/[.\s]*$/, '')}. ${fix}`;
}

/** How it ended, what that means, and the reason that it gave itself. */
export function describeGeminiExit(exit: GeminiExit | null): string {
  if (exit === null) return 'still running';
  const { code, signal } = exit;
  const meaning = code === null ? undefined : MEANINGS.get(code);
  const how = signal === null ? `exit code ${code ?? 'unknown'}` : `ended by ${signal}`;
  const words = meaning === undefined ? how : `${how}, which means that ${meaning.what}`;
  const said = reasonIn(exit.stderr);
  return said === '' ? words : `${words}: ${said}`;
}

/** Lines that come with every start (sj-18, GEMINI.md 7). */
const NOISE = [
  /^Warning: (Basic terminal detected|256-color support not detected)/,
  /^Ripgrep is not available/,
  /^\[STARTUP\] /,
  /^YOLO mode is enabled/,
  /^Loaded cached credentials/,
  /^\s+at /,
];
const LINES = 10;

/** The reason on stderr: without what it says at each start, its usage text and the frames of a stack. */
export function reasonIn(stderr: string): string {
  const json = jsonError(stderr);
  if (json !== null) return json;
  let usage = false;
  const kept = stderr.split('\n').filter((line) => {
    if (line.startsWith('Usage: ')) usage = true;
    // yargs tells its usage before, or after, what is wrong (sj-07-bad-flag, sj-07b-bad-format).
    if (usage) return /^(Unknown|Invalid|Not enough|Missing) /.test(line);
    return line.trim() !== '' && !NOISE.some((noise) => noise.test(line));
  });
  return kept.slice(-LINES).join('\n').trim();
}

/** With `--output-format json` the last of stderr is an object with the error (sj-15b-json-400, sj-07k-json-no-auth). */
function jsonError(stderr: string): string | null {
  const start = stderr.lastIndexOf('\n{\n') + 1;
  const text = stderr.slice(start).trim();
  if (!text.startsWith('{')) return null;
  try {
    const parsed = parseWire(geminiJsonSchema, null, JSON.parse(text));
    return parsed.type === 'known' ? (parsed.value.error?.message ?? null) : null;
  } catch {
    return null;
  }
}
