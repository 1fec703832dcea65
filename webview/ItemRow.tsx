/** @jsxRuntime automatic @jsxImportSource preact */
import { splitReview } from '../src/shared/reviewText.ts';
import type {
  DiagnosticItem,
  FilesItem,
  HandoverItem,
  Item,
  MessageItem,
  PlanItem,
  UnsavedItem,
} from '../src/shared/view.ts';
import { Changes, Edited } from './ChangesRow.tsx';
import { CheckCard, MarkRow } from './CheckCard.tsx';
import { Disclosure } from './Disclosure.tsx';
import { FileLink } from './FileLink.tsx';
import type { FormDraft } from './formDraft.ts';
import { Icon } from './Icon.tsx';
import { Many } from './Many.tsx';
import { memo } from './memo.ts';
import { Output } from './Output.tsx';
import { PermissionCard } from './PermissionCard.tsx';
import { RequestRow, TerminalCard } from './TerminalCard.tsx';
import { Text } from './Text.tsx';
import { type RowProps, ToolCard } from './ToolCard.tsx';
import { Turn } from './TurnParts.tsx';
import { named, t } from './words.ts';

interface Props extends RowProps {
  readonly item: Item;
  /** The number of its round. */
  readonly round: number;
  readonly reply: string | undefined;
  readonly form: FormDraft | undefined;
  readonly answered: boolean;
  /** How many calls the sub-agent of a tool call made; they are drawn under it. */
  readonly inner: number;
  /** The newest item of a turn that is under way: more of it may come. */
  readonly live: boolean;
}

/** One item of a round. Draws again only when the item or something about it changed. */
export const ItemRow = memo(({ item, round, reply, form, answered, inner, live, ...row }: Props) => {
  switch (item.type) {
    case 'turn':
      return <Turn item={item} {...row} />;
    case 'message':
      return item.withdrawn || item.text === '' ? null : <Message item={item} live={live} {...row} />;
    case 'tool':
      return <ToolCard item={item} inner={inner} {...row} />;
    case 'terminal':
      return item.card === null ? <TerminalCard item={item} {...row} /> : null;
    case 'request':
      return <RequestRow item={item} />;
    case 'permission':
      return <PermissionCard item={item} reply={reply} draft={form} answered={answered} {...row} />;
    case 'plan':
      return <Plan item={item} />;
    case 'diagnostic':
      return <Diagnostic item={item} {...row} />;
    // Its round draws it: it knows the findings.
    case 'review':
      return null;
    case 'files':
      return <Files item={item} {...row} />;
    case 'unsaved':
      return <Unsaved item={item} />;
    case 'edited':
      return <Edited item={item} {...row} />;
    case 'changes':
      return <Changes item={item} round={round} {...row} />;
    case 'handover':
      return <Handover item={item} name={row.name} />;
    case 'check':
      return <CheckCard item={item} {...row} />;
    case 'mark':
      return <MarkRow item={item} />;
    default:
      return item satisfies never;
  }
});

function Handover({ item, name }: { item: HandoverItem; name: string }) {
  return (
    <div class="row">
      <Icon name="terminal" />
      <span class="grow">
        {item.endedAt === null
          ? t('You go on with {0} in a terminal. What changes from here on is yours.', name)
          : t('You went on with {0} in a terminal. What changed since is yours.', name)}
      </span>
    </div>
  );
}

function Message({ item, live, name, id, folder, open, page }: RowProps & { item: MessageItem; live: boolean }) {
  const openAll = () => page.post({ type: 'openPart', id, part: 0 });
  const shared = { live, page, folder, openAll };
  if (item.channel === 'thought')
    return (
      <Disclosure
        id={id}
        open={open ?? false}
        page={page}
        class="thought"
        summary={<span class="grow quiet">{t('{0} thought', name)}</span>}
      >
        {() => <Text text={item.text} {...shared} />}
      </Disclosure>
    );
  const { words, verdict } = item.role === 'review' ? splitReview(item.text) : { words: item.text, verdict: null };
  return (
    <>
      {words !== '' && (
        <article class="message stop" tabIndex={-1} aria-label={t('{0} says', name)}>
          <Text text={words} {...shared} />
        </article>
      )}
      {verdict !== null && (
        <Disclosure
          id={id}
          open={open ?? false}
          page={page}
          class="thought"
          summary={<span class="grow quiet">{t('Verdict as {0} wrote it', name)}</span>}
        >
          {() => <Text text={verdict} {...shared} />}
        </Disclosure>
      )}
    </>
  );
}

