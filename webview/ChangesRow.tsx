/** @jsxRuntime automatic @jsxImportSource preact */
import type { FileChange, TurnTruth } from '../src/shared/fileEvents.ts';
import type { ChangesItem, EditedItem } from '../src/shared/view.ts';
import { Disclosure } from './Disclosure.tsx';
import { FileLink } from './FileLink.tsx';
import { Icon } from './Icon.tsx';
import { Many } from './Many.tsx';
import type { RowProps } from './ToolCard.tsx';
import { MOST_NAMES, named, number, t } from './words.ts';

/** What the round changed, each file with who changed it where that is not plain. */
export function Changes({ item, id, round, folder, open, page }: RowProps & { item: ChangesItem; round: number }) {
  const { files, truth } = item;
  if (files.length === 0)
    return (
      <>
        <p class="quiet row">{t('No file was changed.')}</p>
        {truth !== null && <Unmet truth={truth} />}
      </>
    );
  const shared = truth === null ? 0 : truth.byUser.length + truth.byBoth.length;
  return (
    <Disclosure
      id={id}
      open={open ?? false}
      page={page}
      class="changes"
      summary={
        <>
          <Icon name="diff-multiple" />
          <span class="grow">{filesWords(files)}</span>
          {(truth?.unannounced.length ?? 0) > 0 && (
            <span class="tone-warn">{t('{0} not announced', truth?.unannounced.length ?? 0)}</span>
          )}
          {shared > 0 && <span class="quiet">{t('{0} yours', shared)}</span>}
        </>
      }
    >
      {() => (
        <>
          <FileRows files={files} truth={truth} folder={folder} page={page} />
          <button type="button" class="link" onClick={() => page.post({ type: 'openChanges', round })}>
            {t('Open the changes in the editor')}
          </button>
          {truth !== null && <Unmet truth={truth} />}
        </>
      )}
    </Disclosure>
  );
}

interface FileRowsProps extends Pick<RowProps, 'folder' | 'page'> {
  readonly files: readonly FileChange[];
  readonly truth?: TurnTruth | null;
}

/** A row for each file, with its lines. */
export function FileRows({ files, truth = null, folder, page }: FileRowsProps) {
  return (
    <ul class="files">
      <Many
        of={files}
        draw={(file) => (
          <li key={file.path} class="row">
            <span class="grow">
              <FileLink path={file.path} folder={folder} page={page} />
            </span>
            {truth !== null && <Maker path={file.path} truth={truth} />}
            <span class="quiet">{fileWords(file)}</span>
          </li>
        )}
      />
    </ul>
  );
}

/** Who changed the file, where that is not the agent as its cards say. */
function Maker({ path, truth }: { path: string; truth: TurnTruth }) {
  if (truth.byUser.includes(path)) return <span class="quiet">{t('changed by you')}</span>;
  if (truth.byBoth.includes(path)) return <span class="quiet">{t('changed by you and the agent')}</span>;
  if (!truth.unannounced.includes(path)) return null;
  return (
    <span class="tone-warn">
      {truth.ranCommands
        ? t('not announced by the agent; a command may have changed it')
        : t('not announced by the agent')}
    </span>
  );
}

/** What the agent announced and the comparison does not show. */
function Unmet({ truth }: { truth: TurnTruth }) {
  return (
    <>
      {truth.unseen.length > 0 && (
        <p class="row">
          <Icon name="info" tone="quiet" />
          <span class="grow">
            {t(
              'The agent says that it changed {0}, and nothing differs: it was put back, or git ignores it.',
              named(truth.unseen),
            )}
          </span>
        </p>
      )}
      {truth.outside.length > 0 && (
        <p class="row">
          <Icon name="warning" tone="warn" />
          <span class="grow">{t('Outside the folder, not compared and not undone: {0}', named(truth.outside))}</span>
        </p>
      )}
    </>
  );
}

/** What the person changed meanwhile: it is theirs, and stays theirs. */
export function Edited({ item, folder, page }: RowProps & { item: EditedItem }) {
  return (
    <p class="quiet row">
      <Icon name="account" tone="quiet" />
      <span class="grow">
        {t('You changed')}{' '}
        {item.paths.slice(0, MOST_NAMES).map((path, index) => (
          <span key={path}>
            {index > 0 && ', '}
            <FileLink path={path} folder={folder} page={page} />
          </span>
        ))}
        {item.paths.length > MOST_NAMES && ` ${t('and {0} more', item.paths.length - MOST_NAMES)}`}
      </span>
    </p>
  );
}

/** Such as `4 files +42 −10`. Binary files count as files only. */
export function filesWords(files: readonly FileChange[]): string {
  const added = files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  const count = files.length === 1 ? t('1 file') : t('{0} files', files.length);
  return `${count} +${number(added)} −${number(removed)}`;
}

function fileWords(file: FileChange): string {
  const lines = file.added === null ? t('binary') : `+${number(file.added)} −${number(file.removed ?? 0)}`;
  switch (file.status) {
    case 'added':
      return `${t('new')} ${lines}`;
    case 'deleted':
      return t('deleted');
    case 'modified':
    case 'typeChanged':
      return lines;
    default:
      return file.status satisfies never;
  }
}
