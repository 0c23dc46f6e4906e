// Proves patterns linear with recheck's automaton, which finds the quadratic search for a start as well, and says the same every time.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { check } from 'recheck';
import recheckPackage from 'recheck/package.json' with { type: 'json' };
import { ROOT } from '../program.ts';
import { isLongSize } from '../test/size.ts';

export type Verdict = { isLinear: boolean; why: string };

/** Keys of patterns that were proven linear, one a line. Committed, since a proof of all takes minutes; the long size proves each anew. */
export const PROVEN = join(import.meta.dirname, 'proven.txt');
const CACHE = join(ROOT, 'node_modules', '.cache', 'paddock-patterns.json');
/** Each may keep a core busy. */
const IN_PARALLEL = 2;
/** A pattern that takes the checker this long on any machine is too much for a reader, too. */
const PATIENCE_MS = 240_000;
/** Longer repeats than this become endless ones for the proof: an automaton grows with them, and a bound on them is no bound on the search. */
const SHORT_REPEAT = 8;

/** A verdict for each pattern; what was proven once, by the same version of the tool, is not proven again. */
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

/** `{1,80}` as `+`: a bounded repeat is at most as slow as the endless one. Lengths of a word like `{8}` stay. */
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

/** Those of these patterns that the committed list lacks: every fresh clone would prove them anew, for minutes on a busy machine. */
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