const PLAN_ICONS = { pending: 'circle-outline', in_progress: 'circle-filled', completed: 'pass-filled' } as const;

function Plan({ item }: { item: PlanItem }) {
  return (
    <ul class="plan" aria-label={t('Plan')}>
      <Many
        of={item.entries}
        draw={(entry, index) => (
          <li key={index} class={`row ${entry.status}`}>
            <Icon name={PLAN_ICONS[entry.status]} tone={entry.status === 'completed' ? 'good' : 'quiet'} />
            <span class="grow">{entry.content}</span>
            <span class="sr-only">{planWord(entry.status)}</span>
          </li>
        )}
      />
    </ul>
  );
}

function planWord(status: keyof typeof PLAN_ICONS): string {
  switch (status) {
    case 'pending':
      return t('not started');
    case 'in_progress':
      return t('in progress');
    case 'completed':
      return t('done');
    default:
      return status satisfies never;
  }
}

const LEVEL_ICONS = { info: 'info', warning: 'warning', error: 'error' } as const;
const LEVEL_TONES = { info: 'quiet', warning: 'warn', error: 'bad' } as const;

function Diagnostic({ item, id, open, all, page }: RowProps & { item: DiagnosticItem }) {
  const first = item.text.slice(0, 200).split('\n', 1).join('');
  return (
    <Disclosure
      id={id}
      open={open ?? false}
      page={page}
      class="diagnostic"
      summary={
        <>
          <Icon name={LEVEL_ICONS[item.level]} tone={LEVEL_TONES[item.level]} />
          <span class={`grow title ${item.level === 'info' ? 'quiet' : ''}`}>{first}</span>
          {item.count > 1 && <span class="quiet">×{item.count}</span>}
        </>
      }
    >
      {() => (
        <Output
          text={item.text}
          id={`${id}/all`}
          all={all}
          page={page}
          openAll={() => page.post({ type: 'openPart', id, part: 0 })}
        />
      )}
    </Disclosure>
  );
}

function Files({ item, id, folder, open, page }: RowProps & { item: FilesItem }) {
  const count = item.files.length === 1 ? t('1 file') : t('{0} files', item.files.length);
  return (
    <Disclosure
      id={id}
      open={open ?? false}
      page={page}
      class="changes"
      summary={<span class="grow quiet">{t('Served through this window: {0}', count)}</span>}
    >
      {() => (
        <ul class="files">
          <Many
            of={item.files}
            draw={(file) => (
              <li key={file.path} class="row">
                <span class="grow">
                  <FileLink path={file.path} folder={folder} page={page} />
                </span>
                <span class="quiet">{servedWords(file)}</span>
              </li>
            )}
          />
        </ul>
      )}
    </Disclosure>
  );
}

function servedWords({ reads, writes, editor }: FilesItem['files'][number]): string {
  const parts: string[] = [];
  if (reads > 0) parts.push(reads === 1 ? t('read') : t('read {0} times', reads));
  if (writes > 0) parts.push(writes === 1 ? t('written') : t('written {0} times', writes));
  if (editor) parts.push(t('with unsaved text'));
  return parts.join(', ');
}

function Unsaved({ item }: { item: UnsavedItem }) {
  return (
    <>
      {item.saved.length > 0 && <p class="quiet row">{t('Saved before the agents go on: {0}', named(item.saved))}</p>}
      {item.left.length > 0 && (
        <p class="row">
          <Icon name="warning" tone="warn" />
          <span class="grow">{t('Left unsaved, so the agents may not see it: {0}', named(item.left))}</span>
        </p>
      )}
    </>
  );
}
