import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startProgram } from '../e2e/harness/terminal.ts';
import type { Bench, Figure } from './figure.ts';
import { median, withProgram } from './program.ts';

/** Group B: what stands between the bytes of an agent and our types, one process pair each. */
export const TRANSPORT_BENCHES: readonly Bench[] = [
  {
    ids: ['B1'],
    measure: () =>
      compare('B1', '200-byte updates', { bytes: 200, lines: 20_000, times: 3 }, [
        { other: 'readline', words: 'readline + JSON.parse', most: 6.5 },
        { other: 'sdk', words: '@agentclientprotocol/sdk', most: 0.6 },
      ]),
  },
  {
    ids: ['B2'],
    measure: () =>
      compare('B2', '1 MB updates', { bytes: 1_000_000, lines: 20, times: 5 }, [
        { other: 'readline', words: 'readline + JSON.parse', most: 0.9 },
      ]),
  },
];

interface Traffic {
  /** Of one line. */
  readonly bytes: number;
  /** Of the file, which is read `times` times. */
  readonly lines: number;
  readonly times: number;
}

interface Other {
  readonly other: 'readline' | 'sdk';
  readonly words: string;
  /** Goal for ours / theirs. */
  readonly most: number;
}

const PAIRS = 5;

/** Ours and each other, in turns: the ratio is the median of those of the turns. */
function compare(id: string, what: string, traffic: Traffic, others: readonly Other[]): Promise<readonly Figure[]> {
  return withProgram('wireReader', async (program) => {
    const file = path.join(path.dirname(program), 'lines.jsonl');
    await writeFile(file, `${updateOf(traffic.bytes)}\n`.repeat(traffic.lines));
    const messages = traffic.lines * traffic.times;
    const files = Array.from({ length: traffic.times }, () => file);
    /** Microseconds of CPU a message. */
    const read = async (way: string): Promise<number> => {
      const args = [program, way, String(messages), ...files];
      const options = { cwd: path.dirname(program), env: { PATH: process.env.PATH ?? '' } };
      const { code, stdout, stderr } = await startProgram(process.execPath, args, options).done;
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^\d+\n$/, `${way} did not see every message: ${stderr}`);
      return Number(stdout) / messages;
    };
    const ours: number[] = [];
    const theirs = others.map((): number[] => []);
    for (let pair = 0; pair < PAIRS; pair++) {
      ours.push(await read('ours'));
      for (const [index, { other }] of others.entries()) theirs[index]?.push(await read(other));
    }
    return others.map(({ words, most }, index): Figure => {
      const reference = theirs[index] ?? [];
      return {
        id,
        name: `CPU µs a message, ${what}; ours / ${words}`,
        value: median(ours),
        reference: median(reference),
        ratio: median(ours.map((one, pair) => one / (reference[pair] ?? Number.NaN))),
        goal: { is: '≤', number: most },
      };
    });
  });
}

/** One `session/update` as a line of so many ASCII bytes: text with line feeds and quotes, as agents stream it. */
function updateOf(bytes: number): string {
  const line = (text: string) => {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    const params = { sessionId: 'f1629a70-9afd-44db-9968-39204bc611be', update };
    return JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params });
  };
  const code = 'const name = "value";\n';
  const room = bytes - line('').length;
  const whole = code.repeat(Math.floor(room / (code.length + 3)));
  const text = whole + 'x'.repeat(bytes - line(whole).length);
  return line(text);
}
