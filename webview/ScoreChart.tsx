/** @jsxRuntime automatic @jsxImportSource preact */
import type { Severity } from '../src/shared/review.ts';
import type { RoundView } from '../src/shared/view.ts';
import { memo } from './memo.ts';
import { SEVERITIES, severityWord } from './verdictWords.ts';
import { number, score, t } from './words.ts';

interface Props {
  /** Those that were reviewed. */
  readonly rounds: readonly RoundView[];
  readonly threshold: number;
}

interface Point {
  readonly round: number;
  readonly score: number | null;
  readonly open: Readonly<Record<Severity, number>> | null;
}

/** Heights in pixels; across, everything is a share of the width, so that no text is ever scaled. */
const TOP = 10;
const SCORES = 70;
const GAP = 10;
const BARS = 36;
const HEIGHT = TOP + SCORES + GAP + BARS;

/** The scores of the rounds against the threshold, and under them the findings that stayed open, by severity. */
export const ScoreChart = memo(({ rounds, threshold }: Props) => {
  const points = rounds.map(({ number: round, review, open }): Point => {
    return { round, score: review?.verdict.score ?? null, open };
  });
  const most = Math.max(1, ...points.map(openOf));
  const x = (index: number) => `${((index + 0.5) * 100) / points.length}%`;
  const y = (value: number) => TOP + SCORES * (1 - value / 10);
  return (
    <figure class="card chart stop" tabIndex={-1} aria-label={t('Scores and open findings by round')}>
      <div class="chart-plot">
        <svg width="100%" height={HEIGHT} aria-hidden="true">
          <line class="chart-threshold" x1="0" x2="100%" y1={y(threshold)} y2={y(threshold)} />
          <line class="chart-base" x1="0" x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
          {points.slice(1).map((point, index) => {
            const before = points[index];
            if (before === undefined || before.score === null || point.score === null) return null;
            return (
              <line
                key={point.round}
                class="chart-line"
                x1={x(index)}
                y1={y(before.score)}
                x2={x(index + 1)}
                y2={y(point.score)}
              />
            );
          })}
          {points.map((point, index) => (
            <g key={point.round}>
              {point.score !== null && (
                <>
                  <circle class="chart-point" cx={x(index)} cy={y(point.score)} r="3.5" />
                  <text class="chart-score" x={x(index)} y={y(point.score) + (point.score > threshold - 2.5 ? 17 : -8)}>
                    {number(point.score)}
                  </text>
                </>
              )}
              <Bar x={x(index)} point={point} most={most} />
            </g>
          ))}
        </svg>
        <div class="chart-columns">
          {points.map((point) => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the values of a round are read by the keyboard too.
            <div key={point.round} class="chart-column" role="img" tabIndex={0} aria-label={pointWords(point)}>
              <span class="chart-values" aria-hidden="true">
                {pointWords(point)}
              </span>
              <span class="chart-round" aria-hidden="true">
                {number(point.round)}
              </span>
            </div>
          ))}
        </div>
      </div>
      <figcaption class="quiet">
        {t('Score by round, approved from {0}; below it the findings that stayed open:', threshold)}{' '}
        {SEVERITIES.map((severity) => (
          <span key={severity} class="part">
            <span class={`chart-key chart-${severity}`} aria-hidden="true" /> {severityWord(severity)}{' '}
          </span>
        ))}
      </figcaption>
      <Table points={points} />
    </figure>
  );
});

/** The open findings of a round, the worst at the bottom. */
function Bar({ x, point, most }: { x: string; point: Point; most: number }) {
  let top = HEIGHT - 1;
  return (
    <svg x={x} overflow="visible" aria-hidden="true">
      {SEVERITIES.map((severity) => {
        const height = ((point.open?.[severity] ?? 0) * (BARS - 2)) / most;
        if (height === 0) return null;
        top -= height;
        return <rect key={severity} class={`chart-${severity}`} x="-9" y={top} width="18" height={height} />;
      })}
    </svg>
  );
}

function Table({ points }: { points: readonly Point[] }) {
  return (
    <table class="sr-only">
      <caption>{t('Scores and open findings by round')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Round')}</th>
          <th scope="col">{t('Score')}</th>
          {SEVERITIES.map((severity) => (
            <th key={severity} scope="col">
              {severityWord(severity)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.round}>
            <th scope="row">{number(point.round)}</th>
            <td>{score(point.score)}</td>
            {SEVERITIES.map((severity) => (
              <td key={severity}>{point.open === null ? '–' : number(point.open[severity])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function openOf({ open }: Point): number {
  return open === null ? 0 : SEVERITIES.reduce((sum, severity) => sum + open[severity], 0);
}

function pointWords(point: Point): string {
  const head = t('Round {0}: {1}', point.round, score(point.score));
  const { open } = point;
  if (open === null) return head;
  const parts = SEVERITIES.flatMap((severity) =>
    open[severity] === 0 ? [] : [`${severityWord(severity)} ${number(open[severity])}`],
  );
  return `${head} · ${parts.length === 0 ? t('nothing open') : parts.join(' · ')}`;
}
