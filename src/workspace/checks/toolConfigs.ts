import { elementsOf, jsonEntries, sectionsOf } from './parseParts.ts';
import { projectPath } from './projectFiles.ts';

/** A file that sets a tool, and what of its text does. */
export interface ToolConfig {
  readonly file: string;
  readonly part: (text: string) => string;
}

const whole = (...files: readonly string[]): readonly ToolConfig[] =>
  files.map((file) => ({ file, part: (text) => text }));
const named = (stem: string, ...endings: readonly string[]): readonly ToolConfig[] =>
  whole(...endings.map((ending) => `${stem}.${ending}`));
const sections = (file: string, header: RegExp): ToolConfig => ({ file, part: (text) => sectionsOf(text, header) });
const ofPackage = (key: string): ToolConfig => ({
  file: 'package.json',
  part(text) {
    const value = jsonEntries(text)[key];
    return value === undefined ? '' : `${JSON.stringify(key)}: ${JSON.stringify(value, null, 2)}`;
  },
});

const SCRIPT = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'] as const;

const eslint = [
  ...named('eslint.config', ...SCRIPT),
  ...named('.eslintrc', 'js', 'cjs', 'json', 'yaml', 'yml'),
  ...whole('.eslintrc', '.eslintignore'),
  ofPackage('eslintConfig'),
];
const pytest = [
  ...whole('pytest.ini', '.pytest.ini', 'conftest.py'),
  sections('pyproject.toml', /^tool\.pytest/),
  sections('setup.cfg', /^tool:pytest$/),
  sections('tox.ini', /^pytest$/),
];
const maven: readonly ToolConfig[] = [
  { file: 'pom.xml', part: (text) => elementsOf(text, ['properties', 'build', 'profiles']) },
];
const gradle = whole('build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts');
const typescript = whole('tsconfig.json');

/** Program → the files in the folder that decide what it checks. What only says what is built is left out. */
const CONFIGS: Readonly<Record<string, readonly ToolConfig[]>> = {
  jest: [...named('jest.config', ...SCRIPT, 'json'), ofPackage('jest')],
  vitest: [
    ...named('vitest.config', ...SCRIPT),
    ...named('vite.config', ...SCRIPT),
    ...named('vitest.workspace', 'ts', 'js', 'json'),
  ],
  mocha: [...named('.mocharc', 'js', 'cjs', 'mjs', 'json', 'jsonc', 'yaml', 'yml'), ofPackage('mocha')],
  ava: [...named('ava.config', 'js', 'cjs', 'mjs'), ofPackage('ava')],
  tap: [...whole('.taprc'), ofPackage('tap')],
  jasmine: whole('spec/support/jasmine.json', 'spec/support/jasmine.mjs'),
  karma: named('karma.conf', ...SCRIPT),
  playwright: named('playwright.config', ...SCRIPT),
  cypress: named('cypress.config', ...SCRIPT),
  'react-scripts': [ofPackage('jest')],
  eslint,
  biome: named('biome', 'json', 'jsonc'),
  tsc: typescript,
  'vue-tsc': typescript,
  bun: whole('bunfig.toml'),
  pytest,
  'py.test': pytest,
  tox: [...whole('tox.ini'), sections('pyproject.toml', /^tool\.tox/)],
  nox: whole('noxfile.py'),
  cargo: [sections('Cargo.toml', /^(?:lib|bin|test|workspace)$/), ...whole('.cargo/config.toml', '.cargo/config')],
  mvn: maven,
  mvnw: maven,
  gradle,
  gradlew: gradle,
  dotnet: whole('Directory.Build.props', 'Directory.Build.targets', '.runsettings'),
  phpunit: whole('phpunit.xml', 'phpunit.xml.dist'),
  rspec: whole('.rspec', 'spec/spec_helper.rb'),
  rake: whole('Rakefile'),
  mix: whole('mix.exs', 'test/test_helper.exs'),
  task: whole('Taskfile.yml', 'Taskfile.yaml'),
};

/** The files that set the program when it is started with these arguments. */
export function configsOf(program: string, args: readonly string[]): readonly ToolConfig[] {
  const usual = Object.hasOwn(CONFIGS, program) ? (CONFIGS[program] ?? []) : [];
  if (usual.length === 0) return usual;
  // A file that is named with `--config x`, `-c x` or `-p x` comes to the usual ones.
  const given = args.flatMap((arg, index) => {
    const [, inOne] = /^(?:--config|--project)=(.+)$/.exec(arg) ?? [];
    const next = ['--config', '--project', '-c', '-p'].includes(arg) ? args[index + 1] : undefined;
    const file = projectPath(inOne ?? next ?? '');
    return file === null ? [] : [file];
  });
  return [...usual, ...whole(...given)];
}
