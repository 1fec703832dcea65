import * as z from 'zod';
import type { PreviousFinding, ReviewFinding, Severity } from '../shared/review.ts';
import type { Words } from '../shared/translate.ts';
import { isRecord } from './cleanJson.ts';

type Warn = (words: Words) => void;
type Fields = { readonly [key: string]: unknown };

const TEXT = z.string().trim().min(1);
const LINE = z.int().min(1);
const SEVERITY = z.enum(['blocker', 'major', 'minor', 'nit']);

/** A finding as the contract in the reviewer's prompt asks for it. */
const FINDING = z.object({
  id: z.exactOptional(TEXT),
  severity: SEVERITY,
  file: z.exactOptional(TEXT),
  line: z.exactOptional(LINE),
  title: TEXT,
  detail: z.string(),
  suggestion: z.exactOptional(TEXT),
});

const PREVIOUS = z.object({ id: TEXT, status: z.enum(['fixed', 'open', 'withdrawn']) });

/** Where reviewers put their findings; the contract says `findings`. */
const LISTS = ['findings', 'issues', 'problems'];

/** Severities of other vocabularies. What may be a blocker is one. */
const OTHER_SEVERITIES: Readonly<Record<string, Severity>> = {
  critical: 'blocker',
  blocking: 'blocker',
  fatal: 'blocker',
  严重: 'blocker',
  阻断: 'blocker',
  阻塞: 'blocker',
  high: 'major',
  error: 'major',
  主要: 'major',
  medium: 'minor',
  moderate: 'minor',
  warning: 'minor',
  次要: 'minor',
  low: 'nit',
  info: 'nit',
  style: 'nit',
  trivial: 'nit',
};

/** Reads every finding of a JSON verdict. A malformed one is kept with what can be read of it, and a warning. */
export function readFindings(verdict: Fields, warn: Warn): ReviewFinding[] {
  const items = LISTS.flatMap((name): unknown[] => {
    const list = verdict[name] ?? [];
    return Array.isArray(list) ? list : [list];
  });
  return items.map((item, at) => readFinding(item, (words) => warn((t) => t('Finding {0}: {1}', at + 1, words(t)))));
}

function readFinding(item: unknown, warn: Warn): ReviewFinding {
  if (typeof item === 'string') {
    warn((t) => t('it is a bare text; taken as major.'));
    return { severity: 'major', title: titleOf(item), detail: item };
  }
  if (!isRecord(item)) {
    warn((t) => t('it is not an object; kept as an unreadable finding.'));
    return { severity: 'major', title: 'Unreadable finding', detail: '' };
  }
  const given: Fields = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== ''));
  const read = FINDING.safeParse(given);
  return read.success ? read.data : salvage(given, warn);
}

function salvage(given: Fields, warn: Warn): ReviewFinding {
  const field = <T>(name: string, schema: z.ZodType<T>, value: unknown = given[name]): T | undefined => {
    const read = schema.safeParse(value);
    if (!read.success && value !== undefined) warn((t) => t('its {0} cannot be used and was left out.', name));
    return read.data;
  };
  const id = field('id', TEXT, textOf(given.id));
  const file = field('file', TEXT);
  const line = field('line', LINE, typeof given.line === 'string' ? Number.parseInt(given.line, 10) : given.line);
  const suggestion = field('suggestion', TEXT);
  const words = ['detail', 'message', 'description', 'body', 'text'].map((name) => given[name]);
  const detail = words.find((value) => typeof value === 'string') ?? '';
  const title = firstText([given.title, given.summary, given.issue, given.problem, given.name]) ?? titleOf(detail);
  if (given.title === undefined || typeof given.title !== 'string') warn((t) => t('it has no title.'));
  return {
    ...(id === undefined ? {} : { id }),
    severity: severityOf(given.severity, warn),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    title: title === '' ? 'Untitled finding' : title,
    detail: detail.trim(),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function severityOf(value: unknown, warn: Warn): Severity {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  const exact = SEVERITY.safeParse(word);
  if (exact.success) return exact.data;
  const severity = Object.hasOwn(OTHER_SEVERITIES, word) ? OTHER_SEVERITIES[word] : undefined;
  warn((t) =>
    word === ''
      ? t('it has no severity; taken as major.')
      : t('severity "{0}" is taken as {1}.', word.slice(0, 40), severity ?? 'major'),
  );
  return severity ?? 'major';
}

/** What is said of earlier findings. An unclear status leaves the finding open. */
export function readPrevious(value: unknown, warn: Warn): PreviousFinding[] {
  const list: unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  const previous: PreviousFinding[] = [];
  for (const item of list) {
    const given = isRecord(item) ? item : {};
    const status = typeof given.status === 'string' ? given.status.trim().toLowerCase() : '';
    const id = TEXT.safeParse(textOf(given.id)).data;
    const read = PREVIOUS.safeParse({ id, status });
    if (read.success) previous.push(read.data);
    else if (id === undefined) warn((t) => t('An entry about an earlier finding has no id and says nothing.'));
    else {
      previous.push({ id, status: 'open' });
      warn((t) => t('The status of {0} is none of fixed, open, withdrawn; it stays open.', id.slice(0, 40)));
    }
  }
  return previous;
}

/** The reviewer's suggestions as texts. */
export function readSuggestions(value: unknown, warn: Warn): string[] {
  const list: unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return list.flatMap((item) => {
    const given: Fields = isRecord(item) ? item : {};
    const text = firstText([item, given.title, given.suggestion, given.text, given.detail, given.description]);
    if (text === undefined) warn((t) => t('A suggestion is not a text; it was left out.'));
    return text === undefined ? [] : [text];
  });
}

/** Whether any object in the verdict, at any depth, has the severity of a blocker. */
export function hasBlocker(verdict: unknown): boolean {
  const open: unknown[] = [verdict];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isRecord(value)) {
      if (typeof value.severity === 'string' && severityOf(value.severity, () => {}) === 'blocker') return true;
      for (const item of Object.values(value)) open.push(item);
    }
  }
  return false;
}

function firstText(values: readonly unknown[]): string | undefined {
  const found = values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
  return found?.trim();
}

function textOf(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
