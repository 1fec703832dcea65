import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import * as z from 'zod';
import { startProgram } from '../e2e/harness/terminal.ts';
import { readTranscript, TRANSCRIPTS } from '../tools/goldenTranscript.ts';
import type { Bench, Figure, Goal } from './figure.ts';
import { withProgram } from './program.ts';
import type { Recorded } from './wireCounts.ts';

/** B5: counts, which no load of the machine changes. */
export const COUNT_BENCHES: readonly Bench[] = [{ ids: ['B5'], measure: countOnTheWire }];

const validated = z.object({ messages: z.number(), done: z.number() });
const wireCounts = z.object({
  validations: z.object({ acp: validated, claude: validated, gemini: validated }),
  lost: z.number(),
  bursts: z.number(),
  pending: z.number(),
  settledInTime: z.number(),
});

function countOnTheWire(): Promise<readonly Figure[]> {
  const work = async (program: string) => {
    const file = path.join(path.dirname(program), 'recorded.json');
    await writeFile(file, JSON.stringify(recorded()));
    const options = { cwd: path.dirname(program), env: { PATH: process.env.PATH ?? '' } };
    const { code, stdout, stderr } = await startProgram(process.execPath, [program, file], options).done;
    assert.equal(code, 0, stderr);
    const { validations, lost, bursts, pending, settledInTime } = wireCounts.parse(JSON.parse(stdout));
    const count = (name: string, value: number, goal: Goal): Figure => ({
      id: 'B5',
      name,
      value,
      reference: null,
      ratio: null,
      goal,
    });
    const once = (name: string, { messages, done }: z.output<typeof validated>) =>
      count(`validations a message, ${name} (${messages} messages)`, done / messages, { is: '=', number: 1 });
    return [
      once('ACP', validations.acp),
      once('Claude Code', validations.claude),
      once('Gemini headless', validations.gemini),
      count(`updates lost in ${bursts} × burst + response + exit`, lost, { is: '=', number: 0 }),
      count(`% of ${pending} pending requests settled 100 ms after SIGKILL`, (settledInTime / pending) * 100, {
        is: '=',
        number: 100,
      }),
    ];
  };
  return withProgram('wireCounts', work, { plugins: [COUNTING] });
}

/** What the CLIs said in the recordings; a question of Claude Code is left out, whose parts are read one by one. */
function recorded(): Recorded {
  const said = (folder: string, isOfWire: (name: string) => boolean) =>
    readdirSync(path.join(TRANSCRIPTS, folder))
      .filter((name) => name.endsWith('.jsonl') && isOfWire(name))
      .map((name) =>
        readTranscript(`${folder}/${path.basename(name, '.jsonl')}`).rows.flatMap((row) =>
          row.dir === 'out' && row.line !== undefined && row.line.type !== 'control_request' ? [row.line] : [],
        ),
      );
  return { claude: said('claude', () => true), gemini: said('gemini', (name) => name.startsWith('sj-')) };
}

/** Makes the bundled `parseWire` tell of each validation, and makes sure that nothing else validates. */
const COUNTING: Plugin = {
  name: 'count validations',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/][^\\/]+[\\/][^\\/]+\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8');
      const calls = source.match(/\.(safeParse|parse|parseAsync|safeParseAsync)\(/g) ?? [];
      const validates =
        calls.length - (source.match(/JSON\.parse\(/g) ?? []).length - (source.match(/path\.parse\(/g) ?? []).length;
      if (path.basename(file) !== 'parseWire.ts') {
        assert.equal(validates, 0, `${file} validates without parseWire`);
        return { contents: source, loader: 'ts' };
      }
      const call = 'schema.safeParse(raw)';
      assert.deepEqual([validates, source.split(call).length], [1, 2], `${file} does not validate once`);
      const contents = source.replace(call, `(channel('cgloop.validated').publish(null), ${call})`);
      return { contents: `import { channel } from 'node:diagnostics_channel';\n${contents}`, loader: 'ts' };
    });
  },
};
