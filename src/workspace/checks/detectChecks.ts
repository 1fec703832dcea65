import { readMakefile } from './makefile.ts';
import { entriesOf, jsonEntries, sectionsOf, textOf } from './parseParts.ts';
import type { ProjectFiles } from './projectFiles.ts';

/** What a check looks at. */
export type CheckKind = 'test' | 'lint' | 'types';

/** A command that the project itself names for checking it, as a person would type it. */
export interface DetectedCheck {
  readonly command: string;
  readonly kind: CheckKind;
}

/**
 * The checks that a project's own files name, by the list in this file: nothing is guessed, nothing is run. Tests of every
 * tool that is found; a Makefile or justfile adds only the kinds that no tool of its own stands for. In a fixed order.
 */
export async function detectChecks(
  project: ProjectFiles,
  platform: NodeJS.Platform,
): Promise<readonly DetectedCheck[]> {
  const found: DetectedCheck[] = [];
  for (const find of TOOLS) found.push(...(await find(project, platform)));
  for (const find of RUNNERS) {
    const kinds = new Set(found.map(({ kind }) => kind));
    found.push(...(await find(project, platform)).filter(({ kind }) => !kinds.has(kind)));
  }
  return found;
}

type Find = (project: ProjectFiles, platform: NodeJS.Platform) => Promise<readonly DetectedCheck[]>;

const has = ({ names }: ProjectFiles, ...wanted: readonly string[]): boolean =>
  wanted.some((name) => names.includes(name));
const test = (command: string): readonly DetectedCheck[] => [{ command, kind: 'test' }];
const none: readonly DetectedCheck[] = [];

/** Script or target → what it looks at. */
const KINDS: Readonly<Record<string, CheckKind>> = {
  test: 'test',
  lint: 'lint',
  typecheck: 'types',
  'type-check': 'types',
  'check-types': 'types',
  'check:types': 'types',
};

/** What npm writes where a project has no tests. */
const NO_TEST = /no test specified/;
/** A check judges: it does not mend, and it ends. */
const NO_CHECK = /--(?:fix|write|watch|watchAll)(?![\w-])/;

const packageScripts: Find = async (project) => {
  if (!has(project, 'package.json')) return none;
  const manifest = jsonEntries(await project.read('package.json'));
  const scripts = entriesOf(manifest.scripts);
  const run = scriptRunner(project, textOf(manifest.packageManager) ?? '');
  const seen = new Set<CheckKind>();
  return Object.entries(KINDS).flatMap(([name, kind]) => {
    const script = textOf(scripts[name]) ?? '';
    if (script.trim() === '' || NO_TEST.test(script) || NO_CHECK.test(script) || seen.has(kind)) return [];
    seen.add(kind);
    return [{ command: run(name), kind }];
  });
};

/** How the project's own package manager runs a script: by `packageManager`, else by its lock file, else npm. */
function scriptRunner(project: ProjectFiles, told: string): (script: string) => string {
  const [manager = ''] = told.split('@');
  const known = ['npm', 'pnpm', 'yarn', 'bun'].includes(manager) ? manager : managerOf(project);
  // `bun test` is bun's own runner.
  if (known === 'bun') return (script) => `bun run ${script}`;
  return (script) => (script === 'test' ? `${known} test` : `${known} run ${script}`);
}

function managerOf(project: ProjectFiles): string {
  if (has(project, 'pnpm-lock.yaml')) return 'pnpm';
  if (has(project, 'yarn.lock')) return 'yarn';
  return has(project, 'bun.lock', 'bun.lockb') ? 'bun' : 'npm';
}

const denoTask: Find = async (project) => {
  const file = ['deno.json', 'deno.jsonc'].find((name) => has(project, name));
  if (file === undefined) return none;
  return 'test' in entriesOf(jsonEntries(await project.read(file)).tasks) ? test('deno task test') : none;
};

const cargo: Find = async (project) => (has(project, 'Cargo.toml') ? test('cargo test') : none);

const go: Find = async (project) =>
  has(project, 'go.mod') ? [...test('go test ./...'), { command: 'go vet ./...', kind: 'lint' }] : none;

