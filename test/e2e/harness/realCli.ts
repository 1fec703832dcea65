import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type InstalledClis, installClis, skipsRealClis } from '../../tools/installClis.ts';
import { assertNothingAlive, killMarked, MARK_VARIABLE, newMark } from './processAudit.ts';

/** One start of a CLI, in the order of time. */
export interface Spawn {
  readonly program: 'claude' | 'gemini';
  readonly pid: number;
  readonly args: string;
}

/** The real CLIs in a home of their own, without anybody's login and with no way to anything but loopback. */
export interface RealCli {
  readonly home: string;
  readonly claudePath: string;
  readonly geminiPath: string;
  /** The whole environment for what is tested; nothing of the contributor's own is in it. */
  readonly env: Readonly<Record<string, string>>;
  readonly mark: string;
  /** Every start of a CLI so far, `--version` calls included. */
  spawns(): Promise<Spawn[]>;
  /** The starts that hold a session: Claude's stream-json input, Gemini's `--acp`. */
  sessions(): Promise<Spawn[]>;
  assertNothingAlive(): Promise<void>;
  /** Ends what is left and removes the home. */
  dispose(): Promise<void>;
}

export interface RealCliOptions {
  readonly anthropicUrl: string;
  readonly geminiUrl: string;
  /** As if this one were not installed. */
  readonly without?: 'claude' | 'gemini';
}

/** Not a key of anybody; tests look for it where keys must not be. */
export const DUMMY_KEYS = { anthropic: 'sk-ant-cgloop-test-key', gemini: 'AIza-cgloop-test-key' } as const;

/** In a suite's `before`: installs the CLIs once a machine, or skips the suite as the person asked. */
export async function needRealClis(context: Mocha.Context): Promise<void> {
  if (skipsRealClis()) context.skip();
  if (process.platform !== 'linux') context.skip(); // The process audit reads /proc.
  context.timeout(0);
  await installClis(console.log);
}

/**
 * A fresh home. It lies below the user's own home, not in the temporary folder: Gemini CLI takes no settings file from
 * under a folder that others can write to.
 */
export async function realCli(options: RealCliOptions): Promise<RealCli> {
  const clis = await installClis();
  const homes = path.join(homedir(), '.cache', 'cgloop-test', 'homes');
  await mkdir(homes, { recursive: true, mode: 0o700 });
  const home = await mkdtemp(path.join(homes, 'home-'));
  const bin = path.join(home, 'bin');
  const temporary = path.join(home, 'tmp');
  for (const folder of [bin, temporary, path.join(home, '.gemini')]) await mkdir(folder);
  await writeFile(path.join(home, '.gemini', 'settings.json'), JSON.stringify(GEMINI_SETTINGS));
  const log = path.join(home, 'spawns.log');
  await writeFile(log, '');
  await symlink(process.execPath, path.join(bin, 'node'));
  const claudePath = path.join(bin, 'claude');
  const geminiPath = path.join(bin, 'gemini');
  await writePrograms(clis, log, { claudePath, geminiPath }, options.without);

  const mark = newMark();
  const spawns = async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean).map(parseSpawn);
  return {
    home,
    claudePath,
    geminiPath,
    mark,
    env: {
      [MARK_VARIABLE]: mark,
      HOME: home,
      PATH: [bin, '/usr/bin', '/bin'].join(path.delimiter),
      TMPDIR: temporary,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      CGLOOP_HOME: path.join(home, 'cgloop'),
      // What a contributor has installed is not found by chance.
      CGLOOP_PATH_ONLY: '1',
      ANTHROPIC_BASE_URL: options.anthropicUrl,
      ANTHROPIC_API_KEY: DUMMY_KEYS.anthropic,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      GOOGLE_GEMINI_BASE_URL: options.geminiUrl,
      GEMINI_API_KEY: DUMMY_KEYS.gemini,
    },
    spawns,
    sessions: async () => (await spawns()).filter(({ args }) => /--input-format stream-json|--acp/.test(args)),
    assertNothingAlive: () => assertNothingAlive(mark),
    async dispose() {
      await killMarked(mark);
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Claude Code writes its sessions in its own time; one that is killed before is a session that nobody can go on with. */
export async function sessionIsKept({ home }: RealCli): Promise<void> {
  const projects = path.join(home, '.claude', 'projects');
  const kept = async () => {
    const files = await readdir(projects, { recursive: true }).catch(() => []);
    const texts = await Promise.all(
      files.filter((file) => file.endsWith('.jsonl')).map((file) => readFile(path.join(projects, file), 'utf8')),
    );
    return texts.some((text) => text.includes('"type":"user"'));
  };
  while (!(await kept())) await wait(50);
}

const GEMINI_SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
};

/** Small programs that note their start and then become the CLI, under the same process id. */
async function writePrograms(
  clis: InstalledClis,
  log: string,
  paths: { claudePath: string; geminiPath: string },
  without: RealCliOptions['without'],
): Promise<void> {
  const start = async (name: Spawn['program'], file: string, ...command: readonly string[]) => {
    if (name === without) return;
    const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    await writeFile(file, `#!/bin/sh\nprintf '%s\\n' "${name} $$ $*" >> '${log}'\nexec ${quoted} "$@"\n`);
    await chmod(file, 0o755);
  };
  await start('claude', paths.claudePath, clis.claude);
  await start('gemini', paths.geminiPath, process.execPath, clis.gemini);
}

function parseSpawn(line: string): Spawn {
  const [, program, pid, args] = /^(claude|gemini) (\d+) ?(.*)$/.exec(line) ?? [];
  if (program !== 'claude' && program !== 'gemini') throw new Error(`not a start of a CLI: ${line}`);
  return { program, pid: Number(pid), args: args ?? '' };
}
