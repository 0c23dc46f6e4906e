/**
 * Sizes in characters, each twice the previous one. From an eighth of the largest size to the largest, the time of a quadratic function
 * grows 64 times, that of a linear one 8 times.
 */
const sizes = [1, 2, 4, 8, 16, 32, 64].map((kib) => kib * 1024);
const eighth = -4;
/** A garbage collection can slow a run down: a result that looks superlinear is measured again, and the minimum of all runs counts. */
const repeats = 5;
/** Well between linear (8) and quadratic (64). Times below `noticedMs` are ignored: a quadratic function takes longer for 64 KiB. */
const maxTimes = 30;
const noticedMs = 150;
/** No busy machine makes a linear function this slow. A cubic one is stopped here before it takes hours. */
const surelyMs = 2_000;

export interface Growth {
  isSuperlinear: boolean;
  /** The minimum time of each tried size in ms. */
  ms: number[];
}

/** Measures how a function's time grows with its input. */
export function growthOf(work: (text: string) => unknown, textOf: (size: number) => string): Growth {
  const ms: number[] = [];
  for (let run = 0; run < repeats; run++) {
    for (const [at, size] of sizes.entries()) {
      ms[at] = Math.min(ms[at] ?? Number.POSITIVE_INFINITY, timed(work, textOf(size)));
      if (ms[at] > surelyMs) return { isSuperlinear: true, ms };
    }
    if (ms.at(-1)! <= noticedMs || ms.at(-1)! <= ms.at(eighth)! * maxTimes) return { isSuperlinear: false, ms };
  }
  return { isSuperlinear: true, ms };
}

function timed(work: (text: string) => unknown, text: string): number {
  const before = cpuMs();
  try {
    work(text);
  } catch {
    // The function refused the text; only its time matters.
  }
  return cpuMs() - before;
}

/** Processor time of this thread: a busy machine takes a core away for longer than most of these runs last. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
