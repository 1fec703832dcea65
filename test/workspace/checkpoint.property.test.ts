import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { openCheckpoints } from '../../src/workspace/checkpoint.ts';
import { at, clear, commit, files, type Ground, ground, repositoryState, restore } from './grounds.ts';

/** One thing that a person or an agent does to the tree. */
type Step =
  | { readonly do: 'write'; readonly file: string; readonly content: number; readonly executable: boolean }
  | { readonly do: 'link'; readonly file: string; readonly target: string }
  | { readonly do: 'remove'; readonly file: string }
  | { readonly do: 'move'; readonly file: string; readonly to: string }
  | { readonly do: 'ignore'; readonly file: string; readonly rules: string }
  | { readonly do: 'git'; readonly args: readonly string[] }
  | { readonly do: 'commit' };

/** Names that fall on each other: files that are folders elsewhere, blanks, other letters, line feeds, ignored ones. */
const FILES = [
  'a',
  'b',
  'd',
  'd/x',
  'd/e',
  'd/e/y',
  'sp ace',
  'ü/ñ',
  'new\nline',
  ':(top)z',
  'x.log',
  'd/x.log',
  'out/o',
  'lib/in',
];
const CONTENTS = [
  Buffer.from(''),
  Buffer.from('text\n'),
  Buffer.from('crlf\r\n'),
  Buffer.from('mixed\r\nlines\n'),
  Buffer.from([0, 255, 13, 10, 0]),
  Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n'),
  Buffer.from('$Id$\n'),
];
const RULES = ['', '*.log\n', 'out/\n', 'd/\n', '/a\n!x.log\n', '*\n!.gitignore\n'];

const file = fc.constantFrom(...FILES);
const steps = (withGit: boolean): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant('write' as const),
          file,
          content: fc.nat(CONTENTS.length - 1),
          executable: fc.boolean(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('link' as const),
          file,
          target: fc.constantFrom('d', 'a', '../outside', 'nowhere'),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), file }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), file, to: file }) },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('ignore' as const),
          file: fc.constantFrom('.gitignore', 'd/.gitignore'),
          rules: fc.constantFrom(...RULES),
        }),
      },
      ...(withGit
        ? [
            {
              weight: 2,
              arbitrary: fc.record({
                do: fc.constant('git' as const),
                args: fc.constantFrom(
                  ['add', '-A'],
                  ['add', '-f', '--', ':/a'],
                  ['rm', '-rq', '--cached', '.'],
                  ['reset', '-q'],
                ),
              }),
            },
            { weight: 1, arbitrary: fc.record({ do: fc.constant('commit' as const) }) },
          ]
        : []),
    ),
    { maxLength: 14 },
  );

const kinds = fc.constantFrom('repository', 'unborn', 'none', 'below', 'converting', 'submodule');

/** A step that the tree does not allow (a file below a file) is not taken. */
function take(own: Ground, step: Step): void {
  try {
    switch (step.do) {
      case 'write':
        own.write(step.file, CONTENTS[step.content] ?? '', step.executable ? 0o755 : 0o644);
        break;
      case 'link':
        own.link(step.file, step.target);
        break;
      case 'remove':
        own.remove(step.file);
        break;
      case 'move':
        own.git('mv', '-f', '--', step.file, step.to);
        break;
      case 'ignore':
        own.write(step.file, step.rules);
        break;
      case 'git':
        own.git(...step.args);
        break;
      case 'commit':
        commit(own, 'step');
        break;
    }
  } catch {}
}

/** By the user's own git (or an empty repository beside the folder), and in a submodule: what is no part of a checkpoint. */
function ignored(own: Ground, hasGit: boolean): Set<string> {
  const beside = path.join(own.folder, '../beside.git');
  if (!hasGit) own.git('init', '--quiet', '--bare', beside);
  const where = hasGit ? [] : [`--git-dir=${beside}`, '--work-tree=.'];
  const list = (...args: string[]): string[] => {
    const names = own.git(...where, 'ls-files', '-z', ...args);
    return names.split('\0').filter(Boolean);
  };
  const tracked = new Set(list('--cached'));
  const inside = own.exists('lib/.git') ? [...files(own.folder).keys()].filter((name) => name.startsWith('lib/')) : [];
  const rules = list('--others', '--ignored', '--exclude-standard').filter((name) => !tracked.has(name));
  return new Set([...rules, ...inside]);
}

