import { ApiError } from '@paddock/contract';

/** Longer than any call takes, including a wait for changes: a longer call waits for a database that does not answer. */
const maxCallMs = 30_000;

/** The work's result, or `unavailable` after the timeout. The work may still take effect, as after a lost connection. */
export async function withDeadline<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new ApiError('unavailable', { retry_after_s: 5 })), maxCallMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
