/** @jsxRuntime automatic @jsxImportSource preact */
import type { CheckEnd } from '../src/shared/roundEvents.ts';
import type { CheckItem, MarkItem } from '../src/shared/view.ts';
import { Disclosure } from './Disclosure.tsx';
import { Icon, type Tone } from './Icon.tsx';
import { Output } from './Output.tsx';
import type { Page } from './state.ts';
import { t } from './words.ts';

interface Props {
  readonly item: CheckItem;
  readonly id: string;
  readonly open: boolean | undefined;
  readonly all: boolean;
  readonly page: Page;
}

/** A check of the round: open while it runs and when it is red. */
export function CheckCard({ item, id, open, all, page }: Props) {
  const state = checkState(item.end);
  const title = (
    <>
      <Icon name="beaker" />
      <span class="grow title">{item.command}</span>
      <span class="state">
        <Icon name={state.icon} tone={state.tone} spin={item.end === null} />
        <span>{state.text}</span>
      </span>
    </>
  );
  const body = () => (
    <>
      {item.cut && <p class="quiet">{t('Earlier output is not kept.')}</p>}
      {item.output !== '' && <Output text={item.output} id={`${id}/all`} all={all} page={page} />}
    </>
  );
  return (
    <Disclosure id={id} open={open ?? item.end?.passed !== true} page={page} class="tool" summary={title}>
      {body}
    </Disclosure>
  );
}

/** How a check stands, in words. */
export function checkState(end: CheckEnd | null): {
  readonly icon: string;
  readonly text: string;
  readonly tone: Tone;
} {
  if (end === null) return { icon: 'loading', text: t('running'), tone: 'quiet' };
  if (end.passed) return { icon: 'check', text: t('passed'), tone: 'good' };
  if (end.problem !== undefined) return { icon: 'error', text: end.problem, tone: 'bad' };
  if (end.by === 'limit') return { icon: 'error', text: t('took too long'), tone: 'bad' };
  if (end.by === 'stop') return { icon: 'circle-slash', text: t('stopped'), tone: 'warn' };
  if (end.signal !== null) return { icon: 'error', text: t('ended by the signal {0}', end.signal), tone: 'bad' };
  return { icon: 'error', text: t('exit code {0}', end.exitCode ?? '?'), tone: 'bad' };
}

/** One row for an event that stands for itself. */
export function MarkRow({ item: { mark } }: { item: MarkItem }) {
  const { icon, tone, lines } = markWords(mark);
  return (
    <div class="row">
      <Icon name={icon} tone={tone} />
      <div class="grow">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </div>
  );
}

interface MarkWords {
  readonly icon: string;
  readonly tone: Tone;
  readonly lines: readonly string[];
}

function markWords(mark: MarkItem['mark']): MarkWords {
  switch (mark.type) {
    case 'check.skipped':
      return { icon: 'beaker-stop', tone: 'warn', lines: [t('Not run: {0}. {1}', mark.command, mark.why)] };
    case 'checks.changed':
      return {
        icon: 'warning',
        tone: 'warn',
        lines: mark.changes.map((change) =>
          change.type === 'definition'
            ? t('This round changed what {0} runs, in {1}.', change.command, change.file)
            : t('This round removed test files: {0}', change.files.join(', ')),
        ),
      };
    case 'checks.wrote':
      return {
        icon: 'beaker',
        tone: 'quiet',
        lines: [t('The checks changed files: {0}', mark.files.map((file) => file.path).join(', '))],
      };
    case 'run.paused':
      return { icon: 'debug-pause', tone: 'warn', lines: [t('Paused: {0}', mark.why)] };
    case 'run.resumed':
      return { icon: 'debug-continue', tone: 'quiet', lines: [t('The run goes on.')] };
    case 'user.note':
      return { icon: 'account', tone: 'quiet', lines: [t('You: {0}', mark.text)] };
    case 'head.moved': {
      const to = mark.to?.slice(0, 10) ?? '–';
      const first = mark.by === 'agent' ? t('The executor moved HEAD to {0}.', to) : t('HEAD moved to {0}.', to);
      return {
        icon: 'git-commit',
        tone: 'warn',
        lines: [first, ...mark.commits.map(({ id, subject }) => `${id.slice(0, 10)} ${subject}`)],
      };
    }
    case 'run.undone':
      return { icon: 'discard', tone: 'quiet', lines: [undoneWords(mark)] };
    case 'changes.reviewed': {
      const { files } = mark;
      const count = files.length === 1 ? t('1 file') : t('{0} files', files.length);
      return { icon: 'git-compare', tone: 'quiet', lines: [t('The review is about changes of {0}.', count)] };
    }
    case 'worktree.settled':
      return { icon: 'git-branch', tone: 'quiet', lines: [settledWords(mark.how)] };
    default:
      return mark satisfies never;
  }
}

function undoneWords({ scope }: Extract<MarkItem['mark'], { type: 'run.undone' }>): string {
  switch (scope?.type) {
    case undefined:
    case 'run':
      return t('The run was undone.');
    case 'round':
      return t('Round {0} was undone.', scope.round);
    case 'before':
      return t('The folder went back to before round {0}.', scope.round);
    case 'after':
      return t('The folder went back to after round {0}.', scope.round);
    case 'redo':
      return t('The undoing was undone.');
    default:
      return scope satisfies never;
  }
}

function settledWords(how: Extract<MarkItem['mark'], { type: 'worktree.settled' }>['how']): string {
  switch (how) {
    case 'applied':
      return t('The worktree’s changes were applied to the folder.');
    case 'kept':
      return t('The worktree is kept as a branch.');
    case 'dropped':
      return t('The worktree was dropped.');
    default:
      return how satisfies never;
  }
}
