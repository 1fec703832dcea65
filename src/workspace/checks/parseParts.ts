/** A JSON value's object; empty for anything else. */
export type Entries = Readonly<Record<string, unknown>>;

/** The object in a JSON text with comments and trailing commas; empty where it is none. */
export function jsonEntries(text: string | null): Entries {
  if (text === null) return {};
  const strict = text.replace(/^\uFEFF/, '');
  for (const candidate of [strict, withoutComments(strict)]) {
    try {
      return entriesOf(JSON.parse(candidate));
    } catch {
      // The next one, or nothing.
    }
  }
  return {};
}

/** The value when it is an object, else an empty one. */
export function entriesOf(value: unknown): Entries {
  return isEntries(value) ? value : {};
}

function isEntries(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is a string. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function withoutComments(text: string): string {
  const plain = text.replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string = '') => string);
  return plain.replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, string = '') => string);
}

/** The sections of a TOML or INI text whose headers match, each with its header; empty for none. */
export function sectionsOf(text: string | null, header: RegExp): string {
  if (text === null) return '';
  const kept: string[] = [];
  let inside = false;
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}/.exec(line) ?? [];
    if (name !== undefined) inside = header.test(name.replaceAll('"', ''));
    if (inside) kept.push(line);
  }
  return kept.join('\n').trimEnd();
}

/** The elements of these names in an XML text, one after the other; empty for none. */
export function elementsOf(text: string | null, names: readonly string[]): string {
  if (text === null) return '';
  const found = names.flatMap((name) => text.match(new RegExp(`<${name}>[\\s\\S]*?</${name}>`, 'g')) ?? []);
  return found.join('\n');
}
