import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { createNodeFs } from '../../src/cli/nodeFs.ts';
import type { FileService } from '../../src/scheduler/fileService.ts';
import type { WireObject } from '../../src/shared/wire.ts';
import { type FilesGround, startFilesGround } from '../fakes/filesGround.ts';

const SETUP = z.discriminatedUnion('op', [
  z.object({ op: z.literal('file'), path: z.string(), b64: z.base64(), mode: z.string().optional() }),
  z.object({ op: z.literal('dir'), path: z.string() }),
  z.object({ op: z.literal('symlink'), path: z.string(), target: z.string() }),
  z.object({ op: z.literal('generate'), path: z.string(), line: z.string(), count: z.number() }),
  z.object({ op: z.literal('diskWrite'), path: z.string(), b64: z.base64() }),
  z.object({
    op: z.literal('openDocument'),
    path: z.string(),
    replaceWith: z.string().optional(),
    save: z.boolean().optional(),
  }),
  z.object({ op: z.literal('openUntitled'), name: z.string(), text: z.string() }),
]);
type Setup = z.infer<typeof SETUP>;

const EXPECTED_ERROR = z.strictObject({
  code: z.number().optional(),
  not_code: z.array(z.number()).optional(),
  message_contains_any: z.array(z.string()).optional(),
  message_not_contains: z.array(z.string()).optional(),
});

const EXPECTED = z.strictObject({
  result: z.record(z.string(), z.json()).optional(),
  error: EXPECTED_ERROR.optional(),
  /** Path → bytes in base64; null: there is nothing. */
  disk: z.record(z.string(), z.string().nullable()).optional(),
  /** Path → text of the open document. */
  document: z.record(z.string(), z.string()).optional(),
  max_seconds: z.number().optional(),
});
type Expected = z.infer<typeof EXPECTED>;

/** One request of an agent for a file, what is there before, and what comes of it. */
const FILES_CASE = z.looseObject({
  platform: z.enum(['any', 'linux', 'windows']),
  input: z.object({
    folders: z.array(z.string()).min(1),
    setup: z.array(SETUP),
    request: z.object({ method: z.string(), params: z.record(z.string(), z.json()) }),
  }),
  expected: EXPECTED,
  /** Of these, only other errors are right as well; the others are words for readers. */
  tolerated: z.array(z.looseObject({ error: EXPECTED_ERROR.optional() })).default([]),
});

/** The face whose files are served: plain Node, or a real VS Code with its documents. */
export interface FilesFace {
  /** `more`: folders beside the run's. */
  readonly service: (more: readonly string[]) => FileService;
  /** Null where there are no editors. */
  readonly editors: {
    open(file: string, replaceWith: string | null, save: boolean): Promise<void>;
    openUntitled(name: string, text: string): Promise<void>;
    text(file: string): string | null;
    /** Closes what the case opened. */
    close(): Promise<void>;
  } | null;
}

const PLAIN_NODE: FilesFace = { service: (folders) => createNodeFs({ folders }), editors: null };

/**
 * Plays the request over a wire to the product's code; gives one line for each thing that differs, none for a pass, and
 * null for a case of another platform, or of editors where there are none.
 */
export async function runFilesCase(testCase: unknown, face: FilesFace = PLAIN_NODE): Promise<string[] | null> {
  const { platform, input, expected, tolerated } = FILES_CASE.parse(testCase);
  const isHere = platform === 'any' || (platform === 'windows') === (process.platform === 'win32');
  const needsEditors = input.setup.some(({ op }) => op === 'openDocument' || op === 'openUntitled');
  if (!isHere || (needsEditors && face.editors === null)) return null;

  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-files-')));
  const fill = (text: string) =>
    text
      .replaceAll('${WS2}', path.join(base, 'ws2'))
      .replaceAll('${WS}', path.join(base, 'ws'))
      .replaceAll('${OUTNAME}', 'out')
      .replaceAll('${OUT}', path.join(base, 'out'));
  let ground: FilesGround | null = null;
  try {
    for (const name of ['ws', 'ws2', 'out']) fs.mkdirSync(path.join(base, name));
    for (const step of input.setup) await prepare(step, fill, face);
    const [folder = '', ...more] = input.folders.map(fill);
    ground = await startFilesGround({ folder, files: face.service(more) });
    const params = JSON.parse(JSON.stringify(input.request.params), (_key, value: unknown) =>
      typeof value === 'string' ? fill(value) : value,
    );
    const started = performance.now();
    const answer = await ground.ask(input.request.method, params);
    const seconds = (performance.now() - started) / 1000;
    const problems = (wanted: Expected) => differencesTo(wanted, answer, seconds, fill, face);
    const differences = problems(expected);
    const others = tolerated.flatMap(({ error }) => (error === undefined ? [] : [{ error }]));
    return others.some((other) => problems(other).length === 0) ? [] : differences;
  } finally {
    await ground?.end();
    await face.editors?.close();
    fs.rmSync(base, { recursive: true, force: true });
  }
}

