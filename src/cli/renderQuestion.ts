import type { PermissionOption, PermissionRequest } from '../shared/events.ts';
import { renderContent } from './renderDiff.ts';
import type { Style } from './style.ts';
import { safe, safeLine } from './terminalText.ts';

/** One of the agent's options and the key that chooses it. */
export interface Choice {
  readonly key: string;
  readonly option: PermissionOption;
  /** The key has to be pressed twice: the choice reaches further than this one question. */
  readonly twice: boolean;
}

/** The key that refuses with words. */
export const MESSAGE_KEY = 'm';

const LETTERS: Readonly<Record<PermissionOption['kind'], string | null>> = {
  allow_once: 'y',
  reject_once: 'n',
  allow_always: 'a',
  reject_always: 'x',
  unknown: null,
};

/** The agent's options in the agent's order. Keys go by meaning; options that share one are numbered. */
export function choicesOf(request: PermissionRequest): readonly Choice[] {
  let number = 0;
  return request.options.map((option) => {
    const alone = request.options.filter((other) => other.kind === option.kind).length === 1;
    const letter = alone ? LETTERS[option.kind] : null;
    const twice = option.kind === 'allow_always' || option.kind === 'reject_always';
    return { key: letter ?? String(++number), option, twice };
  });
}

/** The option that a refusal with words goes with; null when words cannot be sent. */
export function refusalOf(request: PermissionRequest): PermissionOption | null {
  if (!request.takesMessage) return null;
  const of = (kind: PermissionOption['kind']) => request.options.find((option) => option.kind === kind);
  return of('reject_once') ?? of('reject_always') ?? null;
}

/** The option that goes with the fields of a form; null where there is nothing to fill in. */
export function fillableOf({ form, options }: PermissionRequest): PermissionOption | null {
  if (form === undefined || form.fields.length === 0) return null;
  return options.find(({ kind }) => kind === 'allow_once') ?? null;
}

/** The whole question: what, on which file or command, the change, and the options with their keys. */
export function renderQuestion(agent: string, request: PermissionRequest, style: Style): string {
  const title = safeLine(request.title);
  const lines = [style.yellow(style.bold(`? ${safeLine(agent)} asks: ${title}`))];
  if (request.command !== undefined) lines.push(`  $ ${safe(request.command).replaceAll('\n', '\n    ')}`);
  const named = (file: string) =>
    title.includes(safeLine(file)) || request.content.some((one) => one.type === 'diff' && one.path === file);
  for (const file of request.paths) if (!named(file)) lines.push(style.dim(`  ${safeLine(file)}`));
  const content = renderContent(request.content, style);
  if (content !== '') lines.push(content.replace(/^(?=.)/gm, '  '));
  const message = request.form?.message ?? '';
  if (message !== '') lines.push(`  ${safe(message).trimEnd().replaceAll('\n', '\n  ')}`);
  for (const { key, option, twice } of choicesOf(request)) {
    const scope = option.scope === undefined ? '' : style.dim(` – ${safeLine(option.scope)}`);
    const again = twice ? style.dim(' (press twice)') : '';
    lines.push(`  ${style.bold(`[${key}]`)} ${safeLine(option.name)}${scope}${again}`);
  }
  if (refusalOf(request) !== null) lines.push(`  ${style.bold(`[${MESSAGE_KEY}]`)} refuse and say why`);
  return `${lines.join('\n')}\n`;
}
