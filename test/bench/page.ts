import { pageSizes, publishedMetafile } from '../tools/production.ts';
import type { Bench } from './figure.ts';

/** Bytes of script, minified. */
export const PAGE_LIMITS = { first: 150_000, onDemand: 250_000 } as const;

/** What the page loads at its start, and later. */
export const PAGE_BENCHES: readonly Bench[] = [
  {
    ids: ['C1'],
    async measure() {
      const { first, onDemand, packages } = pageSizes(await publishedMetafile('webview'));
      const zods = [...packages.first, ...packages.onDemand].filter((name) => name === 'zod').length;
      const count = (name: string, value: number, goal: { readonly is: '≤' | '='; readonly number: number }) => ({
        id: 'C1',
        name,
        value,
        reference: null,
        ratio: null,
        goal,
      });
      return [
        count('page at its start, bytes', first, { is: '≤', number: PAGE_LIMITS.first }),
        count('page on demand, bytes', onDemand, { is: '≤', number: PAGE_LIMITS.onDemand }),
        count('parts of the page with zod', zods, { is: '=', number: 0 }),
      ];
    },
  },
];
