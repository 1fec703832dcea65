import type { PermissionOffer, PermissionOption, PermissionRequest } from '../shared/permission.ts';
import { renderContent } from './renderDiff.ts';
import type { Style } from './style.ts';
import { safe, safeLine } from './terminalText.ts';

/** One of the agent's options, or one with an offer of ours, and the key that chooses it. */
export interface Choice {
  readonly key: string;
  readonly option: PermissionOption;
  readonly offer: PermissionOffer | null;
  /** For people. */
  readonly name: string;
  /** What it really reaches; empty where that is not known. */
  readonly reach: string;
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

/** The agent's options in the agent's order, then our offers. Keys go by meaning; options that share one are numbered. */
export function choicesOf(request: PermissionRequest): readonly Choice[] {
  let number = 0;
  const options = request.options.map((option): Choice => {
    const alone = request.options.filter((other) => other.kind === option.kind).length === 1;
    const letter = alone ? LETTERS[option.kind] : null;
    const twice = option.kind === 'allow_always' || option.kind === 'reject_always';
    const key = letter ?? String(++number);
    return { key, option, offer: null, name: option.name, reach: option.scope ?? '', twice };
  });
  const once = request.options.find(({ kind }) => kind === 'allow_once');
  const offers = once === undefined ? [] : (request.offers ?? []).map((offer) => choiceOf(offer, once));
  return [...options, ...offers];
}

function choiceOf(offer: PermissionOffer, option: PermissionOption): Choice {
  const of = { option, offer, twice: true };
  if (offer.type === 'runEdits') {
    const reach = 'every edit inside the folder; protected places still ask';
    return { ...of, key: 'e', name: 'Allow edits for this run', reach };
  }
  const reach = 'exactly this command';
  switch (offer.scope) {
    case 'session':
      return { ...of, key: 's', name: 'Always allow in this run', reach };
    case 'workspace':
      return { ...of, key: 'w', name: 'Always allow in this folder', reach };
    case 'user':
      return { ...of, key: 'u', name: 'Always allow, in every folder', reach };
    default:
      return offer.scope satisfies never;
  }
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
  const lines = [
    style.yellow(style.bold(request.asker === 'loop' ? `? ${title}` : `? ${safeLine(agent)} asks: ${title}`)),
  ];
  if (request.command !== undefined) lines.push(`  $ ${safe(request.command).replaceAll('\n', '\n    ')}`);
  const named = (file: string) =>
    title.includes(safeLine(file)) || request.content.some((one) => one.type === 'diff' && one.path === file);
  for (const file of request.paths) if (!named(file)) lines.push(style.dim(`  ${safeLine(file)}`));
  const content = renderContent(request.content, style);
  if (content !== '') lines.push(content.replace(/^(?=.)/gm, '  '));
  const message = request.form?.message ?? '';
  if (message !== '') lines.push(`  ${safe(message).trimEnd().replaceAll('\n', '\n  ')}`);
  for (const { key, name, reach, twice } of choicesOf(request)) {
    const scope = reach === '' ? '' : style.dim(` – ${safeLine(reach)}`);
    const again = twice ? style.dim(' (press twice)') : '';
    lines.push(`  ${style.bold(`[${key}]`)} ${safeLine(name)}${scope}${again}`);
  }
  if (refusalOf(request) !== null) lines.push(`  ${style.bold(`[${MESSAGE_KEY}]`)} refuse and say why`);
  return `${lines.join('\n')}\n`;
}
