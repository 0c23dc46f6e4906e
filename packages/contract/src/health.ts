import { cutText } from './figures.ts';

/** The health of an agent (spec, section 9): the mean of three shares, each from 0 to 100. */
export const healthFactors = ['uptime', 'errors', 'latency'] as const;
export type HealthFactor = (typeof healthFactors)[number];

export const healthWords = ['Excellent', 'Good', 'Fair', 'Poor'] as const;
export type HealthWord = (typeof healthWords)[number];

export interface Health {
  /** 0 to 100. */
  score: number;
  word: HealthWord;
  /** The factor that cost most of the score; null at 100. */
  lowered_by: HealthFactor | null;
}

interface Measured {
  uptime_percentage: number | null;
  /** 0 to 1. */
  error_rate: number | null;
  avg_latency_ms: number | null;
}

/** Null while nothing was measured. A missing measurement costs nothing: an agent without requests is as healthy as its uptime. */
export function computeHealth({ uptime_percentage, error_rate, avg_latency_ms }: Measured): Health | null {
  if (uptime_percentage === null && error_rate === null) return null;
  const shares: Record<HealthFactor, number> = {
    uptime: uptime_percentage ?? 100,
    errors: (1 - (error_rate ?? 0)) * 100,
    latency: Math.max(0, 100 - (avg_latency_ms ?? 0) / 10),
  };
  const score = (shares.uptime + shares.errors + shares.latency) / 3;
  const worst = healthFactors.reduce((least, each) => (shares[each] < shares[least] ? each : least));
  return { score, word: pickHealthWord(score), lowered_by: shares[worst] < 100 ? worst : null };
}

/** A score, or a share of it, as text. It is truncated, so that 89.8 does not appear as 90, where Excellent begins. */
export const healthScoreText = (score: number, decimals: 0 | 1 = 0): string => cutText(score, decimals);

function pickHealthWord(score: number): HealthWord {
  if (score >= 90) return 'Excellent';
  if (score >= 75) return 'Good';
  return score >= 50 ? 'Fair' : 'Poor';
}
