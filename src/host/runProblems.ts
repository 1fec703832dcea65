import type { Words } from '../shared/translate.ts';

/** Nothing can be said of a run that is over, because none of this window is shown. */
export const NO_RUN: Words = (t) => t('No run of this window is shown.');

/** The finding is not there, or is so already. */
export const NOT_SO: Words = (t) => t('The run has no finding of which that is to be said.');

/** Nothing can be undone. */
export const NONE_SHOWN: Words = (t) => t('No ended run is shown.');
