import path from 'node:path';

/** What the place depends on; `process.env`, `process.platform` and `os.homedir()` outside tests. */
export interface StateFolderInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Absolute. */
  readonly homedir: string;
}

/**
 * Where runs, locks and private checkpoints live, shared by every face: `CGLOOP_HOME`, else the platform's state folder
 * with `cgloop` in it. Absolute; it need not exist. Throws when `CGLOOP_HOME` is not absolute.
 */
export function stateFolder({ env, platform, homedir }: StateFolderInput): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const own = env.CGLOOP_HOME;
  if (own !== undefined && own !== '') {
    if (!paths.isAbsolute(own)) throw new Error(`CGLOOP_HOME is "${own}", but must be an absolute path.`);
    return paths.normalize(own);
  }
  return paths.join(platformFolder({ env, platform, homedir }), 'cgloop');
}

function platformFolder({ env, platform, homedir }: StateFolderInput): string {
  switch (platform) {
    case 'win32':
      return absolute(env.LOCALAPPDATA, path.win32) ?? path.win32.join(homedir, 'AppData', 'Local');
    case 'darwin':
      return path.posix.join(homedir, 'Library', 'Application Support');
    default:
      return absolute(env.XDG_STATE_HOME, path.posix) ?? path.posix.join(homedir, '.local', 'state');
  }
}

/** The XDG base directory rules: a relative path there is invalid and ignored. */
function absolute(folder: string | undefined, paths: path.PlatformPath): string | null {
  return folder !== undefined && paths.isAbsolute(folder) ? folder : null;
}
