import { statfs } from 'node:fs/promises';
import { BuildError, type BuildFailure } from '../build-error.ts';
import type { StepResult } from '../step.ts';
import { findLargest } from './largest.ts';
import type { Command, StepContext } from './step-context.ts';
import { inUnits } from './units.ts';

/** The state of a step at its end: its result, the last lines of its output, and the free bytes of the disk before it. */
export interface Ended {
  result: StepResult;
  tail: string[];
  /** The first and the significant lines of the output, which often contain the cause. */
  telling: string[];
  freeBefore: number;
}

/** Node also reports exhausted file watchers as ENOSPC, with `System limit`. */
const saysFull = /ENOSPC(?!: System limit)|No space left on device|Disk quota exceeded|EDQUOT/i;
const saysFiles = /EMFILE|Too many open files/i;
const saysProcesses =
  /Cannot fork|can't start new thread|pthread_create|fork: (?:retry: )?Resource temporarily unavailable|spawn \S{1,200} EAGAIN/i;
const saysHeap = /JavaScript heap out of memory/;

/**
 * The failure of a step that reached one of its limits, or a full disk: the limit, its size, what used it and how to raise it. Undefined if
 * no limit was reached.
 */
export async function limitFailure(context: StepContext, command: Command, ended: Ended): Promise<BuildError | undefined> {
  const { result, tail, telling } = ended;
  const { limits } = context;
  const fail = (code: string, failure: BuildFailure) => new BuildError(command.step, code, { doing: command.doing, ...failure, tail });
  const says = (pattern: RegExp) => result.code !== 0 && telling.some((line) => line.length < 10_000 && pattern.test(line));
  if (result.timed_out) return timedOut(context, command, tail);
  if (result.disk_full)
    return fail('disk_limit', {
      message: `It wrote more than the ${limits.disk_mb} MB of disk that a build step may use.${await users(context, command)}`,
      hint: 'Use fewer or smaller dependencies, or have the operator raise PADDOCK_BUILD_DISK_MB.',
    });
  if (result.oom)
    return fail('out_of_memory', {
      message: `It needed more than the ${limits.memory_mb} MB of memory that a build step may use.`,
      hint: 'Use fewer or smaller dependencies, or have the operator raise PADDOCK_BUILD_MEMORY_MB.',
    });
  if (says(saysHeap))
    return fail('out_of_memory', {
      message: `It filled the memory that Node gives a program, within the ${limits.memory_mb} MB of a build step.`,
      hint: `Set the variable NODE_OPTIONS to --max-old-space-size=${Math.floor(limits.memory_mb * 0.8)}, for builds too; if that is not enough, have the operator raise PADDOCK_BUILD_MEMORY_MB.`,
    });
  if (says(saysFull)) return fail('disk_full', await fullDisk(context, command, ended.freeBefore));
  if (result.code !== 0 && (result.forks_refused || says(saysProcesses)))
    return fail('too_many_processes', {
      message: `It needed more than the ${limits.processes} processes and threads that a build step may have.`,
      hint: 'Let the build work on fewer things at once, or have the operator raise PADDOCK_BUILD_PROCESSES.',
    });
  if (says(saysFiles))
    return fail('too_many_files', {
      message: `It opened more than the ${limits.open_files} files at once that a build step may open.`,
      hint: 'Let the build work on fewer things at once, or have the operator raise PADDOCK_BUILD_OPEN_FILES.',
    });
  if (result.signal === 'SIGKILL')
    return fail('step_killed', {
      message: `It was ended by the server’s system, not by a limit of the build: most often the whole machine has too little memory.`,
      hint: 'Ask the operator how much memory was free, then deploy again.',
    });
  return undefined;
}

/** The failure of a build that exceeded its time budget. */
export function timedOut({ budgetSeconds }: Pick<StepContext, 'budgetSeconds'>, command: Command, tail: string[]): BuildError {
  return new BuildError(command.step, 'timed_out', {
    doing: command.doing,
    message: `It was not done when the ${budgetSeconds} s that a build may take were over.`,
    tail,
    hint: 'Look at the last lines for what it waited for, or have the operator raise PADDOCK_BUILD_TIMEOUT_S.',
  });
}

/** Bytes that unprivileged programs may still write to the disk of `folder`. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function fullDisk(context: StepContext, command: Command, freeBefore: number): Promise<BuildFailure> {
  const free = await freeBytes(context.dataDir);
  return {
    message: `It filled the disk of the server: ${inUnits(freeBefore)} were free before, which was not enough, and ${inUnits(free)} when it ended.${await users(context, command)}`,
    hint: `Free more than ${inUnits(freeBefore)} on the server’s disk, then deploy again.`,
  };
}

/** The sizes are only for the message, so an error here must not hide the cause. */
async function users({ dataDir }: StepContext, { mounts }: Command): Promise<string> {
  const largest = await findLargest(
    mounts.filter((mount) => mount.writable),
    dataDir,
  ).catch(() => []);
  if (largest.length === 0) return '';
  return ` The largest: ${largest.map(({ name, bytes }) => `${name} ${inUnits(bytes)}`).join(', ')}.`;
}
