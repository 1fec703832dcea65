/** @jsxRuntime automatic @jsxImportSource preact */
import type { HostState, Notice, NoticeAction } from '../src/shared/messages.ts';
import { Icon } from './Icon.tsx';
import type { Page } from './state.ts';
import { t } from './words.ts';

const ICONS = { info: 'info', warning: 'warning', error: 'error' } as const;
const TONES = { info: 'quiet', warning: 'warn', error: 'bad' } as const;

/** What stands in the way or should be known, each with its ways out. */
export function Notices({ host, page }: { host: HostState; page: Page }) {
  return host.notices.map((notice) => <NoticeCard key={notice.what} notice={notice} page={page} />);
}

function NoticeCard({ notice, page }: { notice: Notice; page: Page }) {
  return (
    <div class="card notice" role={notice.level === 'error' ? 'alert' : 'note'}>
      <div class="row">
        <Icon name={ICONS[notice.level]} tone={TONES[notice.level]} />
        <div class="grow">
          <p class="cause">{notice.what}</p>
          {notice.fix !== '' && <p class="cause quiet">{notice.fix}</p>}
        </div>
      </div>
      {notice.actions.length > 0 && (
        <div class="options">
          {notice.actions.map((action) => (
            <button type="button" key={action} onClick={() => page.post({ type: 'act', action })}>
              {actionWord(action)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function actionWord(action: NoticeAction): string {
  switch (action) {
    case 'manageTrust':
      return t('Manage Workspace Trust');
    case 'openSettings':
      return t('Open Settings');
    case 'openFolder':
      return t('Open Folder');
    case 'checkSetup':
      return t('Check Setup');
    case 'tryDemo':
      return t('Try the Demo');
    case 'waitForFolder':
      return t('Wait and Run');
    default:
      return action satisfies never;
  }
}
