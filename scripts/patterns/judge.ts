// Proves patterns linear with recheck's automaton, which also finds a quadratic search for the start and is deterministic.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { check } from 'recheck';
import recheckPackage from 'recheck/package.json' with { type: 'json' };
import { ROOT } from '../program.ts';
import { isLongSize } from '../test/size.ts';

export type Verdict = { isLinear: boolean; why: string };

/** Keys of the patterns that were proven linear, one a line. Committed, since proving all takes minutes; the long size proves each again. */
export const PROVEN = join(import.meta.dirname, 'proven.txt');
const CACHE = join(ROOT, 'node_modules', '.cache', 'paddock-patterns.json');
/** Concurrency: each proof may keep a core busy. */
const IN_PARALLEL = 2;
/** A pattern that takes the checker this long on any machine is too hard for a reader, too. */
const PATIENCE_MS = 240_000;
/** Longer repeats are unbounded in the proof: an automaton grows with them, and their bound does not bound the search. */
const SHORT_REPEAT = 8;

/** Returns a verdict for each pattern. A pattern that the same version of the tool has proven is not proven again. */
export async function judge(patterns: { source: string; flags: string }[]): Promise<Map<string, Verdict>> {
  const known = { ...readProven(), ...readCache() };
  const verdicts = new Map<string, Verdict>();
  const waiting = [...new Map(patterns.map((one) => [keyOf(one), one]))];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) verdicts.set(next[0], known[next[0]] ?? (await prove(next[1])));
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, work));
  writeCache(Object.fromEntries([...Object.entries(known), ...verdicts].filter(([, { isLinear }]) => isLinear)));
  return verdicts;
}

export const keyOf = ({ source, flags }: { source: string; flags: string }) =>
  createHash('sha256').update(`${recheckPackage.version}\0${SHORT_REPEAT}\0${flags}\0${source}`).digest('base64url').slice(0, 22);

async function prove({ source, flags }: { source: string; flags: string }): Promise<Verdict> {
  const found = await check(widened(source), flags, { checker: 'automaton', timeout: PATIENCE_MS });
  if (found.status === 'safe') return { isLinear: true, why: 'linear' };
  if (found.status === 'vulnerable') return { isLinear: false, why: `${found.complexity.summary}, attacked by ${found.attack.pattern}` };
  return { isLinear: false, why: `undecided: ${found.error.kind === 'unsupported' ? found.error.message : found.error.kind}` };
}

/** Turns `{1,80}` into `+`: a bounded repeat is at most as slow as the unbounded one. Short lengths such as `{8}` remain. */
export function widened(source: string): string {
  return source.replace(/(\\.)|\{(\d+)(?:,(\d*))?\}/g, (...[all, escaped, min, max = min]: (string | undefined)[]) => {
    const isShort = max !== '' && Number(max) <= SHORT_REPEAT;
    if (escaped !== undefined || isShort) return all!;
    return Number(min) > 0 ? '+' : '*';
  });
}

/** Writes the keys of these patterns, all of which were proven. */
export function recordProven(patterns: { source: string; flags: string }[]): void {
  writeFileSync(PROVEN, `${[...new Set(patterns.map(keyOf))].sort().join('\n')}\n`);
}

/** The patterns that the committed list lacks. Every fresh clone would prove them again, for minutes on a busy machine. */
export function unrecorded<P extends { source: string; flags: string }>(patterns: P[]): P[] {
  const keys = new Set(recordedKeys());
  return patterns.filter((one) => !keys.has(keyOf(one)));
}

const recordedKeys = () => readFileSync(PROVEN, 'utf8').split('\n').filter(Boolean);

function readProven(): Record<string, Verdict> {
  if (isLongSize()) return {};
  return Object.fromEntries(recordedKeys().map((key) => [key, { isLinear: true, why: 'linear' }]));
}

function readCache(): Record<string, Verdict> {
  if (isLongSize()) return {};

  try {
    return JSON.parse(readFileSync(CACHE, 'utf8')) as Record<string, Verdict>;
  } catch {
    return {}; // the first run, or one that was cut short
  }
}

function writeCache(verdicts: Record<string, Verdict>): void {
  mkdirSync(dirname(CACHE), { recursive: true });
  writeFileSync(`${CACHE}.${process.pid}`, JSON.stringify(verdicts));
  renameSync(`${CACHE}.${process.pid}`, CACHE);
}
