/** @jsxRuntime automatic @jsxImportSource preact */
import type { DoctorCard as Card, DoctorAction, DoctorLevel, DoctorLine, DoctorSection } from '../src/shared/doctor.ts';
import { Icon, type Tone } from './Icon.tsx';
import type { Page } from './state.ts';
import { t } from './words.ts';

const LEVELS: Readonly<Record<DoctorLevel, { readonly icon: string; readonly tone: Tone }>> = {
  ok: { icon: 'pass', tone: 'good' },
  warning: { icon: 'warning', tone: 'warn' },
  problem: { icon: 'error', tone: 'bad' },
};

/** What stands between the person and a run, each with its way out; the words come from the host. */
export function DoctorCard({ card, page }: { card: Card; page: Page }) {
  const { report, checking } = card;
  return (
    <section class="card doctor" aria-label={t('Setup')} aria-busy={checking}>
      <div class="row">
        <Icon name={checking ? 'loading' : 'checklist'} spin={checking} />
        <strong class="grow" role="status">
          {checking ? t('Checking the setup…') : headline(report?.ok ?? true)}
        </strong>
      </div>
      {report?.sections.map((section) => (
        <Section key={section.title} section={section} page={page} />
      ))}
      <div class="options">
        <button
          type="button"
          disabled={checking}
          onClick={() => page.post({ type: 'doctor', action: { type: 'check' } })}
        >
          <Icon name="refresh" />
          {t('Check Setup')}
        </button>
        <button
          type="button"
          class="link"
          disabled={checking}
          onClick={() => page.post({ type: 'doctor', action: { type: 'close' } })}
        >
          {t('Close')}
        </button>
      </div>
    </section>
  );
}

function headline(ok: boolean): string {
  return ok ? t('Nothing is in the way of a run.') : t('Something is in the way of a run.');
}

function Section({ section, page }: { section: DoctorSection; page: Page }) {
  return (
    <>
      <h2>{section.title}</h2>
      <ul class="doctor-lines">
        {section.lines.map((line) => (
          <Line key={`${line.topic} ${line.what}`} line={line} page={page} />
        ))}
      </ul>
    </>
  );
}

function Line({ line, page }: { line: DoctorLine; page: Page }) {
  const { level, what, fix, command, action } = line;
  return (
    <li class="row">
      <Icon name={LEVELS[level].icon} tone={LEVELS[level].tone} />
      <div class="grow">
        <p class="cause">
          <span class="sr-only">{levelWord(level)} </span>
          {what}
        </p>
        {fix !== '' && <p class="cause quiet">{fix}</p>}
        {command !== null && <code>{command}</code>}
        {action !== null && (
          <div class="options">
            <button type="button" onClick={() => page.post({ type: 'doctor', action })}>
              {actionWord(action)}
            </button>
          </div>
        )}
      </div>
    </li>
  );
}

function levelWord(level: DoctorLevel): string {
  switch (level) {
    case 'ok':
      return t('In order:');
    case 'warning':
      return t('To be known:');
    case 'problem':
      return t('In the way:');
    default:
      return level satisfies never;
  }
}

function actionWord(action: DoctorAction): string {
  switch (action.type) {
    case 'signIn':
      return t('Sign In…');
    case 'install':
      return t('Install in a Terminal');
    case 'setKey':
      return t('Set Gemini API Key');
    case 'openSettings':
      return t('Open Settings');
    case 'manageTrust':
      return t('Manage Workspace Trust');
    default:
      return action satisfies never;
  }
}
