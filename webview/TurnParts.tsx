/** @jsxRuntime automatic @jsxImportSource preact */
import type { TurnOutcome } from '../src/shared/ending.ts';
import type { Item, TurnItem } from '../src/shared/view.ts';
import { Disclosure } from './Disclosure.tsx';
import { Icon, type Tone } from './Icon.tsx';
import { Parts } from './Parts.tsx';
import { SCROLLS } from './scrolls.ts';
import { spentWords } from './spent.ts';
import type { Page } from './state.ts';
import type { RowProps } from './ToolCard.tsx';
import { compact, duration, named, t } from './words.ts';

/** Who begins to work, with what it was sent on demand; and how it ended, unless it was completed. */
export function Turn({ item, name, id, open, page }: RowProps & { item: TurnItem }) {
  const ended = item.outcome === null ? null : turnEnd(item.outcome, name);
  const model = item.models.length > 0 ? item.models.join(', ') : item.model;
  const title = (
    <span class="grow">
      <strong>{item.role === 'execute' ? t('{0} works', name) : t('{0} reviews', name)}</strong>
      {model !== null && <span class="quiet"> {model}</span>}
    </span>
  );
  return (
    <>
      <Disclosure id={id} open={open ?? false} page={page} class="turn" summary={title}>
        {() => (
          <>
            <p class="quiet">{t('What was sent to {0}:', name)}</p>
            <Sent item={item} page={page} />
          </>
        )}
      </Disclosure>
      {ended !== null && (
        <div class="row">
          <Icon name={ended.tone === 'bad' ? 'error' : 'warning'} tone={ended.tone} />
          <span class="grow">{ended.text}</span>
        </div>
      )}
    </>
  );
}

/** Characters of a prompt that the page shows; the whole of it is an editor's matter. */
const SHOWN = 8_000;

/** The exact prompt of a turn, and what of the changes is not, or not whole, in it. */
export function Sent({ item, page }: { item: TurnItem; page: Page }) {
  const { prompt, withheld = [], shortened = [], turn } = item;
  return (
    <div class="sent">
      {withheld.length > 0 && (
        <p class="row">
          <Icon name="shield" tone="good" />
          <span class="grow">{t('Kept out, because it may be secret: {0}', named(withheld))}</span>
        </p>
      )}
      {shortened.length > 0 && (
        <p class="row">
          <Icon name="fold" tone="warn" />
          <span class="grow">{t('Not whole, because it is long: {0}', named(shortened))}</span>
        </p>
      )}
      <pre class="code prompt" {...SCROLLS}>
        {prompt.slice(0, SHOWN)}
        {prompt.length > SHOWN && '…'}
      </pre>
      <button type="button" class="link" onClick={() => page.post({ type: 'openPrompt', turn })}>
        {t('Open all {0} characters in an editor', prompt.length)}
      </button>
    </div>
  );
}

/** What a turn took: tokens, money, tool calls, time. `items`: those of its round. */
export function TurnFooter({ item, items }: { item: TurnItem; items: readonly Item[] }) {
  const { usage, endedAt, at, turn, models } = item;
  const isSilent =
    usage === null || (usage.inputTokens === null && usage.outputTokens === null && usage.costUsd === null);
  const calls = items.filter((one) => one.type === 'tool' && one.turn === turn).length;
  const parts = [
    ...(usage?.inputTokens == null ? [] : [t('{0} tokens in', compact(usage.inputTokens))]),
    ...(usage?.outputTokens == null ? [] : [t('{0} out', compact(usage.outputTokens))]),
    ...((usage?.cachedTokens ?? 0) === 0 ? [] : [t('{0} from cache', compact(usage?.cachedTokens ?? 0))]),
    ...(models.length > 1 ? [models.join(' + ')] : []),
    ...(isSilent ? [t('tokens and cost unknown')] : spentWords([item]).slice(-1)),
    ...(calls === 0 ? [] : [calls === 1 ? t('1 tool call') : t('{0} tool calls', calls)]),
    ...(endedAt === null ? [] : [duration(endedAt - at)]),
  ];
  return (
    <p class="turn-footer quiet">
      <Parts parts={parts} />
    </p>
  );
}

/** Null for a turn that was completed: that goes without saying. */
function turnEnd(outcome: TurnOutcome, name: string): { readonly text: string; readonly tone: Tone } | null {
  switch (outcome.type) {
    case 'completed':
      return null;
    case 'incomplete':
      return { text: t('{0} stopped early ({1}). {2}', name, outcome.cause, outcome.message), tone: 'warn' };
    case 'cancelled':
      return {
        text: outcome.by === 'user' ? t('Stopped by you.') : t('{0} cancelled its own turn.', name),
        tone: 'warn',
      };
    case 'failed':
      return { text: outcome.message, tone: 'bad' };
    default:
      return outcome satisfies never;
  }
}
