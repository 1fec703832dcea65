import type { Finding } from './review.ts';

/** Whether the finding is still to be dealt with. */
export function isOpen({ status }: Pick<Finding, 'status'>): boolean {
  return status === 'open' || status === 'regressed';
}
