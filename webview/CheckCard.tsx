/** @jsxRuntime automatic @jsxImportSource preact */
import { checkEndWords } from '../src/shared/checkWords.ts';
import type { CheckEnd } from '../src/shared/roundEvents.ts';
import type { CheckItem, MarkItem } from '../src/shared/view.ts';
import { Disclosure } from './Disclosure.tsx';
import { Elapsed } from './Elapsed.tsx';
import { Icon, type Tone } from './Icon.tsx';
import { Output } from './Output.tsx';
import type { Page } from './state.ts';
import { duration, MOST_NAMES, named, t } from './words.ts';

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
  const took = item.endedAt === null ? null : item.endedAt - item.at;
  const title = (
    <>
      <Icon name="beaker" />
      <span class="grow title">{item.command}</span>
      <span class="state">
        <Icon name={state.icon} tone={state.tone} spin={item.end === null} />
        <span>{state.text}</span>
        {item.end === null ? (
          <Elapsed since={item.at} />
        ) : (
          took !== null && <span class="quiet">· {duration(took)}</span>
        )}
      </span>
    </>
  );
  const body = () => (
    <>
      {item.cut && <p class="quiet">{t('Earlier output is not kept.')}</p>}
      {item.output !== '' && (
        <Output
          text={item.output}
          id={`${id}/all`}
          all={all}
          page={page}
          openAll={() => page.post({ type: 'openCheck', checkId: item.checkId })}
        />
      )}
      {item.output === '' && <p class="quiet">{item.end === null ? t('No output yet.') : t('No output.')}</p>}
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
  const text = checkEndWords(end, t);
  if (end.passed) return { icon: 'check', text, tone: 'good' };
  return end.by === 'stop' ? { icon: 'circle-slash', text, tone: 'warn' } : { icon: 'error', text, tone: 'bad' };
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
            : t('This round removed test files: {0}', named(change.files)),
        ),
      };
    case 'checks.wrote':
      return {
        icon: 'beaker',
        tone: 'quiet',
        lines: [t('The checks changed files: {0}', named(mark.files.map((file) => file.path)))],
      };
    case 'run.paused':
      return { icon: 'debug-pause', tone: 'warn', lines: [t('Paused: {0}', mark.why)] };
    case 'run.resumed':
      return { icon: 'debug-continue', tone: 'quiet', lines: [t('The run goes on.')] };
    case 'user.note':
      return { icon: 'account', tone: 'quiet', lines: [noteWords(mark)] };
    case 'head.moved': {
      const to = mark.to?.slice(0, 10) ?? '–';
      const first = mark.by === 'agent' ? t('The executor moved HEAD to {0}.', to) : t('HEAD moved to {0}.', to);
      return {
        icon: 'git-commit',
        tone: 'warn',
        lines: [
          first,
          ...mark.commits.slice(0, MOST_NAMES).map(({ id, subject }) => `${id.slice(0, 10)} ${subject}`),
          ...(mark.commits.length > MOST_NAMES ? [t('and {0} more', mark.commits.length - MOST_NAMES)] : []),
        ],
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

function noteWords({ text, finding }: Extract<MarkItem['mark'], { type: 'user.note' }>): string {
  return finding === undefined ? t('You: {0}', text) : t('You asked about {0}: {1}', finding, text);
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
