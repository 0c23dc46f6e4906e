import type { CallOptions } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';
import type { DemoWorld } from './demo-world.ts';

const delayMs = 80;

/** Responds like a nearby server: after a short delay, and not at all once the caller has aborted. */
export const answer = <T>(work: () => T, { signal }: CallOptions = {}): Promise<T> =>
  pause(delayMs, signal).then(() => structuredClone(work()));

/** Resolves when a change makes the condition true, or after `ms`. */
export async function until(
  world: DemoWorld,
  holds: () => boolean,
  { ms, signal = new AbortController().signal }: { ms: number; signal?: AbortSignal | undefined },
) {
  const done = new AbortController();
  try {
    await new Promise<void>((resolve, reject) => {
      const check = () => holds() && resolve();
      const timer = setTimeout(resolve, ms);
      done.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      signal.addEventListener('abort', () => reject(gone(signal)), { once: true });
      world.watch(check, done.signal);
      if (signal.aborted) reject(gone(signal));
      check();
    });
  } finally {
    done.abort();
  }
}

export const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    if (signal?.aborted) return reject(gone(signal));
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(gone(signal));
      },
      { once: true },
    );
  });

const gone = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new ApiError('network', { cause: signal.reason });

/** A page of a sorted list; the cursor is the id of the last row returned. */
export function paginate<Row extends { id: string }>(
  rows: readonly Row[],
  { limit = 50, cursor }: { limit?: number | undefined; cursor?: string | undefined },
) {
  const from = cursor === undefined ? 0 : rows.findIndex(({ id }) => id === cursor) + 1;
  const page = rows.slice(from, from + limit);
  return { rows: page, next_cursor: from + limit < rows.length ? (page.at(-1)?.id ?? null) : null };
}
