/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { HostState } from '../src/shared/messages.ts';
import type { Feedback } from '../src/shared/roundEvents.ts';
import { bestRound } from '../src/shared/undoScopes.ts';
import type { RunView } from '../src/shared/view.ts';
import { askUndo } from './askUndo.ts';
import { Icon } from './Icon.tsx';
import type { EndingPanel, Page } from './state.ts';
import { t } from './words.ts';

interface Props {
  readonly view: RunView;
  readonly host: HostState;
  readonly panel: EndingPanel | null;
  /** What goes back with the next round; null: the review as it came. */
  readonly feedback: Feedback | null;
  readonly page: Page;
}

interface Action {
  readonly key: string;
  readonly icon: string;
  readonly label: string;
  readonly title?: string;
  /** The panel that it opens and closes. */
  readonly panel?: EndingPanel;
  readonly act: () => void;
}

/** How many rounds "Continue" gives. */
const MORE_ROUNDS = 2;
/** Actions beside the first one that are in sight; the others are behind "More". */
const IN_SIGHT = 3;

/** What can be done now: the likeliest first, a few beside it, the others on demand. */
export function EndingActions(props: Props) {
  const { panel, page } = props;
  const [first, ...others] = actionsFor(props);
  if (first === undefined) return null;
  const inSight = others.length <= IN_SIGHT + 1 ? others : others.slice(0, IN_SIGHT);
  const hidden = others.slice(inSight.length);
  return (
    <>
      <div class="options ending-actions">
        <ActionButton action={first} isPrimary panel={panel} />
        {inSight.map((action) => (
          <ActionButton key={action.key} action={action} panel={panel} />
        ))}
        {hidden.length > 0 && (
          <button
            type="button"
            aria-expanded={panel === 'more'}
            onClick={() => page.dispatch({ type: 'panel', panel: panel === 'more' ? null : 'more' })}
          >
            <Icon name="ellipsis" />
            {t('More')}
          </button>
        )}
      </div>
      {panel === 'more' && (
        <div class="options ending-more">
          {hidden.map((action) => (
            <ActionButton key={action.key} action={action} panel={panel} />
          ))}
        </div>
      )}
      {panel === 'reviewer' && <Reviewers {...props} />}
    </>
  );
}

function ActionButton({
  action: { icon, label, title, panel: opens, act },
  isPrimary = false,
  panel,
}: {
  readonly action: Action;
  readonly isPrimary?: boolean;
  readonly panel: EndingPanel | null;
}): ComponentChildren {
  return (
    <button
      type="button"
      class={isPrimary ? 'primary' : ''}
      title={title}
      {...(opens === undefined ? {} : { 'aria-expanded': panel === opens })}
      onClick={act}
    >
      <Icon name={icon} />
      {label}
    </button>
  );
}

