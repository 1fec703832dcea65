import assert from 'node:assert/strict';
import { fuzzyFiles } from '../../src/host/fuzzyPath.ts';

const FILES = [
  'README.md',
  'src/agent/agent.ts',
  'src/agent/acpAgent.ts',
  'src/loop/runTurn.ts',
  'src/loop/loop.ts',
  'src/host/runRows.ts',
  'test/loop/loop.test.ts',
  'docs/turning.md',
].map((path) => ({ path }));

const best = (query: string, count = 1) =>
  fuzzyFiles(query, FILES)
    .slice(0, count)
    .map(({ path }) => path);

describe('fuzzyFiles', () => {
  it('gives all as they come for an empty query, at most 50', () => {
    assert.deepEqual(fuzzyFiles('', FILES), FILES);
    assert.equal(
      fuzzyFiles(
        '',
        Array.from({ length: 80 }, (_, index) => ({ path: `${index}` })),
      ).length,
      50,
    );
  });

  it('finds the name before the folder, the whole name before a part of one', () => {
    assert.deepEqual(best('agent', 2), ['src/agent/agent.ts', 'src/agent/acpAgent.ts']);
    assert.deepEqual(best('loop', 2), ['src/loop/loop.ts', 'test/loop/loop.test.ts']);
    assert.deepEqual(best('loop.ts'), ['src/loop/loop.ts']);
  });

  it('finds the beginnings of words, whatever their case, and folders when one is typed', () => {
    assert.deepEqual(best('rt'), ['src/loop/runTurn.ts']);
    assert.deepEqual(best('runtu'), ['src/loop/runTurn.ts']);
    assert.deepEqual(best('host/rr'), ['src/host/runRows.ts']);
    assert.deepEqual(best('test/loop'), ['test/loop/loop.test.ts']);
  });

  it('finds nothing that lacks a character of the query', () => {
    assert.deepEqual(best('xyz'), []);
    assert.deepEqual(best('agentagentagent'), []);
  });

  it('is quick enough for every key in a folder of 50,000 files', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => ({
      path: `packages/p${index % 97}/src/module${index}.ts`,
    }));
    const before = process.cpuUsage();
    assert.equal(fuzzyFiles('p42module7', many).length, 50);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms of processor time`);
  });
});
