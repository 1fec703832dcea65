import { isWireObject } from '../protocol/parseWire.ts';

/** What stands where something was taken out. No quote and no backslash, so that JSON stays JSON. */
export const REDACTED = '[redacted]';

type Env = Readonly<Record<string, string | undefined>>;

/** Variables that hold an agent's credentials, whatever their values look like. */
const KEY_VARIABLES = new Set([
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'AWS_BEARER_TOKEN_BEDROCK',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'OPENAI_API_KEY',
  'CODEX_API_KEY',
]);

/** Variables whose names say that they hold a secret; a short value may be an ordinary word. */
const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;
const SHORTEST_KEY = 8;
const SHORTEST_SECRET = 16;

/**
 * The values that must be written nowhere: those of `given` (catalog id → variable → value) and those of the variables of
 * `env` that hold credentials. Longest first.
 */
export function knownSecrets(env: Env, given: Readonly<Record<string, Env>> = {}): readonly string[] {
  const found = new Set<string>();
  for (const variables of Object.values(given)) {
    for (const value of Object.values(variables)) if (value !== undefined && value !== '') found.add(value);
  }
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || /\s/.test(value) || /^[/~.]/.test(value)) continue;
    const least = KEY_VARIABLES.has(name) ? SHORTEST_KEY : SECRET_NAME.test(name) ? SHORTEST_SECRET : Infinity;
    if (value.length >= least) found.add(value);
  }
  return [...found].toSorted((a, b) => b.length - a.length);
}

/**
 * `value` with every known secret in its strings taken out. Nothing found: the very same value; else a copy, the given one
 * stays as it is.
 */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  if (secrets.length === 0 || !holds(value, secrets)) return value;
  const copy = { value: structuredClone(value) };
  scrub(copy, secrets);
  return copy.value;
}

function holds(value: unknown, secrets: readonly string[]): boolean {
  if (typeof value === 'string') return secrets.some((secret) => value.includes(secret));
  if (Array.isArray(value)) return value.some((item) => holds(item, secrets));
  return (
    isWireObject(value) && Object.entries(value).some(([key, item]) => holds(key, secrets) || holds(item, secrets))
  );
}

function scrub(parent: object, secrets: readonly string[]): void {
  for (const [key, item] of Object.entries(parent)) {
    const name = replaceAll(key, secrets);
    if (name !== key) Reflect.deleteProperty(parent, key);
    if (typeof item === 'string') Reflect.set(parent, name, replaceAll(item, secrets));
    else if (name !== key) Reflect.set(parent, name, item);
    if (typeof item === 'object' && item !== null) scrub(item, secrets);
  }
}

function replaceAll(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, REDACTED);
  return clean;
}

/** What keys of the usual makers look like, wherever they stand. */
const KEY_SHAPES = new RegExp(
  [
    'sk-[A-Za-z0-9_-]{16,}',
    'AIza[A-Za-z0-9_-]{16,}',
    'ya29\\.[A-Za-z0-9._-]{16,}',
    'gh[oprsu]_[A-Za-z0-9]{20,}',
    'github_pat_[A-Za-z0-9_]{20,}',
    'glpat-[A-Za-z0-9_-]{16,}',
    'xox[abeoprs]-[A-Za-z0-9-]{10,}',
    'npm_[A-Za-z0-9]{30,}',
    '(?:AKIA|ASIA)[A-Z0-9]{16}',
    'eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}',
    '-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?-----END [A-Z ]*PRIVATE KEY-----',
  ]
    .map((shape) => `(?<![A-Za-z0-9])${shape}`)
    .join('|'),
  'g',
);

/** A name that says secret, and a quoted value of letters and digits behind it. */
const SECRET_LITERAL =
  /(?:api[-_]?key|secret|token|passw(?:or)?d|credential)[\w-]*["'`]?\s{0,9}[:=]\s{0,9}["'`](?=[^"'`\s]*[A-Za-z])(?=[^"'`\s]*\d)[^"'`\s${}]{16,}["'`]/i;

/** Whether the line holds what a key of the usual makers looks like, or gives one by its name. */
export function looksLikeKey(line: string): boolean {
  return line.search(KEY_SHAPES) >= 0 || SECRET_LITERAL.test(line);
}

/** Takes known secrets, and what keys of the usual makers look like, out of a text. */
export function withoutKeys(text: string, secrets: readonly string[]): string {
  return replaceAll(text, secrets).replace(KEY_SHAPES, REDACTED);
}

/** A header or a field of that name, as HTTP, JSON or JSON in JSON write it. */
const AUTHORIZATION =
  /((?:proxy-)?authorization|x-api-key|x-goog-api-key|api[-_]?key|(?:access|refresh|id)_token)(\\*["']?\s*[:=]\s*\\*["']?)((?:bearer|basic)\s+)?[^\s"'\\,;}\]]+/gi;

/** Takes secrets, key-shaped texts, authorization headers and the home folder out of a text to be shared. */
export type Redactor = (text: string) => string;

/** `home`: absolute; it becomes `~`. JSON in the text stays JSON. */
export function createRedactor(secrets: readonly string[], home: string): Redactor {
  const homes = [home, JSON.stringify(home).slice(1, -1)].filter((one) => one.length > 1);
  const places = [...new Set(homes)].toSorted((a, b) => b.length - a.length).map(escapeRegExp);
  const ofHome = places.length === 0 ? null : new RegExp(`(?:${places.join('|')})(?=$|[^A-Za-z0-9._-])`, 'g');
  return (text) => {
    const clean = replaceAll(text, secrets)
      .replace(AUTHORIZATION, (_, name: string, middle: string, scheme = '') => `${name}${middle}${scheme}${REDACTED}`)
      .replace(KEY_SHAPES, REDACTED);
    return ofHome === null ? clean : clean.replace(ofHome, '~');
  };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
