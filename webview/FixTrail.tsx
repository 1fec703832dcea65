/** @jsxRuntime automatic @jsxImportSource preact */
import type { Finding } from '../src/shared/review.ts';
import { hunkRows } from './comparison.ts';
import { DiffRows } from './Diff.tsx';
import { FileLink } from './FileLink.tsx';
import type { Page } from './state.ts';
import { t } from './words.ts';

interface Props {
  readonly finding: Finding;
  readonly folder: string;
  readonly page: Page;
}

/** What fixed a finding: the lines of that round's diff. */
export function FixTrail({ finding: { fixedBy }, folder, page }: Props) {
  if (fixedBy === undefined) {
    return (
      <p class="quiet">
        {t('The reviewer calls it fixed. No change of that round touches its line, so there is none to show.')}
      </p>
    );
  }
  const { round, file, hunk } = fixedBy;
  const openAll = () => page.post({ type: 'openChanges', round });
  return (
    <div>
      <div class="links">
        <span class="quiet">{t('Fixed in round {0} by', round)}</span>
        <FileLink path={file} folder={folder} page={page} />
      </div>
      <DiffRows {...hunkRows(hunk)} openAll={openAll} />
      <button type="button" class="link" onClick={openAll}>
        {t('Open all changes of round {0}', round)}
      </button>
    </div>
  );
}
