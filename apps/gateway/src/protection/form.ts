import { type Scanned, type ScanTask } from './scan.ts';
import type { Scanner } from './scanner.ts';

/** Pairs of a form that are looked at on their own; a form with more is looked at as a text. */
const maxPairs = 500;

/** A form whose values are looked through with their names beside them, and written as a form again. */
export async function redactedFormIn(
  text: string,
  task: Omit<ScanTask, 'text' | 'format'>,
  scanner: Scanner,
): Promise<Scanned | undefined> {
  const pairs = text.split('&', maxPairs + 1);
  if (pairs.length > maxPairs) return scanner.scanned({ ...task, text, format: 'text' });
  const plain = pairs.map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? ['', plainText(pair)] : [plainText(pair.slice(0, at)), plainText(pair.slice(at + 1))];
  });
  const scanned = await scanner.scanned({
    ...task,
    text: JSON.stringify(plain.map(([name, value]) => ({ [name!]: value }))),
    format: 'json',
  });
  if (scanned?.found === undefined) return scanned && { ...scanned, text };
  const masked = (JSON.parse(scanned.text) as Record<string, string>[]).map((one, n) => {
    const [[name, value] = ['', '']] = Object.entries(one);
    if (name === plain[n]![0] && value === plain[n]![1]) return pairs[n]!;
    return pairs[n]!.includes('=') ? `${encodeURIComponent(name)}=${encodeURIComponent(value)}` : encodeURIComponent(value);
  });
  return { ...scanned, text: masked.join('&') };
}

function plainText(text: string): string {
  const blanks = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(blanks);
  } catch {
    return blanks;
  }
}
