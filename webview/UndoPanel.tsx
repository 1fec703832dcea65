/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { AskedUndo } from '../src/shared/messages.ts';
import type { UndoOutcome } from '../src/shared/undo.ts';
import { undoScopes } from '../src/shared/undoScopes.ts';
import type { RunView } from '../src/shared/view.ts';
import { askUndo } from './askUndo.ts';
import { FileRows, filesWords } from './ChangesRow.tsx';
import { Icon } from './Icon.tsx';
import { Many } from './Many.tsx';
import type { Page, UndoDraft } from './state.ts';
import { conflictWords, scopeWords, undoButton } from './undoWords.ts';
import { t } from './words.ts';

interface Props {
  readonly draft: UndoDraft;
  readonly view: RunView;
  readonly folder: string;
  readonly page: Page;
}

/** Looks at an undoing before it is done: what is put back, what stays, and what cannot be put together. */
export function UndoPanel({ draft: { asked, answer }, view, folder, page }: Props) {
  const isRedo = asked.scope.type === 'redo';
  const scopes = isRedo ? [asked.scope] : undoScopes(view);
  const close = () => page.dispatch({ type: 'panel', panel: null });
  const ask = (next: AskedUndo) => askUndo(page, next);
  const isEmpty = answer?.type === 'preview' && answer.files.length === 0 && answer.ignored.length === 0;
  const isAllConflict = isEmpty && answer.conflicts.length > 0;
  return (
    <fieldset
      class="panel"
      aria-label={isRedo ? t('Redo') : t('Undo')}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      {!isRedo && (
        <label class="undo-scope">
          <span>{t('Put back')}</span>
          <select
            ref={focusOnce}
            value={String(scopes.findIndex((scope) => JSON.stringify(scope) === JSON.stringify(asked.scope)))}
            onChange={({ currentTarget: { value } }) => {
              const scope = scopes[Number(value)];
              if (scope !== undefined) ask({ ...asked, scope });
            }}
          >
            {scopes.map((scope, index) => (
              <option key={index} value={String(index)}>
                {scopeWords(scope, view)}
              </option>
            ))}
          </select>
        </label>
      )}
      <div aria-live="polite">
        {answer === null && <p class="quiet">{t('Looking at what would change…')}</p>}
        {answer?.type === 'problem' && (
          <p class="row">
            <Icon name="error" tone="bad" />
            <span class="grow">{answer.message}</span>
          </p>
        )}
        {answer?.type === 'preview' && <Preview outcome={answer} asked={asked} ask={ask} folder={folder} page={page} />}
      </div>
      <div class="options">
        <button
          type="button"
          class="primary"
          disabled={answer?.type !== 'preview' || (isEmpty && !isAllConflict)}
          onClick={() => {
            page.post({ type: 'undo', asked });
            close();
          }}
        >
          <Icon name={isRedo ? 'redo' : 'discard'} />
          {undoButton(asked.scope)}
        </button>
        <button type="button" onClick={close}>
          {t('Cancel')}
        </button>
      </div>
    </fieldset>
  );
}

/** The person just asked for the panel. */
const focusOnce = (box: HTMLSelectElement | null) => box?.focus();

interface PreviewProps extends Pick<Props, 'folder' | 'page'> {
  readonly outcome: UndoOutcome;
  readonly asked: AskedUndo;
  readonly ask: (asked: AskedUndo) => void;
}

function Preview({ outcome, asked, ask, folder, page }: PreviewProps) {
  const { files, kept, merged, mixed, conflicts, ignored, beyond } = outcome;
  return (
    <>
      {files.length === 0 ? (
        <p class="quiet">{t('The folder is already so: no file would change.')}</p>
      ) : (
        <>
          <p>{t('Would change: {0}', filesWords(files))}</p>
          <FileRows files={files} folder={folder} page={page} />
        </>
      )}
      {conflicts.length > 0 && (
        <>
          <p class="row">
            <Icon name="warning" tone="warn" />
            <span class="grow">{t('Changed since, so that the two cannot be put together:')}</span>
          </p>
          <ul class="files">
            <Many
              of={conflicts}
              draw={({ path, why }) => (
                <li key={path} class="row">
                  <span class="grow">{path}</span>
                  <span class="quiet">{conflictWords(why)}</span>
                </li>
              )}
            />
          </ul>
          <label class="undo-scope">
            <span>{t('These files')}</span>
            <select
              value={asked.conflicts}
              onChange={({ currentTarget: { value } }) => {
                const conflicts = CONFLICT_WAYS.find((way) => way === value);
                if (conflicts !== undefined) ask({ ...asked, conflicts });
              }}
            >
              <option value="leave">{t('stay as they are')}</option>
              <option value="mark">{t('get conflict marks')}</option>
              <option value="take">{t('are put back all the same')}</option>
            </select>
          </label>
        </>
      )}
      <Names icon="account" words={t('Stays, because you alone changed it:')} names={kept} />
      <Names icon="git-merge" words={t('Changed since too; both changes are put together:')} names={merged} />
      <Names
        icon="warning"
        words={t('You changed these too; your part stays only in what is saved first:')}
        names={mixed}
      />
      <Names icon="eye-closed" words={t('Ignored by git, and put back too:')} names={ignored} />
      <Names icon="terminal" words={t('Not undone: what these commands did elsewhere:')} names={beyond.commands} />
      <Names
        icon="git-commit"
        words={t('Not undone: commits of the agent:')}
        names={beyond.commits.map(({ id, subject }) => `${id.slice(0, 10)} ${subject}`)}
      />
      <p class="quiet">{t('What is there now is saved first: Redo brings it back.')}</p>
    </>
  );
}

const CONFLICT_WAYS = ['leave', 'mark', 'take'] as const satisfies readonly AskedUndo['conflicts'][];

/** How many names are written out. */
const MOST = 8;

function Names({ icon, words, names }: { icon: string; words: ComponentChildren; names: readonly string[] }) {
  if (names.length === 0) return null;
  const more = names.length - MOST;
  return (
    <p class="row">
      <Icon name={icon} tone="quiet" />
      <span class="grow">
        {words} <span class="quiet">{names.slice(0, MOST).join(', ')}</span>
        {more > 0 && <span class="quiet"> {t('and {0} more', more)}</span>}
      </span>
    </p>
  );
}
