import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@paddock/contract/errors';

const maxTries = 6;

/** Retries an idempotent call after a limit, a restart or a lost connection: 5 times, after the server's `Retry-After` or 1, 2, 4 … s. */
export async function withRetries<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || tries === maxTries || !isPassing(error)) throw error;
      const seconds = error.retry_after_s ?? 2 ** (tries - 1);
      await sleep(Math.min(seconds, 60) * 1000, undefined, { signal });
    }
  }
}

const isPassing = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.code === 'unavailable');
