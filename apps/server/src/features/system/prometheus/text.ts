/** Metrics of one name, a "metric family" in Prometheus. */
export interface Family {
  name: string;
  type: 'gauge' | 'counter' | 'histogram';
  help: string;
  samples: Sample[];
}
export interface Sample {
  /** For a histogram: `_bucket`, `_sum` or `_count`. */
  suffix?: string;
  labels: Labels;
  value: number;
}
export type Labels = Record<string, string>;

/** The content type of `textOf`. */
export const textType = 'text/plain; version=0.0.4; charset=utf-8';

/** Prometheus' text format, version 0.0.4. */
export const textOf = (families: readonly Family[]): string => families.map(familyText).join('');

function familyText({ name, type, help, samples }: Family): string {
  const lines = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`];
  for (const { suffix = '', labels, value } of samples) lines.push(`${name}${suffix}${labelsText(labels)} ${numberText(value)}`);
  return `${lines.join('\n')}\n`;
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeValue = (text: string) => escapeHelp(text).replaceAll('"', '\\"');

export function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}
