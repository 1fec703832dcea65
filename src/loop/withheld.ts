import { looksLikeKey } from '../session/redact.ts';
import { filesOf } from './patch.ts';

/** A diff without secrets. */
export interface WithheldPatch {
  readonly patch: string;
  /** Files whose contents, or lines of which, were taken out. Relative, with `/`. */
  readonly files: readonly string[];
  /** What stood in the files that are kept out whole, as far as it looks like a secret: to be taken out elsewhere too. */
  readonly values: readonly string[];
}

/** What stands in place of what was taken out. */
export interface WithheldMarks {
  readonly file: string;
  readonly line: string;
}

/** Names of files that hold secrets by custom. Compared in lower case. */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.env/,
  /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|asc|gpg)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^(?:\.netrc|_netrc|\.pgpass|\.npmrc|\.pypirc|\.htpasswd|\.git-credentials|\.dockercfg)$/,
  /^(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt))?$/,
  /^service[-_]?account.*\.json$/,
];

/** Whether a file of this name holds secrets by custom. `path` with `/`. */
export function isSecretFile(path: string): boolean {
  const name = (path.split('/').at(-1) ?? '').toLowerCase();
  return SECRET_NAMES.some((shape) => shape.test(name));
}

/**
 * Takes out of a diff what must not go to another company by accident: the contents of files that hold secrets by their
 * name, and lines that look like a key or hold one of `secrets`. Lines keep their sign, so that it stays a diff. Of
 * `allowed` files only lines with one of `secrets` are taken out.
 */
export function withholdSecrets(
  patch: string,
  secrets: readonly string[],
  marks: WithheldMarks,
  allowed: ReadonlySet<string> = new Set(),
): WithheldPatch {
  const parts = filesOf(patch);
  const isSecret = (path: string) => isSecretFile(path) && !allowed.has(path);
  const values = [...new Set(parts.filter(({ path }) => isSecret(path)).flatMap(({ text }) => valuesIn(text)))];
  const known = [...secrets, ...values];
  const files: string[] = [];
  const kept = parts.map(({ path, text }) => {
    const clean = isSecret(path)
      ? withoutContents(text, marks.file)
      : withoutLines(text, marks.line, allowed.has(path) ? holdsOne(secrets) : looksSecret(known));
    if (clean !== text) files.push(path);
    return clean;
  });
  return { patch: parts.length === 0 ? patch : kept.join(''), files, values };
}

function withoutContents(text: string, mark: string): string {
  const at = text.search(/^(?:@@ |Binary files )/m);
  return at < 0 ? text : `${text.slice(0, at)}${mark}\n`;
}

const KEY_BEGINS = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const KEY_ENDS = /-----END [A-Z ]*PRIVATE KEY-----/;

/** Whether a line is to be taken out; asked of each line of a hunk in order, and of each hunk's head. */
type LineRule = () => (line: string) => boolean;

function holdsOne(secrets: readonly string[]): LineRule {
  return () => (line) => secrets.some((secret) => line.includes(secret));
}

function looksSecret(secrets: readonly string[]): LineRule {
  return () => {
    const isKnown = holdsOne(secrets)();
    let inBlock = false;
    return (line) => {
      const begins = KEY_BEGINS.test(line);
      const isOut = inBlock || begins || looksLikeKey(line) || isKnown(line);
      inBlock = (inBlock || begins) && !KEY_ENDS.test(line);
      return isOut;
    };
  };
}

function withoutLines(text: string, mark: string, rule: LineRule): string {
  let isOut: ReturnType<LineRule> | null = null;
  return text
    .split('\n')
    .map((line) => {
      const sign = line.charAt(0);
      if (line.startsWith('@@ ')) isOut = rule();
      // Before the first hunk stand git's own lines.
      if (isOut === null || (sign !== '+' && sign !== '-' && sign !== ' ')) return line;
      return isOut(line) ? `${sign}${mark}` : line;
    })
    .join('\n');
}

/** `NAME=value`, `name: value` or a value alone, on the diff's own lines. */
function valuesIn(text: string): string[] {
  const lines = text.slice(Math.max(0, text.search(/^@@ /m))).split('\n');
  return lines.flatMap((line) => {
    if (!/^[+ -]/.test(line)) return [];
    const [, bare = ''] =
      /^.\s*(?:export\s+)?(?:["']?[\w.-]+["']?\s*[=:]\s*)?["']?([^\s"',;]+)["']?[,;]?\s*$/.exec(line) ?? [];
    // A word, a number or an address is none, and may stand anywhere.
    const isMixed = /[A-Za-z]/.test(bare) && /\d/.test(bare);
    return bare.length >= 8 && isMixed && !/:\/\/|^[./~]|^\d+(?:\.\d+)*[a-z]?$/.test(bare) ? [bare] : [];
  });
}
