/**
 * The words of a command line that means the same to everyone who reads it: one program with its arguments. Null for
 * everything that a shell would make more of (several commands, substitutions, redirections, variables, patterns, line
 * breaks, an assignment before the program), and for quoting that is not plain: such a line never matches a rule.
 */
export function plainWords(line: string): readonly string[] | null {
  const words: string[] = [];
  let rest = line.replace(/^[ \t]+|[ \t]+$/g, '');
  while (rest !== '') {
    const word = WORD.exec(rest)?.[0];
    if (word === undefined) return null;
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_, single = '', double = '') => `${single}${double}`));
    rest = rest.slice(word.length);
    if (rest !== '' && !/^[ \t]/.test(rest)) return null;
    rest = rest.replace(/^[ \t]+/, '');
  }
  const [program] = words;
  return program === undefined || program === '' || program.includes('=') ? null : words;
}

/** Letters, digits and marks that no shell reads, and quoted pieces without anything that a shell reads inside them. */
const WORD = /^(?:[\p{L}\p{N}_./:@+,=-]|'[^'\n\r\\%^!]*'|"[^"\n\r\\$`%^!]*")+/u;

/**
 * The programs that a line may start, as far as can be seen without a shell: for refusing only, since a line can hide
 * what it starts.
 */
export function visibleCommands(line: string): readonly (readonly string[])[] {
  return line
    .split(/[;&|\n\r(){}`]+|\$\(/)
    .map((part) => part.trim().split(/\s+/))
    .map((words) => words.map((word) => word.replaceAll(/['"\\]/g, '')))
    .filter(([first = '']) => first !== '');
}

/** A program with its arguments as one line that `plainWords` reads back, where it can; for people and for rules. */
export function commandLine(command: string, args: readonly string[]): string {
  // A program's name with `=` in it would read as a variable.
  const program = command.includes('=') ? inQuotes(command) : quoted(command);
  return [program, ...args.map(quoted)].join(' ');
}

function quoted(word: string): string {
  if (/^[\p{L}\p{N}_./:@+,=-]+$/u.test(word)) return word;
  return inQuotes(word);
}

function inQuotes(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
