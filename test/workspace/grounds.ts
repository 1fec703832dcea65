import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CheckpointRef } from '../../src/shared/fileEvents.ts';
import type { Checkpoints } from '../../src/workspace/checkpoint.ts';

/** A folder to take checkpoints of, with a state folder and a home of its own. */
export interface Ground {
  readonly folder: string;
  readonly stateFolder: string;
  /** The user's own git, with nothing of the contributor's settings. */
  git(...args: string[]): string;
  write(file: string, content: string | Buffer, mode?: number): void;
  link(file: string, target: string): void;
  remove(file: string): void;
  read(file: string): string;
  exists(file: string): boolean;
}

const made: string[] = [];
const before = { HOME: process.env.HOME, XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME };

/** A temporary folder whose path has a blank and a letter outside ASCII. */
export function temporary(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop tést ')));
  made.push(folder);
  return folder;
}

/** `repository`: with one commit of `first.txt`; `unborn`: initialised only; `none`: no git at all. */
export function ground(kind: 'repository' | 'unborn' | 'none', under = 'tree'): Ground {
  const root = temporary();
  const folder = path.join(root, under);
  const home = path.join(root, 'home');
  fs.mkdirSync(folder, { recursive: true });
  fs.mkdirSync(home);
  process.env.HOME = home;
  delete process.env.XDG_CONFIG_HOME;
  const own = at(folder, path.join(root, 'state'), home);
  if (kind !== 'none') own.git('init', '--quiet', '--initial-branch=main');
  if (kind === 'repository') {
    own.write('first.txt', 'first\n');
    own.git('add', '-A');
    commit(own, 'first');
  }
  return own;
}

export function at(folder: string, stateFolder: string, home: string): Ground {
  const absolute = (file: string): string => path.join(folder, file);
  return {
    folder,
    stateFolder,
    git: (...args) =>
      execFileSync('git', args, {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH, HOME: home, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1' },
      }),
    write(file, content, mode = 0o644) {
      fs.mkdirSync(path.dirname(absolute(file)), { recursive: true });
      fs.rmSync(absolute(file), { force: true });
      fs.writeFileSync(absolute(file), content, { mode });
      fs.chmodSync(absolute(file), mode);
    },
    link(file, target) {
      fs.mkdirSync(path.dirname(absolute(file)), { recursive: true });
      fs.rmSync(absolute(file), { force: true });
      fs.symlinkSync(target, absolute(file));
    },
    remove: (file) => fs.rmSync(absolute(file), { recursive: true, force: true }),
    read: (file) => fs.readFileSync(absolute(file), 'utf8'),
    exists: (file) => fs.lstatSync(absolute(file), { throwIfNoEntry: false }) !== undefined,
  };
}

/** The repository itself needs no identity; the user's own commit here does. */
export function commit(own: Ground, message: string): void {
  own.git('-c', 'user.name=U', '-c', 'user.email=u@example.org', 'commit', '--quiet', '--allow-empty', '-m', message);
}

/** Makes the folder equal to the checkpoint, but for the files of `keep`. */
export function restore(checkpoints: Checkpoints, to: CheckpointRef, keep: readonly string[] = []) {
  return checkpoints.putBack({ from: null, to, label: to.label, keep });
}

/** Removes every ground and gives the environment back. */
export function clear(): void {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  for (const folder of made.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
}

/** Every file and link below a folder but `.git`: type, execution, content; with `times`, also when it was written. */
export function files(folder: string, times = false): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (relative: string): void => {
    for (const entry of fs.readdirSync(path.join(folder, relative), { withFileTypes: true })) {
      const name = path.posix.join(relative, entry.name);
      if (entry.name === '.git') continue;
      const absolute = path.join(folder, name);
      const stat = fs.lstatSync(absolute);
      const time = times ? ` ${stat.mtimeMs}` : '';
      if (entry.isDirectory()) walk(name);
      else if (entry.isSymbolicLink()) found.set(name, `link ${fs.readlinkSync(absolute)}${time}`);
      else found.set(name, `${stat.mode & 0o100 ? 'exec' : 'file'} ${fs.readFileSync(absolute, 'base64')}${time}`);
    }
  };
  walk('');
  return found;
}

/** All of the user's repository that a checkpoint must not touch. */
export function repositoryState(own: Ground): Record<string, string> {
  const gitDir = own.git('rev-parse', '--absolute-git-dir').trim();
  const common = path.resolve(own.folder, own.git('rev-parse', '--git-common-dir').trim());
  const bytes = (file: string): string =>
    fs.existsSync(file) && fs.statSync(file).isFile() ? fs.readFileSync(file, 'base64') : 'none';
  const refs = own.git('for-each-ref', '--format=%(refname) %(objectname)');
  return {
    HEAD: bytes(path.join(gitDir, 'HEAD')),
    index: bytes(path.join(gitDir, 'index')),
    config: bytes(path.join(common, 'config')),
    exclude: bytes(path.join(common, 'info', 'exclude')),
    attributes: bytes(path.join(common, 'info', 'attributes')),
    stash: own.git('stash', 'list'),
    refs: refs
      .split('\n')
      .filter((line) => !line.startsWith('refs/cgloop/'))
      .join('\n'),
    logs: fs.existsSync(path.join(common, 'logs'))
      ? fs.readdirSync(path.join(common, 'logs'), { recursive: true }).join('\n')
      : '',
    top: fs.readdirSync(gitDir).sort().join(' '),
  };
}
