/** @jsxRuntime automatic @jsxImportSource preact */

import { isOpen } from '../src/shared/isOpen.ts';
import type { Finding } from '../src/shared/review.ts';
import { severityName } from '../src/shared/severityName.ts';
import { Disclosure } from './Disclosure.tsx';
import { FileLink } from './FileLink.tsx';
import { FindingActions, type FindingTools } from './FindingActions.tsx';
import { FixTrail } from './FixTrail.tsx';
import { Icon, type Tone } from './Icon.tsx';
import type { Page } from './state.ts';
import { Text } from './Text.tsx';
import { SEVERITY_ICONS } from './verdictWords.ts';
import { t } from './words.ts';

interface Props {
  readonly finding: Finding;
  readonly id: string;
  readonly open: boolean;
  /** Null: nothing can be done about it here. */
  readonly tools: FindingTools | null;
  /** Names of the executor and the reviewer. */
  readonly names: { readonly execute: string; readonly review: string };
  readonly folder: string;
  readonly page: Page;
}

/** A finding as it stands now: an open one whole, with what can be done about it; a settled one in a row that opens. */
export function FindingRow(props: Props) {
  const { finding, id, open, folder, page } = props;
  if (isOpen(finding)) return <OpenFinding {...props} />;
  const { icon, tone } = MARKS[finding.status];
  return (
    <Disclosure
      id={id}
      open={open}
      page={page}
      class="settled-finding"
      summary={
        <>
          <Icon name={icon} tone={tone} />
          <span class="grow">
            <Title text={finding.title} /> <span class="quiet">{statusWords(finding)}</span>
          </span>
        </>
      }
    >
      {() => (
        <>
          <Place {...props} />
          {finding.status === 'fixed' && <FixTrail finding={finding} folder={folder} page={page} />}
          <Said {...props} />
          {props.tools !== null && <FindingActions finding={finding} tools={props.tools} page={page} />}
        </>
      )}
    </Disclosure>
  );
}

const MARKS = {
  open: { icon: 'circle-outline', tone: 'warn' },
  regressed: { icon: 'circle-outline', tone: 'bad' },
  fixed: { icon: 'pass', tone: 'good' },
  withdrawn: { icon: 'circle-slash', tone: 'quiet' },
  dismissed: { icon: 'circle-slash', tone: 'quiet' },
} as const satisfies Record<Finding['status'], { readonly icon: string; readonly tone: Tone }>;

function OpenFinding(props: Props) {
  const { finding, tools, page } = props;
  const { severity } = finding;
  return (
    <article class={`finding finding-${severity}`} aria-label={finding.title}>
      <div class="finding-head">
        <Icon name={SEVERITY_ICONS[severity].icon} tone={SEVERITY_ICONS[severity].tone} />
        <span class="grow">
          <Title text={finding.title} /> <Place {...props} />
        </span>
      </div>
      <Said {...props} />
      {tools !== null && <FindingActions finding={finding} tools={tools} page={page} />}
    </article>
  );
}

/** Words between back-ticks are code; a title has no other marks. */
function Title({ text }: { text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return (
    <span class="finding-title">
      {parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </span>
  );
}

/** Where it is and what it is called, with the words that say more than that it is open. */
function Place({ finding, folder, page }: Props) {
  const { id, file, line, late, status, openedInRound, severity } = finding;
  return (
    <span class="finding-place quiet">
      <span class="part">{id}</span>
      {!isOpen(finding) && <span class="part">{severityName(severity, t)}</span>}
      {file !== undefined && <FileLink path={file} line={line} folder={folder} page={page} />}
      {status === 'regressed' && <span class="badge tone-bad">{t('regressed')}</span>}
      {late === true && (
        <span class="badge" title={t('First raised on lines that had not changed since the review before.')}>
          {t('late')}
        </span>
      )}
      {isOpen(finding) && <span class="part">{t('since round {0}', openedInRound)}</span>}
    </span>
  );
}

/** The words about it: the reviewer's, the executor's, the person's. */
function Said({ finding, names, folder, page }: Props) {
  const { detail, suggestion, disputed, status, reason } = finding;
  return (
    <div class="finding-said">
      {detail !== '' && <Text text={detail} page={page} folder={folder} />}
      {suggestion !== undefined && suggestion !== '' && (
        <Text text={t('Fix: {0}', suggestion)} page={page} folder={folder} />
      )}
      {disputed !== undefined && (
        <blockquote>
          <span class="quiet">{t('{0} disputes it:', names.execute)}</span>
          <Text text={disputed} page={page} folder={folder} />
        </blockquote>
      )}
      {status === 'dismissed' && (
        <p class="quiet">
          {reason === undefined
            ? t('You dismissed it. {0} is told not to raise it again.', names.review)
            : t('You dismissed it: “{0}” {1} is told so, and not to raise it again.', reason, names.review)}
        </p>
      )}
    </div>
  );
}

/** How a finding stands, in a few words. */
function statusWords({ status, fixedBy }: Finding): string {
  switch (status) {
    case 'open':
      return t('open');
    case 'regressed':
      return t('regressed');
    case 'fixed':
      return fixedBy === undefined ? t('fixed') : t('fixed in round {0}', fixedBy.round);
    case 'withdrawn':
      return t('withdrawn');
    case 'dismissed':
      return t('dismissed by you');
    default:
      return status satisfies never;
  }
}
