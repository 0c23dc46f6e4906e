import type { CheckpointStore } from './checkpoint-store.ts';

const atOnce = 100;
const tryMs = 10_000;

/**
 * Posts checkpoints to the operator's URL, oldest first, each until it was accepted with a 2xx. A failed one is retried in the next turn, and
 * later ones wait.
 */
export const postCheckpoints = (url: string, store: CheckpointStore) => async (signal: AbortSignal) => {
  for (const checkpoint of await store.undelivered(atOnce)) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: checkpoint.line,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(tryMs)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`PADDOCK_AUDIT_WEBHOOK_URL answered ${response.status} to a checkpoint`);
    await store.delivered(checkpoint);
  }
};
