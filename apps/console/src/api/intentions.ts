import { ApiError } from '@paddock/contract/errors';
import { useState } from 'react';
import { freshKey } from './fresh-key.ts';

/** Two presses within this time are one double click: the second one wants nothing new, also when the first was answered in between. */
const samePressMs = 600;
/** Intentions that are remembered at most; running ones are never dropped. */
const maxRemembered = 50;

/** Statuses that the server answers before it looks at the key: they do not tell what became of an earlier try. */
const unlooked: readonly number[] = [401, 408, 413, 429];

interface Known {
  key: string;
  /** An earlier try had this key, and its answer was lost. */
  isRepeat: boolean;
  state: 'running' | 'done' | 'unknown';
  begunAt: number;
}

export type Intentions = ReturnType<typeof createIntentions>;

/**
 * Tells presses from intentions. What somebody wants done (an input) has one idempotency key, which lives until the thing is done or
 * definitely refused: a second press meanwhile wants nothing new, and a repeat after a lost answer carries the same key, so that the
 * server does the thing once. It decides at the press and not at the next render, since two presses may come in one frame.
 */
export function createIntentions(now: () => number = () => performance.now()) {
  const all = new Map<string, Known>();
  const nameOf = (input: unknown) => JSON.stringify(input) ?? '';

  function forgetOldest() {
    for (const [name, { state }] of all) {
      if (all.size <= maxRemembered) return;
      if (state !== 'running') all.delete(name);
    }
  }

  /** Whether this press is to be carried out. */
  function begin(input: unknown): boolean {
    const name = nameOf(input);
    const before = all.get(name);
    if (before?.state === 'running') return false;
    if (before?.state === 'done' && now() - before.begunAt < samePressMs) return false;
    const isRepeat = before?.state === 'unknown';
    all.delete(name);
    all.set(name, { key: isRepeat ? before.key : freshKey(), isRepeat, state: 'running', begunAt: now() });
    forgetOldest();
    return true;
  }

  const keyOf = (input: unknown): string => all.get(nameOf(input))?.key ?? freshKey();

  /** Notes how the try ended; without an error the intention is done. */
  function settle(input: unknown, error?: unknown) {
    const known = all.get(nameOf(input));
    if (!known) return;
    const isOpen = known.isRepeat && error instanceof ApiError && unlooked.includes(error.status);
    if (isRefusal(error) && !isOpen) all.delete(nameOf(input));
    else known.state = error ? 'unknown' : 'done';
  }

  return {
    begin,
    keyOf,
    settle,
    /** Carries out a press; gives undefined for a press that wants nothing new. */
    async run<T>(input: unknown, work: (idempotency_key: string) => Promise<T>): Promise<T | undefined> {
      if (!begin(input)) return undefined;
      try {
        const result = await work(keyOf(input));
        settle(input);
        return result;
      } catch (error) {
        settle(input, error);
        throw error;
      }
    },
  };
}

/** Intentions of a component that does not send through `useAction`. */
export const useIntentions = (): Intentions => useState(() => createIntentions())[0];

/** Whether the server says that it did nothing. After any other failure the thing may have been done. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.code !== 'request_in_progress';
