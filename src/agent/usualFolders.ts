import path from 'node:path';

/** What the usual folders depend on. `list` gives the names in a folder, none when it is not there. */
export interface UsualFoldersInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Absolute. */
  readonly home: string;
  readonly list: (folder: string) => readonly string[];
}

/**
 * Where installers and version managers put programs, best first, all absolute: the agents' own installers, then Node
 * version managers with their newest versions, package managers, the system.
 */
export function usualFolders(input: UsualFoldersInput): readonly string[] {
  const folders = input.platform === 'win32' ? windowsFolders(input) : posixFolders(input);
  return [...new Set(folders)];
}

function posixFolders({ env, platform, home, list }: UsualFoldersInput): readonly string[] {
  const { join } = path.posix;
  const at = (...parts: readonly string[]) => join(home, ...parts);
  const of = (name: string, ...parts: readonly string[]) => {
    const value = env[name];
    return value !== undefined && path.posix.isAbsolute(value) ? [join(value, ...parts)] : [];
  };
  const versions = (root: string, ...inside: readonly string[]) =>
    newestFirst(list(root)).map((name) => join(root, name, ...inside));
  const apps = at('Library', 'Application Support');
  return [
    at('.local', 'bin'),
    at('.claude', 'local'),
    at('bin'),
    ...of('NVM_BIN'),
    ...[...of('NVM_DIR', 'versions', 'node'), at('.nvm', 'versions', 'node')].flatMap((root) => versions(root, 'bin')),
    ...of('FNM_MULTISHELL_PATH', 'bin'),
    ...[...of('FNM_DIR'), at('.local', 'share', 'fnm'), at('.fnm'), join(apps, 'fnm')].flatMap((root) => [
      join(root, 'aliases', 'default', 'bin'),
      ...versions(join(root, 'node-versions'), 'installation', 'bin'),
    ]),
    ...of('VOLTA_HOME', 'bin'),
    at('.volta', 'bin'),
    ...of('ASDF_DATA_DIR', 'shims'),
    at('.asdf', 'shims'),
    ...of('MISE_DATA_DIR', 'shims'),
    at('.local', 'share', 'mise', 'shims'),
    ...of('NODENV_ROOT', 'shims'),
    at('.nodenv', 'shims'),
    ...of('N_PREFIX', 'bin'),
    at('n', 'bin'),
    at('.nodebrew', 'current', 'bin'),
    ...of('PNPM_HOME'),
    at('.local', 'share', 'pnpm'),
    at('Library', 'pnpm'),
    ...of('BUN_INSTALL', 'bin'),
    at('.bun', 'bin'),
    at('.deno', 'bin'),
    ...of('npm_config_prefix', 'bin'),
    at('.npm-global', 'bin'),
    at('.npm-packages', 'bin'),
    at('.yarn', 'bin'),
    at('.config', 'yarn', 'global', 'node_modules', '.bin'),
    at('.nix-profile', 'bin'),
    ...(platform === 'darwin' ? ['/opt/homebrew/bin'] : ['/home/linuxbrew/.linuxbrew/bin']),
    '/usr/local/bin',
    ...(platform === 'darwin' ? ['/opt/local/bin'] : ['/snap/bin', '/run/current-system/sw/bin']),
    '/usr/bin',
  ];
}

function windowsFolders({ env, home, list }: UsualFoldersInput): readonly string[] {
  const { join, isAbsolute } = path.win32;
  const of = (name: string, ...parts: readonly string[]) => {
    // Names have no case there.
    const value = Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
    return value !== undefined && isAbsolute(value) ? [join(value, ...parts)] : [];
  };
  const at = (...parts: readonly string[]) => join(home, ...parts);
  const versions = (root: string) => newestFirst(list(root)).map((name) => join(root, name));
  return [
    at('.local', 'bin'),
    at('.claude', 'local'),
    ...of('APPDATA', 'npm'),
    ...of('NVM_SYMLINK'),
    ...of('NVM_HOME').flatMap(versions),
    ...of('FNM_MULTISHELL_PATH'),
    ...of('APPDATA', 'fnm', 'aliases', 'default'),
    ...of('VOLTA_HOME', 'bin'),
    ...of('LOCALAPPDATA', 'Volta', 'bin'),
    ...of('PNPM_HOME'),
    ...of('LOCALAPPDATA', 'pnpm'),
    ...of('LOCALAPPDATA', 'mise', 'shims'),
    ...of('LOCALAPPDATA', 'Yarn', 'bin'),
    at('.bun', 'bin'),
    at('.deno', 'bin'),
    at('scoop', 'shims'),
    ...of('LOCALAPPDATA', 'Microsoft', 'WinGet', 'Links'),
    ...of('PROGRAMDATA', 'chocolatey', 'bin'),
    ...of('PROGRAMFILES', 'nodejs'),
  ];
}

/** Names such as `v22.3.0`, by number; what is no version comes last. */
function newestFirst(names: readonly string[]): readonly string[] {
  const numbers = (name: string) => (/^v?(\d+(?:\.\d+)*)/.exec(name)?.[1] ?? '-1').split('.').map(Number);
  return names.toSorted((a, b) => {
    const [left, right] = [numbers(a), numbers(b)];
    for (let place = 0; place < Math.max(left.length, right.length); place++) {
      const difference = (right[place] ?? 0) - (left[place] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}
