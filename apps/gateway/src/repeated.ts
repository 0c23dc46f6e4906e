/** Repeats work, with a pause after each run, until `stop`, which runs it once more. Runs never overlap. */
export function repeated(pauseMs: number, work: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  return { now, start, stop };

  function start(): void {
    timer = setTimeout(() => void now().finally(() => timer && start()), pauseMs);
  }

  async function stop(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await running;
    await now();
  }

  /** Runs at once, or joins the run in progress. */
  function now(): Promise<void> {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  }
}
