/** Sizes in characters, each twice the one before. From the eighth of the largest to the largest a quadratic function's time grows 64 times, a linear one's 8 times. */
const sizes = [1, 2, 4, 8, 16, 32, 64].map((kib) => kib * 1024);
const eighth = -4;
/** A run may meet a collection of garbage: what looks superlinear is measured again, and the least of all runs counts. */
const repeats = 5;
/** Between linear and quadratic by a wide margin, and only of times that a quadratic function surely takes for 64 KiB. */
const mostTimes = 30;
const noticedMs = 150;
/** No busy machine makes a linear function this slow; what is cubic is left before it takes hours. */
const surelyMs = 2_000;

export interface Growth {
  isSuperlinear: boolean;
  /** The least milliseconds of each size that was tried. */
  ms: number[];
}

/** How a function's time grows with its input. */
export function growthOf(work: (text: string) => unknown, textOf: (size: number) => string): Growth {
  const ms: number[] = [];
  for (let run = 0; run < repeats; run++) {
    for (const [at, size] of sizes.entries()) {
      ms[at] = Math.min(ms[at] ?? Number.POSITIVE_INFINITY, timed(work, textOf(size)));
      if (ms[at] > surelyMs) return { isSuperlinear: true, ms };
    }
    if (ms.at(-1)! <= noticedMs || ms.at(-1)! <= ms.at(eighth)! * mostTimes) return { isSuperlinear: false, ms };
  }
  return { isSuperlinear: true, ms };
}

function timed(work: (text: string) => unknown, text: string): number {
  const before = cpuMs();
  try {
    work(text);
  } catch {
    // A refusal: how long it took is the question.
  }
  return cpuMs() - before;
}

/** What this thread had of a core: a busy machine takes a core away for longer than most of these runs last. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