const python: Find = async (project) => {
  const read = (name: string) => (has(project, name) ? project.read(name) : Promise.resolve(null));
  const tox = await read('tox.ini');
  const project_ = await read('pyproject.toml');
  const usesPytest =
    has(project, 'pytest.ini', '.pytest.ini', 'conftest.py') ||
    sectionsOf(project_, /^tool\.pytest/) !== '' ||
    sectionsOf(await read('setup.cfg'), /^tool:pytest$/) !== '' ||
    sectionsOf(tox, /^pytest$/) !== '';
  if (usesPytest) return test(`${pythonRunner(project)}pytest`);
  if (sectionsOf(tox, /^(tox|testenv)/) !== '' || sectionsOf(project_, /^tool\.tox/) !== '') return test('tox');
  return has(project, 'noxfile.py') ? test('nox') : none;
};

function pythonRunner(project: ProjectFiles): string {
  if (has(project, 'uv.lock')) return 'uv run ';
  if (has(project, 'poetry.lock')) return 'poetry run ';
  return has(project, 'Pipfile.lock') ? 'pipenv run ' : '';
}

const maven: Find = async (project, platform) => {
  if (!has(project, 'pom.xml')) return none;
  return test(has(project, 'mvnw') ? `${wrapper('mvnw', platform)} test` : 'mvn test');
};

const gradle: Find = async (project, platform) => {
  if (!has(project, 'build.gradle', 'build.gradle.kts')) return none;
  return test(has(project, 'gradlew') ? `${wrapper('gradlew', platform)} test` : 'gradle test');
};

const wrapper = (name: string, platform: NodeJS.Platform): string => (platform === 'win32' ? name : `./${name}`);

const dotnet: Find = async ({ names }) =>
  names.some((name) => /\.(?:sln|slnx|csproj|fsproj|vbproj)$/i.test(name)) ? test('dotnet test') : none;

const php: Find = async (project) => {
  if (!has(project, 'composer.json')) return none;
  if ('test' in entriesOf(jsonEntries(await project.read('composer.json')).scripts)) return test('composer test');
  return has(project, 'phpunit.xml', 'phpunit.xml.dist') ? test('vendor/bin/phpunit') : none;
};

const elixir: Find = async (project) => (has(project, 'mix.exs') ? test('mix test') : none);

const ruby: Find = async (project) => {
  const bundled = has(project, 'Gemfile') ? 'bundle exec ' : '';
  if (has(project, '.rspec')) return test(`${bundled}rspec`);
  const rakefile = has(project, 'Rakefile') ? ((await project.read('Rakefile')) ?? '') : '';
  return /TestTask|\btask\s*\(?\s*:test\b|\btask\s+test:/.test(rakefile) ? test(`${bundled}rake test`) : none;
};

const swift: Find = async (project) => (has(project, 'Package.swift') ? test('swift test') : none);

/** One tool each, in the order in which their checks run. */
const TOOLS: readonly Find[] = [
  packageScripts,
  denoTask,
  cargo,
  go,
  python,
  maven,
  gradle,
  dotnet,
  php,
  elixir,
  ruby,
  swift,
];

const make: Find = async (project) => {
  const file = MAKEFILES.find((name) => has(project, name));
  if (file === undefined) return none;
  const { targets } = readMakefile((await project.read(file)) ?? '');
  const names: Readonly<Record<string, CheckKind>> = targets.includes('test') ? KINDS : { check: 'test', ...KINDS };
  return Object.entries(names).flatMap(([name, kind]) =>
    targets.includes(name) ? [{ command: `make ${name}`, kind }] : [],
  );
};

/** In the order in which make looks for them. */
export const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'] as const;

const just: Find = async (project) => {
  const file = JUSTFILES.find((name) => has(project, name));
  const text = file === undefined ? '' : ((await project.read(file)) ?? '');
  return Object.entries(KINDS).flatMap(([name, kind]) =>
    new RegExp(`^@?${name}(?:\\s[^:\\n]*)?:(?!=)`, 'm').test(text) ? [{ command: `just ${name}`, kind }] : [],
  );
};

export const JUSTFILES = ['justfile', 'Justfile', '.justfile'] as const;

/** What runs anything: asked last. */
const RUNNERS: readonly Find[] = [make, just];
