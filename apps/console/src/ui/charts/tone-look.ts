import type { ChartTone } from './chart-shape.ts';

/** The tones as utility classes. Complete class names, since Tailwind finds them by scanning the source. */
export const toneLook: Record<ChartTone, { dot: string; line: string }> = {
  s1: { dot: 'bg-s1', line: 'border-s1' },
  s2: { dot: 'bg-s2', line: 'border-s2 forced-colors:border-dotted' },
  s3: { dot: 'bg-s3', line: 'border-s3 border-dashed' },
  good: { dot: 'bg-success-dot', line: 'border-success-dot' },
  warn: { dot: 'bg-warning-dot', line: 'border-warning-dot forced-colors:border-dotted' },
  bad: { dot: 'bg-error-dot', line: 'border-error-dot forced-colors:border-dashed' },
};

/** The dash patterns of the lines, which match the classes above. */
export function pickDashPattern(tone: ChartTone, isForced: boolean): number[] {
  if (tone === 's3') return [5, 3];
  if (isForced && (tone === 's2' || tone === 'warn')) return [2, 3];
  return isForced && tone === 'bad' ? [8, 3] : [];
}
