import type { Severity } from './review.ts';
import type { Translate } from './translate.ts';

/** What the severity of one finding is called. */
export function severityName(severity: Severity, t: Translate): string {
  switch (severity) {
    case 'blocker':
      return t('Blocker');
    case 'major':
      return t('Major');
    case 'minor':
      return t('Minor');
    case 'nit':
      return t('Nit');
    default:
      return severity satisfies never;
  }
}
