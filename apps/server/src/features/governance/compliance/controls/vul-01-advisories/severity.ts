export const severities = ['critical', 'high', 'medium', 'low', 'unknown'] as const;
export type Severity = (typeof severities)[number];

const words: Record<string, Severity> = { CRITICAL: 'critical', HIGH: 'high', MODERATE: 'medium', MEDIUM: 'medium', LOW: 'low' };
const metrics: Record<string, Record<string, number>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};
const privileges = { unchanged: { N: 0.85, L: 0.62, H: 0.27 }, changed: { N: 0.85, L: 0.68, H: 0.5 } };

/** The severity word of the database, else the severity of its CVSS 3 vector. Other vectors are not evaluated. */
export function resolveSeverity(entry: { severity?: unknown; database_specific?: unknown }): Severity {
  const word = (entry.database_specific as { severity?: unknown } | undefined)?.severity;
  if (typeof word === 'string' && words[word.toUpperCase()]) return words[word.toUpperCase()] ?? 'unknown';
  const scores = Array.isArray(entry.severity) ? (entry.severity as { type?: unknown; score?: unknown }[]) : [];
  const vector = scores.find((one) => one?.type === 'CVSS_V3')?.score;
  const score = typeof vector === 'string' ? cvss3(vector) : undefined;
  if (score === undefined) return 'unknown';
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  return score >= 4 ? 'medium' : 'low';
}

/** The base score of CVSS 3.0 and 3.1. */
export function cvss3(vector: string): number | undefined {
  const given = Object.fromEntries(
    vector
      .slice(0, 200)
      .split('/')
      .map((part) => part.split(':') as [string, string]),
  );
  const value = (name: string) => metrics[name]?.[given[name] ?? ''];
  const isChanged = given.S === 'C';
  const pr = privileges[isChanged ? 'changed' : 'unchanged'][given.PR as 'N'];
  const values = [value('AV'), value('AC'), value('UI'), value('C'), value('I'), value('A'), pr];
  if (values.some((one) => one === undefined)) return undefined;
  const [av, ac, ui, c, i, a, p] = values as [number, number, number, number, number, number, number];
  const base = 1 - (1 - c) * (1 - i) * (1 - a);
  const impact = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base;
  if (impact <= 0) return 0;
  const whole = (impact + 8.22 * av * ac * p * ui) * (isChanged ? 1.08 : 1);
  return Math.ceil(Math.round(Math.min(10, whole) * 100_000) / 10_000) / 10;
}
