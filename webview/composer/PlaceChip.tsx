/** @jsxRuntime automatic @jsxImportSource preact */
import { t } from '../words.ts';
import { Chip, type ChipsProps } from './Chip.tsx';

/** Where the next run works: in the folder, or in a new worktree of its repository. */
export function PlaceChip({ options, host, choose }: ChipsProps) {
  if (!host.trusted || host.folders.length === 0) return null;
  const what = t('Works in a copy of the repository, with what is not committed; you then apply, keep or drop it');
  return (
    <Chip
      label={t('Where')}
      value={options.newWorktree ? 'worktree' : 'folder'}
      choices={[
        { value: 'folder', text: t('This folder') },
        { value: 'worktree', text: t('New worktree'), title: what },
      ]}
      {...(options.newWorktree ? { title: what } : {})}
      onChoose={(value) => choose({ newWorktree: value === 'worktree' })}
    />
  );
}