/** What the rules name, though the user has added it since: whether it was there before, no checkpoint knows. */
function addedThoughIgnored(own: Ground, hasGit: boolean): Set<string> {
  if (!hasGit) return new Set();
  const names = own.git('ls-files', '-z', '--cached', '--ignored', '--exclude-standard');
  return new Set(names.split('\0').filter(Boolean));
}

const without = (all: Map<string, string>, names: Set<string>): Map<string, string> =>
  new Map([...all].filter(([name]) => !names.has(name)).sort());

function prepare(kind: string): { own: Ground; hasGit: boolean } {
  if (kind === 'none') return { own: ground('none'), hasGit: false };
  if (kind === 'unborn') return { own: ground('unborn'), hasGit: true };
  const top = ground('repository');
  if (kind === 'below') {
    top.write('sub/f older/first.txt', 'below\n');
    return {
      own: at(path.join(top.folder, 'sub/f older'), top.stateFolder, path.join(top.folder, '../home')),
      hasGit: true,
    };
  }
  if (kind === 'converting') {
    top.git('config', 'core.autocrlf', 'true');
    top.write('.gitattributes', '* text=auto eol=crlf ident filter=none\nd/** working-tree-encoding=UTF-16 -diff\n');
  }
  if (kind === 'submodule') {
    const lib = ground('repository', 'lib');
    top.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib.folder, 'lib');
    commit(top, 'with a submodule');
  }
  return { own: top, hasGit: true };
}

describe('checkpoint of generated trees (E6)', function () {
  const runs = process.env.DEEP === '1' ? 500 : 15;
  this.timeout(runs * 10_000);

  it(`leaves the user's repository alone, restores exactly, and can go back (${runs} trees)`, async () => {
    await fc.assert(
      fc.asyncProperty(kinds, steps(true), steps(true), async (kind, steps, then) => {
        try {
          const { own, hasGit } = prepare(kind);
          for (const step of steps) take(own, step);
          const repository = hasGit ? repositoryState(own) : {};
          const before = files(own.folder, true);
          const kept = files(own.folder);
          const hidden = ignored(own, hasGit);

          const open = () => openCheckpoints({ folder: own.folder, stateFolder: own.stateFolder, runId: 'r' });
          const first = await open();
          const start = await first.snapshot('start');
          await first.close();
          assert.deepEqual(files(own.folder, true), before, 'the snapshot touched a file');
          if (hasGit) assert.deepEqual(repositoryState(own), repository, 'the snapshot touched the repository');

          for (const step of then) take(own, step);
          // Another process, which begins with what the first one had hashed in the same instant.
          const checkpoints = await open();
          const changed = files(own.folder);
          const changedRepository = hasGit ? repositoryState(own) : {};
          const { replaced } = await restore(checkpoints, start);
          if (hasGit) assert.deepEqual(repositoryState(own), changedRepository, 'the restore touched the repository');

          const after = files(own.folder);
          assert.equal(await checkpoints.treeNow(), start.tree);
          for (const [name, what] of without(kept, hidden)) {
            assert.equal(after.get(name), what, `not restored: ${name}`);
          }
          const hiddenNow = new Set([...ignored(own, hasGit), ...addedThoughIgnored(own, hasGit)]);
          for (const [name, what] of after) {
            if (kept.has(name) && !hidden.has(name)) continue;
            assert.ok(hiddenNow.has(name), `came later and is still there: ${name}`);
            assert.equal(changed.get(name), what, `ignored, and not left alone: ${name}`);
          }

          await restore(checkpoints, replaced);
          const back = files(own.folder);
          for (const [name, what] of changed) assert.equal(back.get(name), what, `not brought back: ${name}`);
          await checkpoints.close();
        } finally {
          clear();
        }
      }),
      { numRuns: runs, endOnFailure: process.env.DEEP !== '1' },
    );
  });
});
