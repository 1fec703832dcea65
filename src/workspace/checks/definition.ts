import { createHash } from 'node:crypto';
import { visibleCommands } from '../../scheduler/commandLine.ts';
import type { CheckChange } from '../../shared/roundEvents.ts';
import { programOf, withoutWrappers } from './commandWords.ts';
import { JUSTFILES, MAKEFILES } from './detectChecks.ts';
import { readMakefile } from './makefile.ts';
import { entriesOf, jsonEntries, textOf } from './parseParts.ts';
import { type ProjectFiles, projectPath } from './projectFiles.ts';
import { hasTestName } from './removedTests.ts';
import { configsOf } from './toolConfigs.ts';

/** The files that a definition is read from. Without `names` each file that could be there is looked for. */
export type DefiningFiles = Pick<ProjectFiles, 'read'> & Partial<Pick<ProjectFiles, 'names'>>;

/** What a command runs, as far as the project's files say it. */
export interface Definition {
  /** File → the part of it that the command runs or is set by, as text. */
  readonly texts: ReadonlyMap<string, string>;
  /** Those of the files that are in it because a command line names them. */
  readonly named: ReadonlySet<string>;
  /** Every file that was looked for, whether it is there or not: as long as none of them changes, the rest does not. */
  readonly looked: ReadonlySet<string>;
}

/**
 * Follows a command through the project's files: a script of package.json with those before and after it, a target of a
 * Makefile with what it needs, the settings of the known test tools, and a script file that it names. What a tool does by
 * itself, and what lies outside the folder, is not followed. Pure over `project`.
 */
export async function definitionOf(command: string, project: DefiningFiles): Promise<Definition> {
  const reader = createReader(project);
  await followLine(command, reader, MOST_DEEP);
  return reader.definition();
}

/** What of two definitions of the command differs, in the order of the files' names. */
export function changesBetween(command: string, before: Definition, after: Definition): readonly CheckChange[] {
  const files = [...new Set([...before.texts.keys(), ...after.texts.keys()])].toSorted();
  const differ = files.filter((file) => before.texts.get(file) !== after.texts.get(file));
  // A file that another line names now, or none any more, need not have changed itself: the line has.
  const isRenamed = (file: string) =>
    (before.named.has(file) && !after.texts.has(file)) || (after.named.has(file) && !before.texts.has(file));
  const own = differ.filter((file) => !isRenamed(file));
  return (own.length > 0 ? own : differ).map((file) => {
    const [old = null, now = null] = [before.texts.get(file), after.texts.get(file)];
    return { type: 'definition', command, file, before: short(old), after: short(now) };
  });
}

/** A name for exactly this definition. */
export function digestOf({ texts }: Definition): string {
  const sorted = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

/** Characters of one text that are told. */
const TOLD = 4_000;

function short(text: string | null): string | null {
  return text === null || text.length <= TOLD ? text : `${text.slice(0, TOLD)}\n…`;
}

/** A script that runs scripts that run scripts: further down is another tool's matter. */
const MOST_DEEP = 5;

interface Reader {
  read(file: string): Promise<string | null>;
  /** An empty text says nothing. */
  add(file: string, text: string): void;
  /** A file that a command line names. */
  addNamed(file: string, text: string): void;
  /** False: it was followed already. */
  first(step: string): boolean;
  definition(): Definition;
}

function createReader(project: DefiningFiles): Reader {
  const texts = new Map<string, string>();
  const named = new Set<string>();
  const looked = new Set<string>();
  const steps = new Set<string>();
  const known = new Map<string, Promise<string | null>>();
  return {
    read(file) {
      looked.add(file);
      if (!file.includes('/') && project.names?.includes(file) === false) return Promise.resolve(null);
      const text = known.get(file) ?? project.read(file);
      known.set(file, text);
      return text;
    },
    add(file, text) {
      if (text === '') return;
      const before = texts.get(file);
      if (before === undefined) texts.set(file, text);
      else if (!before.split('\n\n').includes(text)) texts.set(file, `${before}\n\n${text}`);
    },
    addNamed(file, text) {
      if (!texts.has(file)) named.add(file);
      this.add(file, text);
    },
    first(step) {
      if (steps.has(step)) return false;
      steps.add(step);
      return true;
    },
    definition: () => ({ texts, named, looked }),
  };
}

async function followLine(line: string, reader: Reader, left: number): Promise<void> {
  if (left === 0) return;
  for (const words of visibleCommands(line)) await followCommand(words, reader, left);
}

async function followCommand(words: readonly string[], reader: Reader, left: number): Promise<void> {
  const [written = '', ...args] = withoutWrappers(words);
  const name = programOf(written);
  const wanted = args.filter((arg) => !arg.startsWith('-'));
  switch (name) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      await followScripts(scriptsOf(name, wanted), reader, left);
      break;
    case 'run-s':
    case 'run-p':
    case 'npm-run-all':
      await followScripts(wanted, reader, left);
      break;
    case 'composer':
      await followComposer(wanted[0] === 'run' || wanted[0] === 'run-script' ? wanted[1] : wanted[0], reader, left);
      break;
    case 'deno':
      if (wanted[0] === 'task') await followDeno(wanted[1], reader, left);
      break;
    case 'make':
    case 'gmake':
      await addMake(wanted, reader);
      break;
    case 'just':
      for (const file of JUSTFILES) reader.add(file, (await reader.read(file)) ?? '');
      break;
    default:
      break;
  }
  for (const config of configsOf(name, args)) {
    const text = await reader.read(config.file);
    if (text !== null) reader.add(config.file, config.part(text));
  }
  await addScriptFile(written, name, args, reader);
}

