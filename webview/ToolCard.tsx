/** @jsxRuntime automatic @jsxImportSource preact */
import type { AgentRef } from '../src/shared/agentEvents.ts';
import { shortPath } from '../src/shared/questionWords.ts';
import type { ToolContent } from '../src/shared/toolCall.ts';
import { lacksResult } from '../src/shared/unsentResults.ts';
import type { ToolItem } from '../src/shared/view.ts';
import type { Json } from '../src/shared/wire.ts';
import { compare } from './comparison.ts';
import { Diff } from './Diff.tsx';
import { Disclosure } from './Disclosure.tsx';
import { Elapsed } from './Elapsed.tsx';
import { FileLink } from './FileLink.tsx';
import { Icon, type Tone } from './Icon.tsx';
import { Output } from './Output.tsx';
import { hitsIn, SearchHits } from './SearchHits.tsx';
import { SCROLLS } from './scrolls.ts';
import type { Page } from './state.ts';
import { TerminalOutput } from './TerminalCard.tsx';
import { TOOL_ICONS } from './toolIcons.ts';
import { duration, MOST_NAMES, number, t } from './words.ts';

export interface RowProps {
  readonly id: string;
  readonly name: string;
  /** Whose it is; null where nobody's. */
  readonly agent: AgentRef | null;
  readonly folder: string;
  readonly open: boolean | undefined;
  /** Whether the whole of a long body was asked for. */
  readonly all: boolean;
  /** Whether the arguments and the result were asked for as they came. */
  readonly raw?: boolean;
  readonly page: Page;
}

/** Whether the body of a tool call is shown: as the person wants it, else by itself. `inner`: calls of its sub-agent. */
export function isOpen(item: ToolItem, wanted: boolean | undefined, inner: number): boolean {
  return wanted ?? (opensItself(item) || (inner > 0 && item.endedAt === null));
}

/** One tool call: what is done, how it stands, and its body by kind. `inner`: how many calls its sub-agent made. */
export function ToolCard({ item, inner, ...row }: RowProps & { item: ToolItem; inner: number }) {
  const { id, folder, page } = row;
  const hasBody =
    inner > 0 ||
    (item.content?.length ?? 0) > 0 ||
    (item.locations?.length ?? 0) > 0 ||
    hasRaw(item) ||
    isUnsent(item, row.agent);
  const kind = item.kind ?? 'other';
  const state = stateOf(item);
  const open = isOpen(item, row.open, inner);
  const title = (
    <>
      <Icon name={TOOL_ICONS[kind]} />
      <span class="grow title">
        {titleOf(item, folder)}
        {inner > 0 && <span class="quiet"> {inner === 1 ? t('1 tool call') : t('{0} tool calls', inner)}</span>}
      </span>
      <LineCounts content={item.content ?? []} />
      <span class="state">
        <Icon name={state.icon} tone={state.tone} spin={state.icon === 'loading'} />
        <span class={state.loud ? '' : 'sr-only'}>{state.text}</span>
        {item.state === 'executing' && <Elapsed since={item.at} />}
      </span>
    </>
  );
  if (!hasBody) return <div class="row tool">{title}</div>;
  return (
    <Disclosure id={id} open={open} page={page} class="tool" summary={title}>
      {() => <ToolBody item={item} {...row} />}
    </Disclosure>
  );
}

function ToolBody({ item, id, agent, folder, all, raw, page }: RowProps & { item: ToolItem }) {
  const url = item.kind === 'fetch' ? addressIn(item) : null;
  const shown = (item.content ?? []).filter((part) => part.type === 'diff').map((part) => part.path);
  const locations = (item.locations ?? []).filter(({ path }) => !shown.includes(path));
  return (
    <>
      {locations.length > 0 && (
        <div class="links">
          {locations.slice(0, MOST_NAMES).map(({ path, line }) => (
            <FileLink key={`${path}:${line}`} path={path} line={line} folder={folder} page={page} />
          ))}
          {locations.length > MOST_NAMES && (
            <span class="quiet">{t('and {0} more', locations.length - MOST_NAMES)}</span>
          )}
        </div>
      )}
      {url !== null && (
        <p class="links">
          <a href={url}>{url}</a>
        </p>
      )}
      <Content
        content={item.content ?? []}
        id={id}
        folder={folder}
        all={all}
        page={page}
        isSearch={item.kind === 'search'}
      />
      {item.terminals?.map((terminal) => (
        <TerminalOutput key={terminal.key} item={terminal} id={id} all={all} page={page} />
      ))}
      {hasRaw(item) && (
        <Disclosure
          id={`${id}/raw`}
          open={raw ?? false}
          page={page}
          class="raw"
          summary={<span class="grow quiet">{t('Arguments and result as they came')}</span>}
        >
          {() =>
            [item.rawInput, item.rawOutput].map((value, index) => (
              <Raw
                key={index}
                value={value}
                openAll={() => page.post({ type: 'openPart', id: `${id}/raw`, part: index })}
              />
            ))
          }
        </Disclosure>
      )}
      {isUnsent(item, agent) && <p class="quiet">{t('Its result is not sent by this transport.')}</p>}
    </>
  );
}

/** Characters of a title; the card shows two lines of it, and the whole with the arguments. */
const MOST_TITLE = 500;
/** Characters of a raw value that the page shows. */
const MOST_RAW = 20_000;

