/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComposerOptions, HostState } from '../src/shared/messages.ts';
import { CHIPS, MODE_HINT } from './composer/chips.tsx';
import { Images } from './composer/Images.tsx';
import { modeMeaning } from './composer/permissionWords.ts';
import type { ComposerState } from './composer/state.ts';
import { TaskBox } from './composer/TaskBox.tsx';
import { type Taker, takeFiles, takesNone } from './composer/takeFiles.ts';
import { Icon } from './Icon.tsx';
import type { Page } from './state.ts';
import { t } from './words.ts';

interface Props {
  readonly draft: string;
  readonly composer: ComposerState;
  readonly options: ComposerOptions;
  readonly host: HostState;
  readonly page: Page;
}

/** The task box with what goes with the task and its chips. Ctrl+Enter, or Cmd+Enter, runs. */
export function Composer({ draft, composer, options, host, page }: Props) {
  const { images, refused } = composer;
  const offers = host.offers[options.executor] ?? null;
  const agent = host.agents.find(({ id }) => id === options.executor) ?? null;
  const canRun = host.trusted && host.folder !== null && host.phase === 'idle' && draft.trim() !== '';
  const run = () => {
    if (canRun) page.post({ type: 'run', task: draft.trim(), options });
  };
  const warm = (wanted: ComposerOptions) => {
    if (host.trusted && host.phase === 'idle') page.post({ type: 'warm', options: wanted });
  };
  const choose = (changed: Partial<ComposerOptions>) => {
    page.dispatch({ type: 'option', options: changed });
    if (draft !== '') warm({ ...options, ...changed });
  };
  const taker: Taker = { agent, offers, count: images.length, page };
  const note = images.length > 0 && offers?.images === false ? takesNone(agent) : refused;
  return (
    <form
      class="composer"
      aria-label={t('New run')}
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <TaskBox
        draft={draft}
        composer={composer}
        folder={options.folder}
        commands={offers?.commands ?? []}
        taker={taker}
        page={page}
        onBegin={() => warm(options)}
        onRun={run}
      />
      <Images images={images} page={page} />
      {note !== null && (
        <p class="hint tone-warn" role="alert">
          {note}
        </p>
      )}
      <div class="chips">
        {CHIPS.map((Chips) => (
          <Chips key={Chips.name} options={options} host={host} choose={choose} />
        ))}
        <AttachButton taker={taker} />
        <button type="submit" class="primary run" disabled={!canRun} title={t('Run (Ctrl+Enter)')}>
          <Icon name="play" />
          {t('Run')}
        </button>
      </div>
      <p id={MODE_HINT} class={options.permissionMode === 'ask' ? 'sr-only' : 'quiet hint'}>
        {modeMeaning(options.permissionMode, options.executor)}
      </p>
    </form>
  );
}

/** Opens the system's own dialog for images. */
function AttachButton({ taker }: { taker: Taker }) {
  const none = taker.offers?.images === false;
  return (
    <label class={`icon-button attach ${none ? 'off' : ''}`} title={none ? takesNone(taker.agent) : t('Attach images')}>
      <Icon name="file-media" />
      <input
        type="file"
        class="sr-only"
        multiple
        accept="image/png,image/jpeg,image/gif,image/webp"
        aria-label={t('Attach images')}
        disabled={none}
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files !== null) void takeFiles([...files], taker);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
