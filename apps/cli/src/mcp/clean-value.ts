import { clean } from '../terminal.ts';

/** The same value without control sequences in its texts, which may come from an agent or a server. Values of the API are a few levels deep. */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleanValue(each)]));
}