function Raw({ value, openAll }: { value: Json | undefined; openAll: () => void }) {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <>
      <pre class="code output" {...SCROLLS}>
        {text.slice(0, MOST_RAW)}
        {text.length > MOST_RAW && '…'}
      </pre>
      {text.length > MOST_RAW && (
        <button type="button" class="link" onClick={openAll}>
          {t('Open all {0} characters in an editor', text.length)}
        </button>
      )}
    </>
  );
}

/** The address that a tool fetches, where its arguments or its title name one. */
function addressIn({ rawInput, title = '' }: ToolItem): string | null {
  const named = typeof rawInput === 'object' && rawInput !== null && 'url' in rawInput ? rawInput.url : null;
  return (
    /^https?:\/\/\S+$/.exec(typeof named === 'string' ? named : '')?.[0] ??
    /https?:\/\/[^\s"'<>)]+/.exec(title)?.[0] ??
    null
  );
}

interface ContentProps {
  readonly content: readonly ToolContent[];
  readonly id: string;
  readonly folder: string;
  readonly all: boolean;
  /** Texts that name places are drawn as those. */
  readonly isSearch?: boolean;
  readonly page: Page;
}

/** Diffs and output of a tool call, or of a question about one. */
export function Content({ content, id, folder, all, isSearch = false, page }: ContentProps) {
  return (
    <>
      {content.map((part, index) => {
        const openAll = () => page.post({ type: 'openPart', id, part: index });
        const hits = part.type === 'text' && isSearch ? hitsIn(part.text) : null;
        if (hits !== null) return <SearchHits key={index} hits={hits} folder={folder} page={page} openAll={openAll} />;
        if (part.type === 'text')
          return <Output key={index} text={part.text} id={`${id}/all`} all={all} page={page} openAll={openAll} />;
        // The card draws its terminals itself.
        if (part.type === 'terminal') return null;
        return (
          <div key={index}>
            <div class="links">
              <FileLink path={part.path} folder={folder} page={page} />
              {part.oldText === null && <span class="quiet">{t('new file')}</span>}
            </div>
            <Diff part={part} openAll={openAll} />
          </div>
        );
      })}
    </>
  );
}

function LineCounts({ content }: { content: readonly ToolContent[] }) {
  const counts = content.flatMap((part) => (part.type === 'diff' ? [compare(part)] : []));
  const added = counts.reduce((sum, one) => sum + one.added, 0);
  const removed = counts.reduce((sum, one) => sum + one.removed, 0);
  if (added + removed === 0) return null;
  return (
    <span class="counts">
      <ins>+{number(added)}</ins> <del>−{number(removed)}</del>
    </span>
  );
}

function titleOf(item: ToolItem, folder: string): string {
  const title = item.title ?? item.toolName;
  if (title !== undefined && title !== '') return title.slice(0, MOST_TITLE).split(`${folder}/`).join('');
  const [location] = item.locations ?? [];
  return location === undefined ? t('A tool') : shortPath(location.path, folder);
}

/** Whether the card is empty because the agent's wire has no place for what the tool gave. */
function isUnsent({ state, kind = 'other', content = [], rawOutput }: ToolItem, agent: AgentRef | null): boolean {
  if (state !== 'success' || content.length > 0 || (rawOutput ?? null) !== null) return false;
  return agent !== null && lacksResult(agent, kind);
}

const hasRaw = (item: ToolItem) => (item.rawOutput ?? item.rawInput ?? null) !== null;

/** Edits and commands are what people look at; the rest opens on demand. */
function opensItself({ kind, state, reason, content }: ToolItem): boolean {
  // What was stopped stays as it was seen; what was denied was shown by its question.
  if ((state === 'cancelled' && reason !== 'stopped') || (content?.length ?? 0) === 0) return false;
  return kind === 'edit' || kind === 'execute' || state === 'error';
}

interface StateWords {
  readonly icon: string;
  readonly text: string;
  readonly tone?: Tone;
  /** Said in words for everyone; otherwise the icon is enough for the eye. */
  readonly loud: boolean;
}

function stateOf({ state, reason, at, endedAt }: ToolItem): StateWords & { tone: Tone } {
  switch (state) {
    case 'validating':
    case 'scheduled':
      return { icon: 'circle-outline', text: t('not started'), tone: 'quiet', loud: false };
    case 'awaitingApproval':
      return { icon: 'question', text: t('waiting for an answer'), tone: 'warn', loud: true };
    case 'executing':
      return { icon: 'loading', text: t('running'), tone: 'quiet', loud: false };
    case 'success': {
      const took = (endedAt ?? at) - at;
      return { icon: 'check', text: took < 2000 ? t('done') : duration(took), tone: 'good', loud: took >= 2000 };
    }
    case 'error':
      return { icon: 'error', text: t('failed'), tone: 'bad', loud: true };
    case 'cancelled':
      return { icon: 'circle-slash', text: whyCancelled(reason), tone: 'warn', loud: true };
    default:
      return state satisfies never;
  }
}

function whyCancelled(reason: ToolItem['reason']): string {
  switch (reason) {
    case 'denied':
      return t('denied');
    case 'noResult':
      return t('no result reported');
    case 'failed':
      return t('failed');
    case 'stopped':
    case undefined:
      return t('stopped');
    default:
      return reason satisfies never;
  }
}
