import { prepareToEnd } from '@paddock/output/ending';
import type { Logger } from 'pino';

interface Leaving {
  log: Logger;
  /** Lets requests finish. */
  close: () => Promise<void>;
  /** Runs last before an immediate exit. */
  beforeEnd?: () => void;
}

/**
 * SIGTERM and SIGINT close this process gracefully, with exit code 0; the second signal exits at once, with 1. Returns a function that starts the
 * graceful exit: calling it twice, or in addition to a signal, does not force the exit.
 */
export function leaveOnSignals({ log, close, beforeEnd }: Leaving): () => void {
  let signals = 0;
  let isLeaving = false;
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, obey);
  return leave;

  function obey(): void {
    signals += 1;
    if (signals > 1) endAtOnce();
    leave();
  }

  function endAtOnce(): never {
    beforeEnd?.();
    process.exit(1);
  }

  function leave(): void {
    if (isLeaving) return;
    isLeaving = true;
    prepareToEnd();
    log.info('draining');
    close().then(
      () => {
        log.info('gateway closed');
        process.exit(0);
      },
      (err: unknown) => {
        log.error({ err }, 'graceful shutdown of the gateway failed');
        process.exit(1);
      },
    );
  }
}
