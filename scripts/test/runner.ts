import { type Outcome, type ProgramOptions, runProgram } from '../program.ts';
import type { Release, Slots } from './slots.ts';
import type { CpuMeter } from './times.ts';

/** A program's outcome, its duration, and its processor time, if the system reports it. */
export type Result = Outcome & { seconds: number; cpu_seconds: number | undefined };

/** `slots` is the program's share of the parallel work. `timeoutMs` is its time limit, if set. */
export type RunOptions = Omit<ProgramOptions, 'signal' | 'onExit' | 'captured'> & { slots: number; timeoutMs?: number };

/** Runs a program once its slots are free, and captures its output. Undefined if the run was aborted before. */
export type Run = (program: string, args: string[], options: RunOptions) => Promise<Result | undefined>;

export type RunnerDeps = { slots: Slots; cpu: CpuMeter; signal: AbortSignal };

/** `spentCpu` is the processor time of all programs of this runner that have exited. */
export type Runner = { run: Run; spentCpu: () => number | undefined };

/** Each stage has a runner. All runners share the slots and the meter. */
export function createRunner({ slots, cpu, signal }: RunnerDeps): Runner {
  let spent: number | undefined;

  const run: Run = async (program, args, { slots: count, timeoutMs, ...options }) => {
    const release: Release | undefined = await slots.take(count);
    if (!release) return undefined;
    const begun = performance.now();
    let cpu_seconds: number | undefined;
    const onExit = () => {
      cpu_seconds = cpu.sinceLastExit();
      if (cpu_seconds !== undefined) spent = (spent ?? 0) + cpu_seconds;
    };
    const bounded = timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const outcome = await runProgram(program, args, { ...options, captured: true, signal: bounded, onExit });
      return { ...outcome, seconds: (performance.now() - begun) / 1000, cpu_seconds };
    } finally {
      release();
    }
  };
  return { run, spentCpu: () => spent };
}
