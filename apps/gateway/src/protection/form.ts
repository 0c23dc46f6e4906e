import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodePercent, encodePercent } from '../bodies/percent.ts';
import { addCounts } from './redactor.ts';
import type { KnownPairs, Scanned, ScanTask } from './scan.ts';
import type { Scanner } from './scanner.ts';

/** Pairs of a form that are scanned before the event loop gets a turn. */
const pairsAtOnce = 500;

type Task = Omit<ScanTask, 'text' | 'format'>;

/** Scans the values of a form with their names beside them, and writes a form again. Undefined if there was no time for it. */
export async function redactFormBody(text: string, task: Task, scanner: Scanner): Promise<Scanned | undefined> {
  const pairs = text.split('&');
  const masked: string[] = [];
  const values: KnownPairs = [];
  let found: Scanned['found'];
  for (let at = 0; at < pairs.length; at += pairsAtOnce) {
    if (at > 0) await nextTurn();
    const scanned = await scanPairs(pairs.slice(at, at + pairsAtOnce), { ...task, values: [...task.values, ...values] }, scanner);
    if (scanned === undefined) return undefined;
    masked.push(scanned.text);
    values.push(...scanned.values);
    found = addCounts(found, scanned.found);
  }
  return { text: masked.join('&'), found, values };
}

async function scanPairs(pairs: string[], task: Task, scanner: Scanner): Promise<Scanned | undefined> {
  const plain = pairs.map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? ['', decodePercent(pair)] : [decodePercent(pair.slice(0, at)), decodePercent(pair.slice(at + 1))];
  });
  const scanned = await scanner.scanned({
    ...task,
    text: JSON.stringify(plain.map(([name, value]) => ({ [name!]: value }))),
    format: 'json',
  });
  if (scanned?.found === undefined) return scanned && { ...scanned, text: pairs.join('&') };
  const masked = (JSON.parse(scanned.text) as Record<string, string>[]).map((one, n) => {
    const [[name, value] = ['', '']] = Object.entries(one);
    if (name === plain[n]![0] && value === plain[n]![1]) return pairs[n]!;
    return pairs[n]!.includes('=') ? `${encodePercent(name)}=${encodePercent(value)}` : encodePercent(value);
  });
  return { ...scanned, text: masked.join('&') };
}
