import { ApiError } from '@paddock/contract';

/** Longer than any call takes, including long polling: a call that takes longer is waiting for an unresponsive database. */
const maxCallMs = 30_000;

/** The work's result, or `unavailable` when it takes too long. The work itself may still complete, as after a closed connection. */
export async function withDeadline<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new ApiError('unavailable', { retry_after_s: 5 })), maxCallMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
