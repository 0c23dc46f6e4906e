import { ApiError } from '@paddock/contract/errors';
import { useState } from 'react';
import { freshKey } from './fresh-key.ts';

/** Two presses within this time are one double click: the second is ignored, even if the first was answered in between. */
const samePressMs = 600;
/** Maximum number of remembered intentions; running ones are never dropped. */
const maxRemembered = 50;

/** Statuses that the server returns before it reads the idempotency key: they do not reveal the result of an earlier attempt. */
const unlooked: readonly number[] = [401, 408, 413, 429];

interface Known {
  key: string;
  /** An earlier attempt used this key, and its response was lost. */
  isRepeat: boolean;
  state: 'running' | 'done' | 'unknown';
  begunAt: number;
}

export type Intentions = ReturnType<typeof createIntentions>;

/**
 * Separates presses from intentions. Each intention (an input) has one idempotency key, which lives until the call succeeds or is
 * definitely refused: a second press meanwhile is ignored, and a retry after a lost response carries the same key, so that the server acts
 * once. The decision is made at the press and not at the next render, since two presses may come in one frame.
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

  /** Whether to carry out this press. */
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

  /** Records how the attempt ended; without an error the intention is done. */
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
    /** Carries out a press; returns undefined for a press that is ignored. */
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

/** Whether the server refused the request and did nothing. After any other failure the request may have taken effect. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.code !== 'request_in_progress';
