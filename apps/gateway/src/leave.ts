import { prepareToEnd } from '@paddock/output/ending';
import type { Logger } from 'pino';

interface Leaving {
  log: Logger;
  /** Lets requests finish. */
  close: () => Promise<void>;
  /** Runs before an immediate exit. */
  beforeEnd?: () => void;
}

/**
 * SIGTERM and SIGINT shut this process down gracefully with exit code 0; a second signal exits immediately with 1. Returns a function that
 * starts the same graceful shutdown; calling it again, or beside a signal, does not hasten the exit.
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
        log.error({ err }, 'graceful shutdown failed');
        process.exit(1);
      },
    );
  }
}
