/** A line of Prometheus' text. */
export interface Series {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const lineOf = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;

/** The samples of a text in Prometheus' format. Throws at an invalid line. */
export function readSeries(text: string): Series[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, labels = '', value] = lineOf.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`);
    const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', told = '']) => [key, told]);
    return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: value === '+Inf' ? Infinity : Number(value) };
  });
}

/** The value of the one series with this name and these labels; undefined without such a series. */
export function valueOf(series: readonly Series[], name: string, labels: Record<string, string> = {}): number | undefined {
  const found = series.filter((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value));
  if (found.length > 1) throw new Error(`${found.length} series are ${name} ${JSON.stringify(labels)}`);
  return found[0]?.value;
}

/** Names and types, as the text declares them. */
export const typesOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
