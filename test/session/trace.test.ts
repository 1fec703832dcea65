import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { LogError } from '../../src/session/logFormat.ts';
import { createRedactor } from '../../src/session/redact.ts';
import { createTrace, isTrace, parseTrace } from '../../src/session/trace.ts';
import { PRODUCT, RUN } from './events.ts';

describe('the trace of a run', () => {
  let folder = '';
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-trace-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const redact = createRedactor(['planted-key-01'], '/home/me');

  it('keeps what came before its file, stamps by its clock, redacts, and is read back', () => {
    let now = 1000;
    const trace = createTrace(() => now, redact);
    const file = path.join(folder, 'trace.jsonl');
    trace.add('execute', { dir: 'start', agent: RUN.executor, command: '/home/me/bin/claude', args: ['-p'] });
    now = 1005.4;
    trace.add('execute', { dir: 'out', line: '{"key":"planted-key-01","at":"/home/me/project"}' });
    trace.writeTo(file, PRODUCT, { ...RUN, folder: '/home/me/project' });
    now = 1010;
    trace.add('review', { dir: 'in', line: 'not JSON' });
    trace.add('review', { dir: 'exit', code: 0, signal: null, error: null, stderr: 'planted-key-01' });
    trace.close();
    trace.add('review', { dir: 'in', line: 'too late' });
    const text = fs.readFileSync(file, 'utf8');
    assert.doesNotMatch(text, /planted|home\/me|too late/);
    if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    const read = parseTrace(file, text);
    assert.equal(read.run.folder, '~/project');
    assert.deepEqual(
      read.lines.map(({ ms, role, dir }) => [ms, role, dir]),
      [
        [0, 'execute', 'start'],
        [5, 'execute', 'out'],
        [10, 'review', 'in'],
        [10, 'review', 'exit'],
      ],
    );
    assert.ok(read.lines[1]?.dir === 'out');
    assert.deepEqual(JSON.parse(read.lines[1].line), { key: '[redacted]', at: '~/project' });
  });

  it('ends no run when its file cannot be made', () => {
    const trace = createTrace(() => 1, redact);
    trace.writeTo(path.join(folder, 'gone', 'trace.jsonl'), PRODUCT, RUN);
    trace.add('review', { dir: 'in', line: 'x' });
    trace.close();
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it('names a line that cannot be read, drops a torn end, and refuses another file', () => {
    const header = JSON.stringify({ format: 'cgloop-trace', version: 1, product: PRODUCT, run: RUN });
    const good = JSON.stringify({ ms: 1, role: 'review', dir: 'in', line: '{}' });
    const { lines, problems } = parseTrace('t', `${header}\n${good}\n{"dir":"odd"}\nnoise\n{"ms":`);
    assert.equal(lines.length, 1);
    assert.deepEqual(
      problems.map((problem) => problem.slice(0, 6)),
      ['Line 3', 'Line 4'],
    );
    assert.ok(isTrace(header));
    assert.ok(!isTrace('{"format":"cgloop-run"}'));
    assert.throws(() => parseTrace('t', good), LogError);
  });
});
