import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { ROOT } from '../program.ts';
import type { FileTime } from './times.ts';

/** Seconds of each test file by its path. */
export type Durations = Record<string, number>;

/** Committed for machines on which the tests have not run yet. It has only the files whose place in the order matters. */
export const COMMITTED = join(import.meta.dirname, 'durations.json');

/** Written by each run on this machine. */
const OWN = join(ROOT, '.runtime/test-durations.json');

/** Wall and processor time of each file of the last run on this machine, the most expensive first. For people: nothing reads it. */
const TIMES = join(ROOT, '.runtime/test-times.json');

const MIN_COMMITTED_SECONDS = 3;
const Durations = z.record(z.string(), z.number().nonnegative());

/** The last duration of each file on this machine, or else the committed one. A file in neither list counts as short. */
export function readDurations(committed = COMMITTED, own = OWN): Durations {
  return { ...parse(committed), ...parse(own) };
}

/** A list that cannot be read costs the order of the files, not the run. */
function parse(path: string): Durations {
  if (!existsSync(path)) return {};
  try {
    return Durations.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    console.error(`${path} is no list of durations, so it does not count:`, error);
    return {};
  }
}

/** Sorts by duration, longest first, so that no long file is left at the end while all others are done. */
export const longestFirst = (files: readonly string[], durations: Durations): string[] =>
  files.toSorted((one, other) => (durations[other] ?? 0) - (durations[one] ?? 0));

/** Stores the durations of a run. Files that did not run keep theirs. */
export function rememberDurations(times: readonly FileTime[], own = OWN): void {
  const durations = { ...parse(own) };
  for (const { file, seconds } of times) durations[file] = Math.round(seconds * 10) / 10;
  write(own, durations);
}

/** Lists what each file of a run took. */
export function listTimes(times: readonly FileTime[], path = TIMES): void {
  const sorted = times.toSorted((one, other) => (other.cpu_seconds ?? 0) - (one.cpu_seconds ?? 0) || other.seconds - one.seconds);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `[\n${sorted.map((one) => `  ${JSON.stringify(one)}`).join(',\n')}\n]\n`);
}

/** Renews the committed list after a whole run. */
export function recordDurations(times: readonly FileTime[], committed = COMMITTED): void {
  const long = times.filter(({ seconds }) => seconds > MIN_COMMITTED_SECONDS);
  write(committed, Object.fromEntries(long.map(({ file, seconds }) => [file, Math.round(seconds)])));
}

function write(path: string, durations: Durations): void {
  const sorted = Object.entries(durations).toSorted(([one], [other]) => (one < other ? -1 : 1));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
