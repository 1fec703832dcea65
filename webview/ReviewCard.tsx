/** @jsxRuntime automatic @jsxImportSource preact */
import type { ReviewFinding, Severity, Verdict } from '../src/shared/events.ts';
import type { ReviewItem } from '../src/shared/view.ts';
import { FileLink } from './FileLink.tsx';
import { Icon, type Tone } from './Icon.tsx';
import { Text } from './Text.tsx';
import type { RowProps } from './ToolCard.tsx';
import { number, score, t } from './words.ts';

const SEVERITIES: readonly Severity[] = ['blocker', 'major', 'minor', 'nit'];

/** What the review came to: score, verdict, and the findings by severity. */
export function ReviewCard({ item, folder, page }: RowProps & { item: ReviewItem }) {
  const { verdict, approved, blockedBy } = item;
  const word = verdictWord(verdict, approved);
  return (
    <section class="card review" aria-label={t('Review')}>
      <div class="review-head">
        <ScoreRing value={verdict.score} tone={word.tone} />
        <div class="grow">
          <strong class={`tone-${word.tone}`}>{word.text}</strong>
          {verdict.summary !== '' && <Text text={verdict.summary} page={page} folder={folder} />}
        </div>
      </div>
      {[...blockedBy, ...verdict.warnings].map((text) => (
        <div class="row" key={text}>
          <Icon name="warning" tone="warn" />
          <span class="grow">{text}</span>
        </div>
      ))}
      {SEVERITIES.map((severity) => {
        const found = verdict.findings.filter((finding) => finding.severity === severity);
        if (found.length === 0) return null;
        return (
          <div key={severity}>
            <h3>
              {severityWord(severity)} <span class="quiet">{number(found.length)}</span>
            </h3>
            <ul class="findings">
              {found.map((finding, index) => (
                <li key={index}>
                  <Finding finding={finding} folder={folder} page={page} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      <Previous verdict={verdict} />
      {verdict.suggestions.length > 0 && (
        <div>
          <h3>{t('Suggestions')}</h3>
          <ul>
            {verdict.suggestions.map((text, index) => (
              <li key={index}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Finding({ finding, folder, page }: { finding: ReviewFinding } & Pick<RowProps, 'folder' | 'page'>) {
  const { file, line, title, detail, suggestion } = finding;
  return (
    <>
      <div class="finding-head">
        <span>{title}</span>
        {file !== undefined && <FileLink path={file} line={line} folder={folder} page={page} />}
      </div>
      {detail !== '' && <Text text={detail} page={page} folder={folder} />}
      {suggestion !== undefined && suggestion !== '' && (
        <div class="quiet">
          <Text text={t('Fix: {0}', suggestion)} page={page} folder={folder} />
        </div>
      )}
    </>
  );
}

function Previous({ verdict }: { verdict: Verdict }) {
  const count = (status: 'fixed' | 'open' | 'withdrawn') =>
    verdict.previous.filter((finding) => finding.status === status).length;
  const parts = [
    count('fixed') > 0 && t('{0} fixed', count('fixed')),
    count('open') > 0 && t('{0} still open', count('open')),
    count('withdrawn') > 0 && t('{0} withdrawn', count('withdrawn')),
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : <p class="quiet">{t('Earlier findings: {0}', parts.join(' · '))}</p>;
}

/** The score as a ring with the number in it; the words beside it say the same. */
export function ScoreRing({ value, tone }: { value: number | null; tone: Tone }) {
  const length = 2 * Math.PI * 17;
  return (
    <span class={`ring tone-${tone}`} role="img" aria-label={t('Score: {0}', score(value))}>
      <svg viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
        <circle class="ring-track" cx="20" cy="20" r="17" />
        {value !== null && (
          <circle
            class="ring-value"
            cx="20"
            cy="20"
            r="17"
            stroke-dasharray={`${(length * value) / 10} ${length}`}
            transform="rotate(-90 20 20)"
          />
        )}
        <text x="20" y="25" text-anchor="middle">
          {value === null ? '?' : number(value)}
        </text>
      </svg>
    </span>
  );
}

function verdictWord(verdict: Verdict, approved: boolean): { readonly text: string; readonly tone: Tone } {
  if (approved) return { text: t('Approved'), tone: 'good' };
  if (verdict.status === 'unparsable') return { text: t('No verdict: {0}', whyNone(verdict.reason)), tone: 'bad' };
  return { text: t('Not approved'), tone: 'warn' };
}

function whyNone(reason: Verdict['reason']): string {
  switch (reason) {
    case 'empty':
      return t('the review is empty');
    case 'no_score':
      return t('the review names no score');
    case 'ambiguous_score':
      return t('the review names several scores');
    case 'score_out_of_range':
      return t('the score is not between 1 and 10');
    case 'invalid_json_verdict':
      return t('the verdict is not readable');
    case 'ok':
    case 'no_approved_line':
    case 'json_not_approved':
    case 'score_below_threshold':
    case 'open_blocker':
      return t('the review contradicts itself');
    default:
      return reason satisfies never;
  }
}

function severityWord(severity: Severity): string {
  switch (severity) {
    case 'blocker':
      return t('Blockers');
    case 'major':
      return t('Major');
    case 'minor':
      return t('Minor');
    case 'nit':
      return t('Nits');
    default:
      return severity satisfies never;
  }
}
