import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { headerLine, LOG_NAME } from '../session/logFormat.ts';
import { PRODUCT } from '../session/product.ts';
import { createRedactor, knownSecrets, type Redactor } from '../session/redact.ts';
import { readRun, runHeaderOf } from '../session/replay.ts';
import { TRACE_NAME } from '../session/trace.ts';
import type { DoctorReport } from '../shared/doctor.ts';
import type { Ending } from '../shared/ending.ts';
import type { LoopEvent, RunHeader } from '../shared/events.ts';
import { reduce } from '../shared/reduce.ts';
import { EMPTY_VIEW } from '../shared/view.ts';

export interface ReportOptions {
  /** The run's folder on disk. */
  readonly directory: string;
  readonly stateFolder: string;
  /** Null: the setup was not looked at. */
  readonly doctor: DoctorReport | null;
  /** Of the programs around us, such as the editor: name → version. */
  readonly versions: Readonly<Record<string, string>>;
  /** Catalog id → variable → value: taken out wherever they stand. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A report to read and then to share: a folder with `report.md`, `log.jsonl`, and `trace.jsonl` where there is one. */
export interface Report {
  readonly folder: string;
  /** The file to read first. */
  readonly file: string;
}

/**
 * Gathers what a maintainer needs to see what happened in a run, without keys, authorization and the home folder. Replaces
 * an earlier report of the same run. Rejects with `LogError` when there is no log.
 */
export async function writeReport(options: ReportOptions): Promise<Report> {
  const { directory, stateFolder, doctor, versions, secrets } = options;
  const { header, events, problems } = await readRun(directory);
  const redact = createRedactor(knownSecrets(process.env, secrets), os.homedir());
  const folder = path.join(stateFolder, 'reports', path.basename(directory));
  await fs.rm(folder, { recursive: true, force: true });
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) => fs.writeFile(path.join(folder, name), text, { mode: 0o600 });
  await write(LOG_NAME, headerLine(header.product) + events.map((event) => lineOf(event, redact)).join(''));
  const trace = await fs.readFile(path.join(directory, TRACE_NAME), 'utf8').catch(() => null);
  if (trace !== null) await write(TRACE_NAME, trace.split('\n').map(redact).join('\n'));
  const own = { [PRODUCT.name]: PRODUCT.version, Node: process.versions.node, [os.type()]: os.release() };
  const text = describe({
    run: runHeaderOf(events),
    events,
    doctor,
    versions: { ...own, ...versions },
    problems,
    files: [LOG_NAME, ...(trace === null ? [] : [TRACE_NAME])],
  });
  const file = path.join(folder, 'report.md');
  await fs.writeFile(file, redact(text), { mode: 0o600 });
  return { folder, file };
}

function lineOf(event: LoopEvent, redact: Redactor): string {
  return `${redact(JSON.stringify(event))}\n`;
}

interface Contents {
  readonly run: RunHeader | null;
  readonly events: readonly LoopEvent[];
  readonly doctor: DoctorReport | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
  readonly files: readonly string[];
}

function describe({ run, events, doctor, versions, problems, files }: Contents): string {
  const ended = events.findLast((event) => event.type === 'run.ended');
  const view = reduce(EMPTY_VIEW, events);
  const ready = Object.values(view.agents).filter((agent) => agent !== null);
  const diagnostics = events.flatMap((event) =>
    event.type === 'diagnostic' && event.derived.level !== 'info'
      ? [`- round ${event.round}, ${event.role}, ${event.derived.code}: ${oneLine(event.derived.text)}`]
      : [],
  );
  return [
    '# A report of a run',
    '',
    '**Read this folder before you share it.** Keys, authorization headers and the path of your home folder were taken out.',
    'What stays: your task, what the agents said, what their tools were given and gave, and with it parts of your files.',
    '',
    `Files: ${files.map((name) => `\`${name}\``).join(', ')}. \`cgloop replay FOLDER\` shows the run again.`,
    '',
    '## Versions',
    '',
    ...Object.entries(versions).map(([name, version]) => `- ${name} ${version}`),
    ...ready.map(({ name, version, protocol }) => `- ${name} ${version ?? '(version unknown)'}, ${protocol}`),
    '',
    '## The run',
    '',
    ...(run === null ? ['Its log does not say what was asked for.'] : runLines(run)),
    `- Ending: ${ended?.type === 'run.ended' ? endingLine(ended.ending) : 'none in the log'}`,
    '',
    '## Warnings and errors',
    '',
    ...(diagnostics.length === 0 ? ['None in the log.'] : diagnostics.slice(-50)),
    ...problems.map((problem) => `- log: ${oneLine(problem)}`),
    '',
    '## Setup',
    '',
    ...(doctor === null ? ['Not looked at.'] : doctorLines(doctor)),
    '',
  ].join('\n');
}

function runLines(run: RunHeader): readonly string[] {
  return [
    `- Id: ${run.id}`,
    `- Executor ${run.executor.name}, reviewer ${run.reviewer.name}, ${run.rounds} rounds, approved from ${run.threshold}`,
    `- Permission ${run.permissionMode}, ${run.trusted ? 'trusted' : 'not trusted'}, turn limit ${run.turnLimitSeconds} s`,
  ];
}

function endingLine(ending: Ending): string {
  return oneLine(JSON.stringify(ending));
}

function doctorLines({ sections }: DoctorReport): readonly string[] {
  return sections.flatMap(({ title, lines }) => [
    `- ${oneLine(title)}`,
    ...lines.map(({ level, what, fix }) => `  - ${level}: ${oneLine(`${what} ${fix}`)}`),
  ]);
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}