/** The scripts that a package manager's arguments name; one that is no script of package.json is none. */
function scriptsOf(manager: string, [verb = '', ...rest]: readonly string[]): readonly string[] {
  switch (verb) {
    case 'run':
    case 'run-script':
      return rest.slice(0, 1);
    case 't':
    case 'tst':
      return manager === 'npm' || manager === 'pnpm' ? ['test'] : [verb];
    case 'test':
      return manager === 'bun' ? [] : ['test'];
    default:
      return [verb];
  }
}

async function followScripts(names: readonly string[], reader: Reader, left: number): Promise<void> {
  const scripts = entriesOf(jsonEntries(await reader.read('package.json')).scripts);
  const wanted = names.flatMap((name) => {
    if (!name.includes('*')) return [`pre${name}`, name, `post${name}`];
    const pattern = new RegExp(`^${name.split('*').map(escaped).join('.*')}$`);
    return Object.keys(scripts).filter((script) => pattern.test(script));
  });
  for (const name of wanted) {
    const script = textOf(scripts[name]);
    if (script === null || !reader.first(`script ${name}`)) continue;
    reader.add('package.json', `${JSON.stringify(name)}: ${JSON.stringify(script)}`);
    await followLine(script, reader, left - 1);
  }
}

async function followComposer(name: string | undefined, reader: Reader, left: number): Promise<void> {
  if (name === undefined) return;
  const script = entriesOf(jsonEntries(await reader.read('composer.json')).scripts)[name];
  if (script === undefined || !reader.first(`composer ${name}`)) return;
  reader.add('composer.json', `${JSON.stringify(name)}: ${JSON.stringify(script)}`);
  for (const line of [script].flat()) {
    const text = textOf(line) ?? '';
    if (text.startsWith('@')) await followComposer(text.slice(1).split(' ', 1)[0], reader, left - 1);
    else await followLine(text, reader, left - 1);
  }
}

async function followDeno(name: string | undefined, reader: Reader, left: number): Promise<void> {
  for (const file of ['deno.json', 'deno.jsonc']) {
    const task = name === undefined ? undefined : entriesOf(jsonEntries(await reader.read(file)).tasks)[name];
    if (task === undefined || !reader.first(`deno ${name}`)) continue;
    reader.add(file, `${JSON.stringify(name)}: ${JSON.stringify(task)}`);
    await followLine(textOf(task) ?? textOf(entriesOf(task).command) ?? '', reader, left - 1);
  }
}

async function addMake(wanted: readonly string[], reader: Reader): Promise<void> {
  for (const file of MAKEFILES) {
    const text = await reader.read(file);
    if (text === null) continue;
    const rules = readMakefile(text);
    const targets = wanted.filter((word) => !word.includes('='));
    reader.add(file, rules.textOf(targets.length > 0 ? targets : rules.targets.slice(0, 1)));
    return;
  }
}

const INTERPRETERS = new Set([
  'node',
  'tsx',
  'ts-node',
  'bun',
  'sh',
  'bash',
  'zsh',
  'dash',
  'python',
  'python3',
  'py',
  'ruby',
  'perl',
  'php',
  'pwsh',
]);
/** With these an interpreter runs no file, or runs test files. */
const NO_FILE = new Set(['-c', '-e', '-m', '-p', '--eval', '--print', '--test', '--version']);

/** A script file that the command starts. A file with the name of a test is no definition: the tests are the work. */
async function addScriptFile(written: string, name: string, args: readonly string[], reader: Reader): Promise<void> {
  const isPath = /[\\/]/.test(written);
  const runsFile = INTERPRETERS.has(name) && !args.some((arg) => NO_FILE.has(arg));
  const words = isPath ? [written] : runsFile ? args.filter((arg) => !arg.startsWith('-')) : [];
  for (const word of words) {
    const file = projectPath(word);
    const text = file === null ? null : await reader.read(file);
    if (file === null || text === null) continue;
    if (!hasTestName(file)) reader.addNamed(file, text);
    return;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
