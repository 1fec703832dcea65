import path from 'node:path';

/** The only questions that finding a program asks of the disk; tests answer them from a list. */
export interface FileProbe {
  /** Whether `file` is a file that may be started (POSIX: with its execute bit). */
  isProgram(file: string): boolean;
  /** The text of a small file; null when it cannot be read. */
  read(file: string): string | null;
}

export interface FindContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly probe: FileProbe;
  /** Looked at after `PATH`; absent where only `PATH` counts. */
  readonly elsewhere?: Elsewhere;
  /** How a script that has no program of its own is run: `command`, and `env` where the editor's binary serves as Node. */
  readonly node: { readonly command: string; readonly env: Readonly<Record<string, string>> };
}

/** Where programs are that are not on our `PATH` (case C47). All absolute. */
export interface Elsewhere {
  /** `PATH` as the login shell sets it up; null when it does not say. */
  readonly loginPath: string | null;
  /** Where installers put programs, in order. */
  readonly folders: readonly string[];
}

export type FoundCommand =
  | {
      readonly type: 'found';
      /** Absolute program to spawn without a shell. */
      readonly command: string;
      /** Stands before the agent's own arguments: the script, when the program is Node. */
      readonly args: readonly string[];
      /** Needed by the program in addition. */
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'missing';
      /** Every place that was looked at, in order, for people. */
      readonly lookedIn: readonly string[];
    };

/**
 * Where a program is. A path that the person set (`override`) is the only place looked at; else `PATH` is, then the login
 * shell's, then the usual folders; what is found there gets a `PATH` with its folder, because a script looks for its own
 * interpreter by it. Folders of a `PATH` that are empty or relative are passed over, so that nothing is ever started from
 * the working folder by its name.
 * On Windows a `.cmd` shim is resolved to the script or program behind it, because a shim needs a shell (case C49).
 */
export function findCommand(name: string, context: FindContext, override?: string): FoundCommand {
  const paths = context.platform === 'win32' ? path.win32 : path.posix;
  if (override !== undefined) {
    // npm puts a script for other shells beside each shim of Windows, and people name that one too.
    const named = [override, ...extensions(context).map((extension) => override + extension)];
    const starts = paths.isAbsolute(override) ? named.map((file) => asStart(file, context)) : [];
    const found = starts.find((start) => start !== null);
    if (found?.type !== 'found') return { type: 'missing', lookedIn: [override] };
    const folder = paths.dirname(override);
    // A script of a version manager finds its interpreter beside itself.
    if (found.command !== override || searchPath(context).includes(folder)) return found;
    return { ...found, env: { ...withPath(context, folder), ...found.env } };
  }
  const all = places(context).filter(({ folder }) => paths.isAbsolute(folder));
  for (const { folder, env } of all) {
    for (const extension of extensions(context)) {
      const found = asStart(paths.join(folder, name + extension), context);
      if (found?.type === 'found') return { ...found, env: { ...env, ...found.env } };
    }
  }
  return { type: 'missing', lookedIn: [...new Set(all.map(({ folder }) => folder))] };
}

/** One folder to look in, and what a program that is found there needs in its environment. */
interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

function places(context: FindContext): readonly Place[] {
  const { loginPath = null, folders = [] } = context.elsewhere ?? {};
  const own = searchPath(context);
  const login = loginPath === null ? [] : loginPath.split(':');
  return [
    ...own.map((folder) => ({ folder, env: {} })),
    ...login.map((folder) => ({ folder, env: withPath(context, ...login) })),
    ...folders.map((folder) => ({ folder, env: withPath(context, folder, ...login) })),
  ];
}

/** `PATH` with these folders before those that are in it. */
function withPath(context: FindContext, ...first: readonly string[]): Readonly<Record<string, string>> {
  const folders = [...new Set([...first, ...searchPath(context)])].filter((one) => one !== '');
  return { [pathName(context)]: folders.join(separator(context)) };
}

function searchPath(context: FindContext): readonly string[] {
  const { env, platform } = context;
  if (platform !== 'win32') return (env.PATH ?? '').split(':');
  return (variable(env, 'PATH') ?? '').split(';').map((folder) => folder.replaceAll('"', '').trim());
}

/** As the environment spells it: two spellings of one variable would be two variables to a program on Windows. */
function pathName({ env, platform }: FindContext): string {
  if (platform !== 'win32') return 'PATH';
  return Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'Path';
}

function separator({ platform }: FindContext): string {
  return platform === 'win32' ? ';' : ':';
}

/** Windows: the endings of `PATHEXT` that we can start without a shell, in the system's order. */
function extensions({ env, platform }: FindContext): readonly string[] {
  if (platform !== 'win32') return [''];
  const known = ['.com', '.exe', '.cmd', '.bat'];
  const listed = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';');
  return listed.map((extension) => extension.trim()).filter((extension) => known.includes(extension));
}

/** A variable of Windows, whose names have no case. */
function variable(env: FindContext['env'], name: string): string | undefined {
  for (const [key, value] of Object.entries(env)) if (key.toUpperCase() === name) return value;
  return undefined;
}

/** How to start `file` without a shell; null when it is no program. */
function asStart(file: string, context: FindContext): FoundCommand | null {
  const script = /\.[cm]?js$/i.test(file);
  if (script) return context.probe.read(file) === null ? null : withNode(file, context);
  if (!context.probe.isProgram(file)) return null;
  if (context.platform !== 'win32') return { type: 'found', command: file, args: [], env: {} };
  const ending = path.win32.extname(file).toLowerCase();
  if (ending === '.exe' || ending === '.com') return { type: 'found', command: file, args: [], env: {} };
  if (ending !== '.cmd' && ending !== '.bat') return null;
  const target = shimTarget(file, context.probe.read(file) ?? '');
  if (target === null) return null;
  if (path.win32.extname(target).toLowerCase() === '.exe') {
    return context.probe.isProgram(target) ? { type: 'found', command: target, args: [], env: {} } : null;
  }
  return context.probe.read(target) === null ? null : withNode(target, context, path.win32.dirname(file));
}

/** The file that an npm, pnpm or yarn shim hands `%*` to: the last quoted path below the shim's own folder on such a line. */
function shimTarget(shim: string, text: string): string | null {
  const line = text.split(/\r?\n/).findLast((candidate) => candidate.includes('%*'));
  const quoted = [...(line ?? '').matchAll(/"%(?:~dp0|dp0%)\\?([^"%]+)"/gi)].at(-1)?.[1];
  return quoted === undefined ? null : path.win32.join(path.win32.dirname(shim), quoted);
}

/** Runs `script` with the Node that its shim would take: the one beside it, the one on `PATH`, else ours. */
function withNode(script: string, context: FindContext, beside?: string): FoundCommand {
  const args = [script];
  if (context.platform === 'win32') {
    const folders = [...(beside === undefined ? [] : [beside]), ...places(context).map(({ folder }) => folder)];
    for (const folder of folders.filter((candidate) => path.win32.isAbsolute(candidate))) {
      const command = path.win32.join(folder, 'node.exe');
      if (context.probe.isProgram(command)) return { type: 'found', command, args, env: {} };
    }
  }
  return { type: 'found', command: context.node.command, args, env: context.node.env };
}
