/** @jsxRuntime automatic @jsxImportSource preact */

import { isOpen } from '../src/shared/isOpen.ts';
import type { Finding, PreviousFinding, Verdict } from '../src/shared/review.ts';
import type { ReviewItem, RoundView } from '../src/shared/view.ts';
import { Disclosure } from './Disclosure.tsx';
import type { FindingTools } from './FindingActions.tsx';
import { FindingRow } from './FindingRow.tsx';
import { Icon } from './Icon.tsx';
import { Many } from './Many.tsx';
import { memo } from './memo.ts';
import { ScoreRing } from './ScoreRing.tsx';
import type { Page } from './state.ts';
import { Text } from './Text.tsx';
import { Sent } from './TurnParts.tsx';
import { SEVERITIES, severityWord, verdictWord } from './verdictWords.ts';
import { number, score, t } from './words.ts';

/** What can be done about the findings of the newest review. */
export interface ReviewTools {
  readonly of: (finding: Finding) => FindingTools;
  /** What comes next where there is no verdict, or one that does not count; null: the run says it itself. */
  readonly next: string | null;
  readonly executor: string;
}

interface Props {
  readonly item: ReviewItem;
  readonly id: string;
  /** The reviewer's. */
  readonly name: string;
  readonly round: RoundView;
  /** The ledger of the run. */
  readonly findings: readonly Finding[];
  /** No newer review has taken its place. */
  readonly isNewest: boolean;
  /** Null: nothing can be done about them here. */
  readonly tools: ReviewTools | null;
  readonly open: Readonly<Record<string, boolean>>;
  readonly folder: string;
  readonly page: Page;
}

/** What the review came to: score, verdict, and the findings by severity as they stand now. */
export const ReviewCard = memo((props: Props) => {
  const { item, id, name, round, tools, open, folder, page } = props;
  const { verdict } = item;
  const word = verdictWord(item);
  const isVoid = verdict.status === 'unparsable';
  const { own, fixed, settled } = sorted(props);
  const turn = round.turns.find((one) => one.turn === item.turn);
  const row = (finding: Finding) => (
    <li key={finding.id}>
      <FindingRow
        finding={finding}
        id={`${id}/${finding.id}`}
        open={open[`${id}/${finding.id}`] ?? false}
        tools={tools?.of(finding) ?? null}
        names={{ execute: tools?.executor ?? t('The executor'), review: name }}
        folder={folder}
        page={page}
      />
    </li>
  );
  return (
    <section class={`card review stop review-${word.tone}`} tabIndex={-1} aria-label={t('Review')}>
      <div class="review-head">
        <ScoreRing value={verdict.score} tone={word.tone} />
        <div class="grow">
          <strong class={`tone-${word.tone}`}>{word.text}</strong>
          {verdict.summary !== '' && <Text text={verdict.summary} page={page} folder={folder} />}
        </div>
      </div>
      <Against
        item={item}
        next={tools?.next ?? (isVoid ? t('{0} was asked once more, with the reason.', name) : null)}
      />
      {SEVERITIES.map((severity) => {
        const found = own.filter((finding) => finding.severity === severity);
        if (found.length === 0) return null;
        return (
          <div key={severity}>
            <h3>
              {severityWord(severity)} <span class="quiet">{number(found.length)}</span>
            </h3>
            <ul class="findings">
              <Many of={found} draw={row} />
            </ul>
          </div>
        );
      })}
      {fixed.length > 0 && (
        <div>
          <h3>
            {t('Fixed in this round')} <span class="quiet">{number(fixed.length)}</span>
          </h3>
          <ul class="findings">
            <Many of={fixed} draw={row} />
          </ul>
        </div>
      )}
      {settled.length > 0 && (
        <Disclosure
          id={`${id}/settled`}
          open={open[`${id}/settled`] ?? false}
          page={page}
          summary={<span class="grow quiet">{t('Settled before: {0}', settled.length)}</span>}
        >
          {() => (
            <ul class="findings">
              <Many of={settled} draw={row} />
            </ul>
          )}
        </Disclosure>
      )}
      <Suggestions verdict={verdict} folder={folder} page={page} />
      {turn !== undefined && (
        <Disclosure
          id={`${id}/sent`}
          open={open[`${id}/sent`] ?? false}
          page={page}
          summary={
            <span class="grow quiet">
              {t('What was sent')}
              {turn.withheld !== undefined && ` · ${t('{0} kept out', turn.withheld.length)}`}
              {turn.shortened !== undefined && ` · ${t('{0} not whole', turn.shortened.length)}`}
            </span>
          }
        >
          {() => <Sent item={turn} page={page} />}
        </Disclosure>
      )}
    </section>
  );
});