/** Who can review the last round once more. */
function Reviewers({ view, host, page }: Props) {
  const reviewers = host.agents.filter(({ roles, installed }) => roles.includes('review') && installed !== false);
  return (
    <fieldset class="panel" aria-label={t('Ask another reviewer')}>
      <p class="quiet">{t('The last round is reviewed once more; nobody executes.')}</p>
      <div class="options">
        {reviewers.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            onClick={() => {
              page.dispatch({ type: 'panel', panel: null });
              page.post({ type: 'reviewAgain', reviewer: id });
            }}
          >
            {id === view.run?.reviewer.id ? t('{0} once more', name) : t('Ask {0}', name)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Every action that applies, in the order of how likely it is what the person wants after this ending. */
function actionsFor({ view, host, panel, feedback, page }: Props): readonly Action[] {
  const { ending, rounds, run } = view;
  const toggle = (name: EndingPanel) => page.dispatch({ type: 'panel', panel: panel === name ? null : name });
  const hasChanges = rounds.some(({ number, changes }) => number > 0 && (changes?.length ?? 0) > 0);
  const isUndone = view.undoneAt !== null;
  const isApproved = ending?.type === 'approved';
  const best = bestRound(view);
  const inWorktree = run?.worktree !== undefined && !isSettled(view);
  const goOn: readonly Action[] = !host.canResume
    ? []
    : ending?.type === 'notApproved'
      ? [
          {
            key: 'continue',
            icon: 'debug-continue',
            label: t('Continue {0} More Rounds', MORE_ROUNDS),
            act: () => page.post({ type: 'continueRounds', rounds: MORE_ROUNDS, feedback }),
          },
        ]
      : [
          {
            key: 'resume',
            icon: 'debug-continue',
            label: t('Go On'),
            act: () => page.post({ type: 'resume', feedback }),
          },
        ];
  const reviewer: readonly Action[] = host.canReviewAgain
    ? [
        {
          key: 'reviewer',
          icon: 'comment-discussion',
          label: t('Ask Another Reviewer…'),
          panel: 'reviewer',
          act: () => toggle('reviewer'),
        },
      ]
    : [];
  const changes: readonly Action[] =
    hasChanges && !host.replay
      ? [
          {
            key: 'changes',
            icon: 'diff-multiple',
            label: t('Open All Changes'),
            act: () => page.post({ type: 'openChanges', round: null }),
          },
        ]
      : [];
  const commit: readonly Action[] = host.canCommit
    ? [
        {
          key: 'commit',
          icon: 'git-commit',
          label: t('Commit…'),
          title: t('Stages what the run changed and words a message; the commit is yours to make'),
          act: () => page.post({ type: 'commit' }),
        },
      ]
    : [];
  const worktree: readonly Action[] =
    inWorktree && !host.replay
      ? [
          {
            key: 'apply',
            icon: 'repo-pull',
            label: t('Apply to Folder'),
            title: t('Puts the changes into your own folder, and takes the worktree away'),
            act: () => page.post({ type: 'settleWorktree', how: 'applied' }),
          },
          {
            key: 'branch',
            icon: 'git-branch',
            label: t('Keep as Branch'),
            title: t('Commits everything on {0}, and takes the worktree away', run.worktree.branch),
            act: () => page.post({ type: 'settleWorktree', how: 'kept' }),
          },
          {
            key: 'drop',
            icon: 'trash',
            label: t('Drop'),
            title: t('Takes the worktree away; what is in it is saved first'),
            act: () => page.post({ type: 'settleWorktree', how: 'dropped' }),
          },
        ]
      : [];
  const undo: readonly Action[] = host.canUndo
    ? [
        {
          key: 'undo',
          icon: 'discard',
          label: t('Undo…'),
          panel: 'undo',
          act: () =>
            panel === 'undo' ? toggle('undo') : askUndo(page, { scope: { type: 'run' }, conflicts: 'leave' }),
        },
      ]
    : [];
  const redo: readonly Action[] = host.canRedo
    ? [
        {
          key: 'redo',
          icon: 'redo',
          label: t('Redo'),
          title: t('Takes the last undoing back'),
          act: () => askUndo(page, { scope: { type: 'redo' }, conflicts: 'leave' }),
        },
      ]
    : [];
  const restore: readonly Action[] =
    host.canUndo && best !== null
      ? [
          {
            key: 'best',
            icon: 'star-empty',
            label: t('Restore Best Round'),
            title: t('Puts the folder back as round {0} left it', best),
            act: () => askUndo(page, { scope: { type: 'after', round: best }, conflicts: 'leave' }),
          },
        ]
      : [];
  const keep: readonly Action[] = host.replay
    ? []
    : [
        hasChanges && !isUndone
          ? {
              key: 'keep',
              icon: 'check',
              label: t('Keep'),
              title: t('Leaves everything as it is and closes the run; the Runs view still has it'),
              act: () => page.post({ type: 'newRun' }),
            }
          : { key: 'new', icon: 'add', label: t('New Run'), act: () => page.post({ type: 'newRun' }) },
      ];
  const rest: readonly Action[] = [
    ...(host.canContinue
      ? [
          {
            key: 'terminal',
            icon: 'terminal',
            label: t('Continue in Terminal'),
            act: () => page.post({ type: 'continueInTerminal' }),
          },
        ]
      : []),
    ...(host.replay
      ? []
      : [
          { key: 'export', icon: 'export', label: t('Export…'), act: () => page.post({ type: 'export' }) },
          { key: 'log', icon: 'output', label: t('Open Log'), act: () => page.post({ type: 'openLog' }) },
        ]),
  ];
  if (isUndone) return [...redo, ...keep, ...changes, ...undo, ...rest];
  if (isApproved)
    return [...worktree, ...changes, ...commit, ...keep, ...undo, ...redo, ...restore, ...reviewer, ...rest];
  if (ending?.type === 'noVerdict')
    return [...reviewer, ...changes, ...undo, ...worktree, ...goOn, ...keep, ...redo, ...restore, ...commit, ...rest];
  return [...goOn, ...changes, ...undo, ...worktree, ...keep, ...restore, ...redo, ...reviewer, ...commit, ...rest];
}

/** Whether somebody has said what becomes of the worktree. */
function isSettled({ rounds }: RunView): boolean {
  return rounds.some(({ items }) =>
    items.some((item) => item.type === 'mark' && item.mark.type === 'worktree.settled'),
  );
}
