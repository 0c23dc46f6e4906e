/** Does something again and again, with a pause after each time, until `stop`, which does it once more. It is never done twice at a time. */
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

  /** At once, or with the time that is under way. */
  function now(): Promise<void> {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  }
}