async function prepare(step: Setup, fill: (text: string) => string, face: FilesFace): Promise<void> {
  const file = step.op === 'openUntitled' ? '' : fill(step.path);
  switch (step.op) {
    case 'file':
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, Buffer.from(step.b64, 'base64'));
      if (step.mode !== undefined) fs.chmodSync(file, Number.parseInt(step.mode, 8));
      return;
    case 'dir':
      fs.mkdirSync(file, { recursive: true });
      return;
    case 'symlink':
      fs.symlinkSync(fill(step.target), file);
      return;
    case 'generate':
      fs.writeFileSync(file, step.line.repeat(step.count));
      return;
    case 'diskWrite':
      fs.writeFileSync(file, Buffer.from(step.b64, 'base64'));
      return;
    case 'openDocument':
      return face.editors?.open(file, step.replaceWith ?? null, step.save ?? false);
    case 'openUntitled':
      return face.editors?.openUntitled(step.name, step.text);
    default:
      return step satisfies never;
  }
}

function differencesTo(
  wanted: Expected,
  answer: WireObject,
  seconds: number,
  fill: (text: string) => string,
  face: FilesFace,
): string[] {
  const lines: string[] = [];
  const check = (what: string, holds: boolean) => {
    if (!holds) lines.push(`${what}; got ${JSON.stringify(answer).slice(0, 300)}`);
  };
  if (wanted.result !== undefined) {
    // ACP lets the answer of a write be null or an object.
    const result = JSON.stringify(answer.result ?? ('error' in answer ? undefined : {}));
    check(`result: expected ${JSON.stringify(wanted.result)}`, result === JSON.stringify(wanted.result));
  }
  if (wanted.error !== undefined) {
    const parsed = z.looseObject({ code: z.number(), message: z.string() }).safeParse(answer.error);
    if (!parsed.success) check('expected an error object', false);
    else lines.push(...errorDifferences(wanted.error, parsed.data));
  }
  for (const [name, bytes] of Object.entries(wanted.disk ?? {})) {
    const file = fill(name);
    const there = fs.existsSync(file) ? fs.readFileSync(file).toString('base64') : null;
    if (there !== bytes) lines.push(`disk ${name}: expected ${bytes}, got ${there}`);
  }
  for (const [name, text] of Object.entries(wanted.document ?? {})) {
    const shown = face.editors?.text(fill(name)) ?? null;
    if (shown !== text) lines.push(`document ${name}: expected ${JSON.stringify(text)}, got ${JSON.stringify(shown)}`);
  }
  if (wanted.max_seconds !== undefined && seconds > wanted.max_seconds)
    lines.push(`took ${seconds.toFixed(1)} s, at most ${wanted.max_seconds} s are allowed`);
  return lines;
}

function errorDifferences(
  wanted: z.infer<typeof EXPECTED_ERROR>,
  { code, message }: { readonly code: number; readonly message: string },
): string[] {
  const lines: string[] = [];
  const said = `${code} ${JSON.stringify(message)}`;
  const holds = (words: string) => message.toLowerCase().includes(words.toLowerCase());
  if (wanted.code !== undefined && wanted.code !== code) lines.push(`expected code ${wanted.code}, got ${said}`);
  if (wanted.not_code?.includes(code)) lines.push(`a code that must not be: ${said}`);
  if (wanted.message_contains_any?.some(holds) === false) lines.push(`lacks its words: ${said}`);
  for (const words of wanted.message_not_contains ?? []) if (holds(words)) lines.push(`says "${words}": ${said}`);
  return lines;
}