/**
 * Which findings the card shows. `own`: those that the round's review opened, and in the newest card all that are open;
 * `fixed`: which this round fixed; `settled`: the others, in the newest card only.
 */
function sorted({ item: { verdict }, round, findings, isNewest }: Props) {
  if (verdict.status === 'unparsable') return { own: [], fixed: [], settled: [] };
  const isFixedHere = (finding: Finding) =>
    finding.status === 'fixed' &&
    (finding.fixedBy?.round === round.number || verdict.previous.some((said) => isAbout(said, finding)));
  const own = findings.filter((finding) => finding.openedInRound === round.number || (isNewest && isOpen(finding)));
  const others = findings.filter((finding) => !own.includes(finding) && finding.openedInRound < round.number);
  return {
    own,
    fixed: others.filter(isFixedHere),
    settled: isNewest ? others.filter((finding) => !isFixedHere(finding)) : [],
  };
}

function isAbout({ id, status }: PreviousFinding, finding: Finding): boolean {
  return (
    status === 'fixed' && (finding.id === id.trim().toUpperCase() || finding.theirIds?.includes(id.trim()) === true)
  );
}

/** What stands against the verdict, or why there is none, with what comes next. */
function Against({ item: { verdict, approved, blockedBy }, next }: { item: ReviewItem; next: string | null }) {
  const isVoid = verdict.status === 'unparsable';
  const title = contradiction(verdict, approved);
  const reasons = [...blockedBy, ...verdict.warnings];
  if (title === null && reasons.length === 0 && !isVoid) return null;
  const isLoud = title !== null || isVoid;
  return (
    <div class={`against ${isLoud ? 'loud' : ''}`} role="note">
      {title !== null && (
        <div class="row">
          <Icon name="warning" tone="bad" />
          <strong class="grow">{title}</strong>
        </div>
      )}
      {reasons.map((text) => (
        <div class="row" key={text}>
          <Icon name={isLoud ? 'circle-small-filled' : 'warning'} tone={isLoud ? 'quiet' : 'warn'} />
          <span class="grow">{text}</span>
        </div>
      ))}
      {isLoud && next !== null && (
        <div class="row">
          <Icon name="arrow-right" tone="quiet" />
          <span class="grow">{next}</span>
        </div>
      )}
    </div>
  );
}

function contradiction(verdict: Verdict, approved: boolean): string | null {
  if (verdict.reason === 'open_blocker') return t('It contradicts itself: it approves, and names a blocker.');
  if (verdict.reason === 'score_below_threshold' && verdict.score !== null)
    return t('It contradicts itself: it approves with {0}, which is below the threshold.', score(verdict.score));
  return verdict.approved && !approved ? t('The approval does not count:') : null;
}

function Suggestions({ verdict, folder, page }: { verdict: Verdict } & Pick<Props, 'folder' | 'page'>) {
  if (verdict.suggestions.length === 0) return null;
  return (
    <div>
      <h3>{t('Suggestions')}</h3>
      <ul class="suggestions">
        {verdict.suggestions.map((text, index) => (
          <li key={index}>
            <Text text={text} page={page} folder={folder} />
          </li>
        ))}
      </ul>
    </div>
  );
}
