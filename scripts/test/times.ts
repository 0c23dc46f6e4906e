import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** How long a test file ran, from its start to its end, beside others. */
export type FileTime = { file: string; seconds: number };

/** The wall time of a stage, and the processor time of all its processes that have ended. */
export type StageTime = { name: string; seconds: number; cpu_seconds: number | undefined };

/** The kernel counts processor time of ended children in ticks (proc(5): cutime and cstime; USER_HZ is 100 on Linux). */
const TICKS_PER_SECOND = 100;
const CHILD_TIMES = [13, 14];
const MAX_FILES = 20;

/** Processor seconds of all children of this process that have ended, with theirs; undefined where the system does not say. */
export function childCpuSeconds(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined;
  // The name of the program, in parentheses, may hold blanks.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return CHILD_TIMES.reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS_PER_SECOND;
}

/** Stages with their times, and the files that took longest. */
export function timeReport(stages: readonly StageTime[], files: readonly FileTime[]): string {
  const cores = availableParallelism();
  const rows = stages.map(({ name, seconds, cpu_seconds }) => {
    const share =
      cpu_seconds === undefined
        ? ''
        : `, ${Math.round(cpu_seconds)} s of CPU (${Math.round((100 * cpu_seconds) / (seconds * cores))} % of ${cores} cores)`;
    return `${name}: ${Math.round(seconds)} s${share}`;
  });
  const longest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, MAX_FILES);
  return [...rows, '', ...longest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)].join('\n');
}
