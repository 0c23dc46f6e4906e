import { clean } from '../terminal.ts';

/** Copies a value without the control sequences in its texts, which may come from an agent or a server. API values are a few levels deep. */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleanValue(each)]));
}
