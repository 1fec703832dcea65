/** What a Makefile says of one target. */
export interface MakeRules {
  /** In the order in which they are written; patterns and special targets left out. */
  readonly targets: readonly string[];
  /**
   * The rules of these targets and of all that they need, and the variables that those name, as they are written. Empty:
   * the file has none of them.
   */
  textOf(targets: readonly string[]): string;
}

interface Rule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly lines: string[];
}

const RULE = /^([^\s#:=][^#:=]*?)\s*::?(?![=:])\s*([^#;]*)/;
const VARIABLE = /^(?:export\s+|override\s+)*([A-Za-z_][\w.-]*)\s*(?:[:?+!]|::)?=/;

/** Reads the rules of a Makefile as far as they can be seen without running make: no includes, no conditions. */
export function readMakefile(text: string): MakeRules {
  const rules: Rule[] = [];
  const variables = new Map<string, string[]>();
  let open: string[] | null = null;
  for (const line of logicalLines(text)) {
    if (/^\t/.test(line)) {
      open?.push(line);
      continue;
    }
    const [, variable] = VARIABLE.exec(line) ?? [];
    const [, targets = '', needs = ''] = RULE.exec(line) ?? [];
    if (variable !== undefined) {
      variables.set(variable, [...(variables.get(variable) ?? []), line]);
      open = null;
    } else if (targets !== '') {
      const rule = { targets: targets.split(/\s+/), needs: needs.split(/\s+/).filter(isName), lines: [line] };
      rules.push(rule);
      open = rule.lines;
    } else if (line.trim() !== '' && !line.trimStart().startsWith('#')) {
      open = null;
    }
  }
  const named = rules.flatMap((rule) => rule.targets).filter((name) => isName(name) && !/^\.|[%$]/.test(name));
  return {
    targets: [...new Set(named)],
    textOf(wanted) {
      const kept = rulesFor(rules, wanted);
      const written = kept.flatMap((rule) => rule.lines);
      return [...variablesIn(written, variables), ...written].join('\n');
    },
  };
}

function rulesFor(rules: readonly Rule[], wanted: readonly string[]): readonly Rule[] {
  const seen = new Set<string>();
  const left = [...wanted];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const rule of rules) if (rule.targets.includes(name)) left.push(...rule.needs);
  }
  return rules.filter((rule) => rule.targets.some((name) => seen.has(name)));
}

function variablesIn(written: readonly string[], variables: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found = new Set<string>();
  const left = [...written];
  for (let line = left.pop(); line !== undefined; line = left.pop()) {
    for (const [, round = '', curly = ''] of line.matchAll(/\$(?:\(([\w.-]+)\)|\{([\w.-]+)\})/g)) {
      const name = round === '' ? curly : round;
      if (found.has(name)) continue;
      found.add(name);
      left.push(...(variables.get(name) ?? []));
    }
  }
  return [...variables].flatMap(([name, lines]) => (found.has(name) ? lines : []));
}

/** Lines that end in a backslash go on in the next one. */
function logicalLines(text: string): readonly string[] {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]*\\\n[ \t]*/g, ' ')
    .split('\n');
}

function isName(word: string): boolean {
  return word !== '' && word !== '|';
}
