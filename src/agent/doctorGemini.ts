import path from 'node:path';
import * as z from 'zod';
import { parseWire } from '../protocol/parseWire.ts';

/** What the doctor asks of the disk; tests answer from a list. */
export interface GeminiDisk {
  /** The text of a small file; null when it cannot be read. */
  read(file: string): string | null;
  /** Links resolved; the path itself when there is nothing. */
  real(file: string): string;
}

/** How Gemini CLI would sign in, as far as its files and its environment tell. */
export interface GeminiCredentials {
  /** Names of the variables that hold a key; the first is the one that counts. */
  readonly keys: readonly string[];
  /** `security.auth.selectedType` of the person's settings: `oauth-personal`, `gemini-api-key`, `vertex-ai`, …; null: none. */
  readonly selectedType: string | null;
  /** A Google sign-in is stored on disk. */
  readonly stored: boolean;
  /** A project of Google Cloud is named, which an organisation's licence needs. */
  readonly project: boolean;
  /** Another server than Google's is named. */
  readonly baseUrl: boolean;
  /** Why the settings cannot be read; null: they can, or there are none. */
  readonly settingsProblem: string | null;
}

type Env = Readonly<Record<string, string | undefined>>;

const KEYS = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'];

const settingsSchema = z.looseObject({
  security: z.looseObject({ auth: z.looseObject({ selectedType: z.string().optional() }).optional() }).optional(),
});

/** `env`: what the agent's process is given. `home`: the person's home folder. */
export function geminiCredentials(env: Env, home: string, disk: GeminiDisk): GeminiCredentials {
  const folder = geminiFolder(env, home);
  const file = path.join(folder, 'settings.json');
  const text = disk.read(file);
  const parsed = text === null ? null : parseWire(settingsSchema, null, jsonOf(text));
  return {
    keys: KEYS.filter((name) => isSet(env, name)),
    selectedType: parsed?.type === 'known' ? (parsed.value.security?.auth?.selectedType ?? null) : null,
    stored: disk.read(path.join(folder, 'oauth_creds.json')) !== null,
    project: isSet(env, 'GOOGLE_CLOUD_PROJECT') || isSet(env, 'GOOGLE_CLOUD_PROJECT_ID'),
    baseUrl: isSet(env, 'GOOGLE_GEMINI_BASE_URL'),
    settingsProblem: parsed === null || parsed.type === 'known' ? null : `${file} is not as it should be`,
  };
}

const trustSchema = z.record(z.string(), z.string());

/**
 * How `folder` (links resolved) stands in Gemini CLI's record of folders, by its own rule: the longest entry that holds
 * the folder counts, and `TRUST_PARENT` speaks of the folder around its entry.
 */
export function geminiTrust(
  folder: string,
  env: Env,
  home: string,
  disk: GeminiDisk,
): 'trusted' | 'notTrusted' | 'notSaid' {
  const file = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH ?? path.join(geminiFolder(env, home), 'trustedFolders.json');
  const text = disk.read(file);
  const parsed = text === null ? null : parseWire(trustSchema, null, jsonOf(text));
  if (parsed?.type !== 'known') return 'notSaid';
  let best: { readonly length: number; readonly level: string } | null = null;
  for (const [entry, level] of Object.entries(parsed.value)) {
    const covered = disk.real(level === 'TRUST_PARENT' ? path.dirname(entry) : entry);
    const relative = path.relative(covered, folder);
    const holds = !relative.startsWith('..') && !path.isAbsolute(relative);
    if (holds && entry.length > (best?.length ?? -1)) best = { length: entry.length, level };
  }
  if (best?.level === 'DO_NOT_TRUST') return 'notTrusted';
  return best === null ? 'notSaid' : 'trusted';
}

function geminiFolder(env: Env, home: string): string {
  const own = env.GEMINI_CLI_HOME;
  return path.join(own === undefined || own === '' ? home : own, '.gemini');
}

function isSet(env: Env, name: string): boolean {
  const value = env[name];
  return value !== undefined && value !== '';
}

/** Both files may hold comments, which are no JSON. */
function jsonOf(text: string): unknown {
  const plain = text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith('"') ? part : '',
  );
  try {
    return JSON.parse(plain.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}
