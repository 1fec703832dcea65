/** @jsxRuntime automatic @jsxImportSource preact */
import type { AgentChoice, ComposerOptions } from '../../src/shared/messages.ts';
import { Icon } from '../Icon.tsx';
import { t } from '../words.ts';
import { ChecksChip } from './ChecksChip.tsx';
import { Chip, type ChipsProps } from './Chip.tsx';
import { PlaceChip } from './PlaceChip.tsx';
import { MODES, modeMeaning, modeWord } from './permissionWords.ts';

const MAX_ROUNDS = 10;
/** The id of the sentence that says what the permission mode means. */
export const MODE_HINT = 'composer-mode';

/** The chips below the task box, in their order. */
export const CHIPS = [FolderChip, AgentChips, ModelChips, RoundsChip, PermissionChip, ChecksChip, PlaceChip] as const;

function FolderChip({ options, host, choose }: ChipsProps) {
  if (host.folders.length < 2) return null;
  const ask = { value: '', text: t('Ask for the folder') };
  return (
    <Chip
      label={t('Folder')}
      value={options.folder ?? ''}
      choices={[ask, ...host.folders.map(({ name, path }) => ({ value: path, text: name, title: path }))]}
      onChoose={(folder) => choose({ folder: folder === '' ? null : folder, checks: null })}
    />
  );
}

function AgentChips({ options, host, choose }: ChipsProps) {
  const { executor, reviewer } = options;
  return (
    <>
      <Chip
        label={t('Executor')}
        value={executor}
        choices={agentsFor(host.agents, 'execute')}
        onChoose={(id) => choose({ executor: id })}
      />
      {canSwap(host.agents, options) && (
        <button
          type="button"
          class="icon-button"
          title={t('Swap executor and reviewer')}
          aria-label={t('Swap executor and reviewer')}
          onClick={() => choose({ executor: reviewer, reviewer: executor })}
        >
          <Icon name="arrow-swap" />
        </button>
      )}
      <Chip
        label={t('Reviewer')}
        value={reviewer}
        choices={agentsFor(host.agents, 'review')}
        onChoose={(id) => choose({ reviewer: id })}
      />
    </>
  );
}

/** For each agent that tells which models there are; what is chosen is for the next run. */
function ModelChips({ options, host, choose }: ChipsProps) {
  const ids = [...new Set([options.executor, options.reviewer])];
  return (
    <>
      {ids.map((id) => {
        const models = host.offers[id]?.models ?? [];
        if (models.length < 2) return null;
        const name = host.agents.find((agent) => agent.id === id)?.name ?? id;
        const chosen = options.models[id] ?? '';
        const known = chosen === '' || models.some(({ value }) => value === chosen);
        return (
          <Chip
            key={id}
            label={t('Model of {0}', name)}
            value={chosen}
            choices={[
              { value: '', text: t('{0}: its own model', name) },
              ...(known ? [] : [{ value: chosen, text: chosen }]),
              ...models.map(({ value, label, description = '' }) => ({ value, text: label, title: description })),
            ]}
            onChoose={(model) => {
              const { [id]: _, ...others } = options.models;
              choose({ models: model === '' ? others : { ...others, [id]: model } });
            }}
          />
        );
      })}
    </>
  );
}

function RoundsChip({ options, choose }: ChipsProps) {
  const counts = new Set([...Array.from({ length: MAX_ROUNDS }, (_, index) => index + 1), options.rounds]);
  return (
    <Chip
      label={t('Rounds')}
      value={String(options.rounds)}
      choices={[...counts].map((count) => ({
        value: String(count),
        text: count === 1 ? t('1 round') : t('{0} rounds', count),
      }))}
      onChoose={(rounds) => choose({ rounds: Number(rounds) })}
    />
  );
}

function PermissionChip({ options, choose }: ChipsProps) {
  const { executor, permissionMode: chosen } = options;
  return (
    <Chip
      label={t('Permissions')}
      value={chosen}
      choices={MODES.map((mode) => ({ value: mode, text: modeWord(mode), title: modeMeaning(mode, executor) }))}
      title={modeMeaning(chosen, executor)}
      describedBy={MODE_HINT}
      onChoose={(value) => {
        const permissionMode = MODES.find((mode) => mode === value);
        if (permissionMode !== undefined) choose({ permissionMode });
      }}
    />
  );
}

function agentsFor(agents: readonly AgentChoice[], role: 'execute' | 'review') {
  return agents
    .filter((agent) => agent.roles.includes(role))
    .map(({ id, name, installed }) => {
      const text = role === 'execute' ? t('{0} works', name) : t('{0} reviews', name);
      return { value: id, text: installed === false ? t('{0} (not installed)', text) : text };
    });
}

/** Whether each of the two can take the other's role, and that would be another pair. */
function canSwap(agents: readonly AgentChoice[], { executor, reviewer }: ComposerOptions): boolean {
  const takesBoth = (id: string) => agents.some((agent) => agent.id === id && agent.roles.length === 2);
  return executor !== reviewer && takesBoth(executor) && takesBoth(reviewer);
}
