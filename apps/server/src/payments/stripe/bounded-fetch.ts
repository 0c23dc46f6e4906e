import { AsyncLocalStorage } from 'node:async_hooks';

/** Time for all requests of one call together: less than a server's lease on the outbox messages of a team. */
const budgetMs = 40_000;
/** The longest real responses, lists of a hundred, have some hundred kilobytes. */
const maxBytes = 2 * 1024 * 1024;
const budget = new AsyncLocalStorage<AbortSignal>();

export const withinBudget = <T>(work: () => Promise<T>): Promise<T> => budget.run(AbortSignal.timeout(budgetMs), work);

/** A fetch that follows no redirect, reads at most 2 MB, and is aborted with the budget of the call. */
export const boundedFetch: typeof fetch = async (input, init = {}) => {
  const signals = [init.signal, budget.getStore()].filter((each) => each !== undefined && each !== null);
  const answer = await fetch(input, { ...init, redirect: 'error', signal: AbortSignal.any(signals) });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new TypeError(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: answer.status, headers: answer.headers });
};
