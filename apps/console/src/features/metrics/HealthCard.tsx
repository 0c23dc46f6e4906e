import type { AgentMetrics } from '@paddock/contract';
import { type HealthWord, healthScoreText } from '@paddock/contract/health';
import { Badge, type Tone } from '../../ui/feedback/Badge.tsx';
import type { GlyphName } from '../../ui/theme/Glyph.tsx';
import { healthParts, loweredText } from './health.ts';
import { Sourced } from './Sourced.tsx';

const looks = {
  Excellent: { tone: 'success', glyph: 'disc', fill: 'bg-success-dot' },
  Good: { tone: 'success', glyph: 'tick', fill: 'bg-success-dot' },
  Fair: { tone: 'warning', glyph: 'triangle', fill: 'bg-warning-dot' },
  Poor: { tone: 'error', glyph: 'cross', fill: 'bg-error-dot' },
} as const satisfies Record<HealthWord, { tone: Tone; glyph: GlyphName; fill: string }>;

/** The lowest scores of Fair, Good and Excellent (spec, section 9). */
const thresholds = [50, 75, 90];

/** The score with its rating, what lowered it most, and how it is computed. */
export function HealthCard({ metrics }: { metrics: AgentMetrics }) {
  const { health, health_score } = metrics;
  return (
    <section aria-label="Health score" className="min-w-0 rounded-box border border-border bg-surface px-3.5 pt-2.5 pb-3">
      <Sourced label="Health score" source="health" />
      {health === null || health_score === null ? (
        <>
          <p className="pb-1 text-figure font-bold">–</p>
          <p className="text-sm text-muted">Not measured: the agent was not active in this period.</p>
        </>
      ) : (
        <>
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 pb-1.5">
            <span className="text-figure font-bold">{healthScoreText(health_score)}</span>
            <Badge tone={looks[health].tone} glyph={looks[health].glyph}>
              {health}
            </Badge>
            <span>{loweredText(metrics) ?? 'No deductions'}</span>
          </p>
          <Scale score={health_score} fill={looks[health].fill} text={`${healthScoreText(health_score)} of 100, ${health}`} />
          <Formula metrics={metrics} />
        </>
      )}
    </section>
  );
}

/** The score from 0 to 100, with marks at the thresholds of the ratings. */
const Scale = ({ score, fill, text }: { score: number; fill: string; text: string }) => (
  <div role="meter" aria-label="Health score" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.floor(score)} aria-valuetext={text}>
    <div className="relative h-1.5 bg-neutral-bg forced-colors:outline">
      <div className={`h-full ${fill} forced-colors:bg-[CanvasText]`} style={{ width: `${score}%` }} />
      {thresholds.map((each) => (
        <span key={each} className="absolute -top-0.5 h-2.5 w-px bg-text" style={{ left: `${each}%` }} />
      ))}
    </div>
    <div aria-hidden="true" className="relative h-4 text-xs text-subtle">
      {thresholds.map((each) => (
        <span key={each} className="absolute -translate-x-1/2" style={{ left: `${each}%` }}>
          {each}
        </span>
      ))}
    </div>
  </div>
);

function Formula({ metrics }: { metrics: AgentMetrics }) {
  return (
    <details className="mt-1 text-sm text-muted">
      <summary>How it is calculated</summary>
      <table className="mt-1 w-full max-w-120 text-left">
        <caption className="sr-only">Parts of the health score</caption>
        <tbody>
          {healthParts(metrics).map(({ label, how, share }) => (
            <tr key={label} className="border-t border-border align-baseline">
              <th scope="row" className="pr-3 font-normal">
                {label}
              </th>
              <td className="pr-3">{how}</td>
              <td className="text-right text-text">{healthScoreText(share, 1)}</td>
            </tr>
          ))}
          <tr className="border-t border-border-strong align-baseline">
            <th scope="row" className="pr-3 font-normal">
              Score
            </th>
            <td className="pr-3">the mean of the three</td>
            <td className="text-right font-bold text-text">{healthScoreText(metrics.health_score ?? 0, 1)}</td>
          </tr>
        </tbody>
      </table>
      <p className="mt-1">Excellent from 90, Good from 75, Fair from 50, else Poor. Missing measurements do not lower the score.</p>
    </details>
  );
}
