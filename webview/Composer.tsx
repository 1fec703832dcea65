/** @jsxRuntime automatic @jsxImportSource preact */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PermissionMode } from '../src/shared/events.ts';
import type { AgentChoice, ComposerOptions, HostState } from '../src/shared/messages.ts';
import { Icon } from './Icon.tsx';
import type { Page } from './state.ts';
import { t } from './words.ts';

interface Props {
  readonly draft: string;
  readonly options: ComposerOptions;
  readonly host: HostState;
  readonly page: Page;
}

const MAX_ROUNDS = 10;
const MODES: readonly PermissionMode[] = ['ask', 'edits', 'read-only', 'all'];

/** The task box with its chips. Ctrl+Enter, or Cmd+Enter, runs. */
export function Composer({ draft, options, host, page }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const area = box.current;
    if (area === null) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + 2}px`;
  }, [draft]);
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
  const counts = new Set([...Array.from({ length: MAX_ROUNDS }, (_, index) => index + 1), options.rounds]);
  return (
    <form
      class="composer"
      aria-label={t('New run')}
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <textarea
        ref={box}
        rows={2}
        value={draft}
        aria-label={t('Task')}
        placeholder={t('What is to be done?')}
        onFocus={() => warm(options)}
        onInput={(event) => {
          if (draft === '') warm(options);
          page.dispatch({ type: 'draft', text: event.currentTarget.value });
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          run();
        }}
      />
      <div class="chips">
        <Chip
          label={t('Executor')}
          value={options.executor}
          choices={agentsFor(host.agents, 'execute')}
          onChoose={(executor) => choose({ executor })}
        />
        {canSwap(host.agents, options) && (
          <button
            type="button"
            class="link"
            title={t('Swap executor and reviewer')}
            aria-label={t('Swap executor and reviewer')}
            onClick={() => choose({ executor: options.reviewer, reviewer: options.executor })}
          >
            <Icon name="arrow-swap" />
          </button>
        )}
        <Chip
          label={t('Reviewer')}
          value={options.reviewer}
          choices={agentsFor(host.agents, 'review')}
          onChoose={(reviewer) => choose({ reviewer })}
        />
        <Chip
          label={t('Rounds')}
          value={String(options.rounds)}
          choices={[...counts].map((count) => ({
            value: String(count),
            text: count === 1 ? t('1 round') : t('{0} rounds', count),
          }))}
          onChoose={(rounds) => choose({ rounds: Number(rounds) })}
        />
        <Chip
          label={t('Permissions')}
          value={options.permissionMode}
          choices={MODES.map((mode) => ({ value: mode, text: modeWord(mode) }))}
          title={modeMeaning(options.permissionMode)}
          onChoose={(value) => {
            const permissionMode = MODES.find((mode) => mode === value);
            if (permissionMode !== undefined) choose({ permissionMode });
          }}
        />
        <button type="submit" class="primary run" disabled={!canRun} title={t('Run (Ctrl+Enter)')}>
          <Icon name="play" />
          {t('Run')}
        </button>
      </div>
      {options.permissionMode !== 'ask' && <p class="quiet hint">{modeMeaning(options.permissionMode)}</p>}
    </form>
  );
}

interface ChipProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly text: string }[];
  readonly title?: string;
  readonly onChoose: (value: string) => void;
}

function Chip({ label, value, choices, title = label, onChoose }: ChipProps) {
  return (
    <select
      class="chip"
      aria-label={label}
      title={title}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}

function agentsFor(agents: readonly AgentChoice[], role: 'execute' | 'review') {
  return agents
    .filter((agent) => agent.roles.includes(role))
    .map(({ id, name }) => ({ value: id, text: role === 'execute' ? t('{0} works', name) : t('{0} reviews', name) }));
}

/** Whether each of the two can take the other's role, and that would be another pair. */
function canSwap(agents: readonly AgentChoice[], { executor, reviewer }: ComposerOptions): boolean {
  const takesBoth = (id: string) => agents.some((agent) => agent.id === id && agent.roles.length === 2);
  return executor !== reviewer && takesBoth(executor) && takesBoth(reviewer);
}

function modeWord(mode: PermissionMode): string {
  switch (mode) {
    case 'ask':
      return t('Ask');
    case 'edits':
      return t('Edits allowed');
    case 'read-only':
      return t('Read-only');
    case 'all':
      return t('Everything allowed');
    default:
      return mode satisfies never;
  }
}

function modeMeaning(mode: PermissionMode): string {
  switch (mode) {
    case 'ask':
      return t('Every write and command asks you, except what you have allowed in the agent’s own settings.');
    case 'edits':
      return t(
        'Edits in this folder are made without asking (Claude also makes, moves and deletes files there); commands ask.',
      );
    case 'read-only':
      return t('Nothing is written.');
    case 'all':
      return t('Nothing asks, except for protected paths.');
    default:
      return mode satisfies never;
  }
}
