/** @jsxRuntime automatic @jsxImportSource preact */
import type { Tone } from './Icon.tsx';
import { number, score, t } from './words.ts';

const RADIUS = 17;
const LENGTH = 2 * Math.PI * RADIUS;

/** The score as a ring with the number in it; the words beside it say the same. */
export function ScoreRing({ value, tone }: { value: number | null; tone: Tone }) {
  return (
    <span class={`ring tone-${tone}`} role="img" aria-label={t('Score: {0}', score(value))}>
      <svg viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
        <circle class="ring-track" cx="20" cy="20" r={RADIUS} />
        {value !== null && (
          <circle
            class="ring-value"
            cx="20"
            cy="20"
            r={RADIUS}
            stroke-dasharray={`${(LENGTH * value) / 10} ${LENGTH}`}
            transform="rotate(-90 20 20)"
          />
        )}
        <text x="20" y="25" text-anchor="middle">
          {value === null ? '?' : number(value)}
        </text>
      </svg>
    </span>
  );
}
