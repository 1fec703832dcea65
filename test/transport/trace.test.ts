import assert from 'node:assert/strict';
import { spawnChild } from '../../src/transport/childProcess.ts';
import { type ChildTrace, traceChild } from '../../src/transport/trace.ts';

/** Answers each line with a longer one, cut in the middle of a character, and ends with its input. */
const ECHO = `
  process.stdin.on('data', (chunk) => {
    const answer = Buffer.from(JSON.stringify({ heard: String(chunk).trim(), and: 'é' }) + '\\n');
    const cut = answer.indexOf(0xc3) + 1;
    process.stdout.write(answer.subarray(0, cut));
    setImmediate(() => process.stdout.write(answer.subarray(cut)));
  });
  process.stdin.on('end', () => { process.stderr.write('bye'); process.stdout.write('no end'); });
`;

describe('traceChild', () => {
  it('tells every line of both ways once, in order, and passes them on', async () => {
    const told: ChildTrace[] = [];
    const options = { command: process.execPath, args: ['-e', ECHO], cwd: process.cwd(), env: {} };
    const child = traceChild(spawnChild(options), (event) => told.push(event));
    const first = new Promise<string>((resolve) => {
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        if (text.includes('\n')) resolve(text);
      });
    });
    child.stdin.write('{"say":');
    child.stdin.write('"hi"}\n');
    assert.match(await first, /heard/);
    child.stdin.end();
    const exit = await child.exited;
    assert.equal(exit.code, 0);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(told[0], { dir: 'out', line: '{"say":"hi"}' });
    assert.deepEqual(told.at(-1), { dir: 'exit', exit, stderr: 'bye' });
    const incoming = told.flatMap((event) => (event.dir === 'in' ? [event.line] : []));
    assert.equal(incoming.at(-1), 'no end');
    assert.match(incoming[0] ?? '', /"and":"é"\}$/);
  });

  it('does not throw when the pipe is broken', async () => {
    const told: ChildTrace[] = [];
    const options = { command: process.execPath, args: ['-e', ''], cwd: process.cwd(), env: {} };
    const child = traceChild(spawnChild(options), (event) => told.push(event));
    await child.exited;
    child.stdin.write('late\n');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(told.filter(({ dir }) => dir === 'exit').length, 1);
    await child.stop();
  });
});
