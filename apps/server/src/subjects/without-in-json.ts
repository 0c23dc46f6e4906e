import { erasedMark, type Needles } from './needles.ts';

/** JSON text with all occurrences of the values replaced: in strings, in field names, and in numbers and other literals. */
export function withoutInJson(text: string, needles: Pick<Needles, 'isIn' | 'without'>): string {
  return JSON.stringify(replaced(JSON.parse(text) as unknown, needles));
}

function replaced(value: unknown, needles: Pick<Needles, 'isIn' | 'without'>): unknown {
  if (typeof value === 'string') return needles.without(value);
  if (Array.isArray(value)) return value.map((one) => replaced(one, needles));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [needles.without(name), replaced(inner, needles)]));
  return needles.isIn(String(value)) ? erasedMark : value;
}
