import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** A test file's duration from its start to its end, in parallel with others, and its processor time, if the runner reports it. */
export type FileTime = { file: string; seconds: number; cpu_seconds?: number | undefined };

/** The wall time of a stage, including its waits for slots, and the processor time of all its exited processes. */
export type StageTime = { name: string; seconds: number; cpu_seconds: number | undefined };

/** The kernel counts processor time of ended children in ticks (proc(5): cutime and cstime; USER_HZ is 100 on Linux). */
const TICKS_PER_SECOND = 100;
const CHILD_TIMES = [13, 14];
const MAX_FILES = 20;

export type CpuMeter = ReturnType<typeof createCpuMeter>;

/**
 * Processor time of single children that run in parallel. When we wait for a child, the kernel adds its time, and that of all children that
 * it waited for, to ours. So the growth between two exits is the time of the second one. Two children that exit in the same turn of the
 * event loop count as the first of them. Processes that outlive their parents are not counted.
 */
export function createCpuMeter(read = childCpuSeconds) {
  let last = read();
  return {
    /** Must be called once in the exit event of each child. */
    sinceLastExit: (): number | undefined => {
      const now = read();
      const grown = now === undefined || last === undefined ? undefined : now - last;
      last = now;
      return grown;
    },
  };
}

/** Processor seconds of all exited children of this process and of their descendants; undefined if the system does not report it. */
function childCpuSeconds(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined;
  // The program's name, in parentheses, may contain blanks.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return CHILD_TIMES.reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS_PER_SECOND;
}

/** Processor seconds of this process, and of its exited children. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (childCpuSeconds() ?? 0);
}

/** `idle` is the share of the time in which the machine's cores were idle, if it was measured. */
export type RunTime = { seconds: number; idle?: number };

/** The durations of the whole run, of its parallel stages, and of the longest files. */
export function timeReport({ seconds, idle }: RunTime, stages: readonly StageTime[], files: readonly FileTime[]): string {
  const measured = stages.flatMap(({ cpu_seconds }) => cpu_seconds ?? []);
  const cpu_seconds = measured.length === 0 ? undefined : measured.reduce((sum, one) => sum + one, 0);
  const rows = [...stages, { name: 'All, beside each other', seconds, cpu_seconds }].map(stageRow);
  const longest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, MAX_FILES);
  // Processes that outlive their parents count only here: agents, their databases, the browser's.
  if (idle !== undefined) rows.push(`The cores were busy for ${Math.round(100 * (1 - idle))} % of the time, other programs included.`);
  return [...rows, '', ...longest.map(fileRow)].join('\n');
}

function stageRow({ name, seconds, cpu_seconds }: StageTime): string {
  const row = `${name}: ${Math.round(seconds)} s`;
  if (cpu_seconds === undefined) return row;
  const cores = availableParallelism();
  return `${row}, ${Math.round(cpu_seconds)} s of CPU (${Math.round((100 * cpu_seconds) / (seconds * cores))} % of ${cores} cores)`;
}

function fileRow({ file, seconds, cpu_seconds }: FileTime): string {
  const cpu = cpu_seconds === undefined ? '' : `, ${cpu_seconds.toFixed(1)} s of CPU`;
  return `${seconds.toFixed(1).padStart(7)} s  ${file}${cpu}`;
}
