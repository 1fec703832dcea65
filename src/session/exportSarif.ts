import { createHash } from 'node:crypto';
import { isOpen } from '../shared/isOpen.ts';
import type { Finding, Severity } from '../shared/review.ts';
import type { RunExport } from './exportJson.ts';
import type { Product } from './logFormat.ts';

/** What of SARIF 2.1.0 is written here (OASIS Standard sarif-v2.1.0, by the names of its properties). */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly SarifRun[];
}

interface SarifRun {
  readonly tool: { readonly driver: SarifDriver };
  readonly automationDetails: { readonly id: string };
  readonly invocations: readonly SarifInvocation[];
  readonly results: readonly SarifResult[];
}

interface SarifDriver {
  readonly name: string;
  readonly version: string;
  readonly rules: readonly {
    readonly id: string;
    readonly name: string;
    readonly shortDescription: SarifMessage;
    readonly defaultConfiguration: { readonly level: SarifLevel };
  }[];
}

interface SarifInvocation {
  readonly executionSuccessful: boolean;
  readonly startTimeUtc?: string;
  readonly endTimeUtc?: string;
  readonly toolExecutionNotifications: readonly { readonly level: SarifLevel; readonly message: SarifMessage }[];
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: SarifLevel;
  readonly message: SarifMessage;
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string; readonly uriBaseId: '%SRCROOT%' };
      readonly region?: { readonly startLine: number };
    };
  }[];
  readonly partialFingerprints: { readonly 'cgloopFinding/v1': string };
}

interface SarifMessage {
  readonly text: string;
}

type SarifLevel = 'error' | 'warning' | 'note';

const RULES = [
  { severity: 'blocker', name: 'Blocker', text: 'It must not be used like this.', level: 'error' },
  { severity: 'major', name: 'Major', text: 'Wrong or missing: it has to be fixed.', level: 'error' },
  { severity: 'minor', name: 'Minor', text: 'It should be better.', level: 'warning' },
  { severity: 'nit', name: 'Nit', text: 'A matter of taste.', level: 'note' },
] as const satisfies readonly {
  readonly severity: Severity;
  readonly name: string;
  readonly text: string;
  readonly level: SarifLevel;
}[];

/**
 * The open findings of a run as a SARIF 2.1.0 log, as GitHub code scanning takes it. `prefix`: from the root of the
 * repository to the run's folder, empty or with a `/` at its end. A finding without a file in that folder has no
 * location, which code scanning refuses: it is a notification of the run instead.
 */
export function exportSarif(run: RunExport, product: Product, prefix: string): SarifLog {
  const open = run.findings.filter((finding) => isOpen(finding));
  const results: SarifResult[] = [];
  const elsewhere: Finding[] = [];
  for (const finding of open) {
    const file = fileOf(finding, run.folder);
    if (file === null) elsewhere.push(finding);
    else results.push(resultOf(finding, `${prefix}${file}`));
  }
  const failed = run.ending?.type === 'failed' || run.ending?.type === 'noVerdict';
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: product.name,
            version: product.version,
            rules: RULES.map(({ severity, name, text, level }) => ({
              id: ruleId(severity),
              name,
              shortDescription: { text },
              defaultConfiguration: { level },
            })),
          },
        },
        automationDetails: { id: `cgloop/${run.kind}/${run.id}` },
        invocations: [
          {
            executionSuccessful: run.ending !== null && !failed,
            ...(run.startedAt === null ? {} : { startTimeUtc: run.startedAt }),
            ...(run.endedAt === null ? {} : { endTimeUtc: run.endedAt }),
            toolExecutionNotifications: elsewhere.map((finding) => ({
              level: ruleOf(finding.severity).level,
              message: messageOf(finding),
            })),
          },
        ],
        results,
      },
    ],
  };
}

function resultOf(finding: Finding, file: string): SarifResult {
  const { severity, line, title } = finding;
  const uri = file.toWellFormed().split('/').map(encodeURIComponent).join('/');
  const region = line === undefined || line < 1 ? {} : { region: { startLine: line } };
  // The line is left out: code above a finding makes it no other one.
  const mark = createHash('sha256')
    .update(JSON.stringify([file, title]))
    .digest('hex')
    .slice(0, 32);
  return {
    ruleId: ruleId(severity),
    ruleIndex: RULES.findIndex((rule) => rule.severity === severity),
    level: ruleOf(severity).level,
    message: messageOf(finding),
    locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, ...region } }],
    partialFingerprints: { 'cgloopFinding/v1': mark },
  };
}

function messageOf({ title, detail, suggestion }: Finding): SarifMessage {
  const parts = [title, detail, ...(suggestion === undefined ? [] : [`Suggestion: ${suggestion}`])];
  return { text: parts.filter((part) => part.trim() !== '').join('\n\n') };
}

/** Relative to the folder, with `/`; null: it names none inside it. */
function fileOf({ file }: Finding, folder: string): string | null {
  if (file === undefined) return null;
  const plain = file.trim().replaceAll('\\', '/');
  const root = `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`;
  const relative = (plain.startsWith(root) ? plain.slice(root.length) : plain).replace(/^(?:\.\/)+/, '');
  const isOutside = /^(?:\/|[A-Za-z]:)/.test(relative) || relative.split('/').includes('..');
  return relative === '' || isOutside ? null : relative;
}

function ruleId(severity: Severity): string {
  return `cgloop/${severity}`;
}

function ruleOf(severity: Severity): (typeof RULES)[number] {
  return RULES.find((rule) => rule.severity === severity) ?? RULES[2];
}
