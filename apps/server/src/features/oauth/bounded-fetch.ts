import { AsyncLocalStorage } from 'node:async_hooks';
import type { CustomFetch } from 'openid-client';

/** The provider did not respond, or too late, with too much data, or not according to the protocol. */
export class ProviderAway extends Error {}

/** Time for one step of a sign-in, however many requests to the provider the step needs. */
const budgetMs = 9000;
/** Key sets and discovery documents, the longest real responses, have some ten kilobytes. */
const maxBytes = 512 * 1024;
const budget = new AsyncLocalStorage<AbortSignal>();

/** Runs the work; its requests to the provider together get 9 seconds, and are aborted when the caller hangs up. */
export const withinBudget = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  budget.run(AbortSignal.any([signal, AbortSignal.timeout(budgetMs)]), work);

/** A fetch from providers: within the budget, without following redirects, and never more than 512 kB. Throws ProviderAway. */
export const boundedFetch: CustomFetch = async (url, { method, headers, body, signal }) => {
  const signals = [signal, budget.getStore()].filter((each) => each !== undefined);
  const host = new URL(url).host;
  try {
    const answer = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal: AbortSignal.any(signals) });
    if (answer.status >= 500 || (answer.status >= 300 && answer.status < 400)) {
      await answer.body?.cancel();
      throw new ProviderAway(`${host} answered ${answer.status}`);
    }
    return complete(answer, await readBounded(answer, host), method === 'POST');
  } catch (error) {
    // The causes of a failed connection contain addresses and no secrets.
    throw error instanceof ProviderAway ? error : new ProviderAway(`${host}: ${reason(error)}`);
  }
};

async function readBounded(answer: Response, host: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new ProviderAway(`${host} answered more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function complete({ status, headers }: Response, body: Buffer, isTokenRequest: boolean): Response {
  const error = errorIn(body);
  // GitHub and Slack refuse with 200 and an `error`, others in their own format; the library expects the standard's: 400 and an `error`.
  if (isTokenRequest && (error !== undefined ? status === 200 : status >= 400))
    return Response.json({ error: error ?? `status ${status}` }, { status: 400 });
  const kept = ['content-type', 'www-authenticate'].flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : []));
  const init = { status, headers: Object.fromEntries(kept) as Record<string, string> };
  return new Response(status === 204 || body.length === 0 ? null : new Uint8Array(body), init);
}

function errorIn(body: Buffer): string | undefined {
  try {
    const { error } = Object(JSON.parse(body.toString())) as { error?: unknown };
    return typeof error === 'string' ? error.slice(0, 100) : undefined;
  } catch {
    return undefined; // the reader of the response checks whether it is JSON
  }
}

function reason(error: unknown): string {
  const { name, message, cause } = error as Error;
  const { code } = Object(cause) as { code?: unknown };
  return typeof code === 'string' ? code : `${name}: ${message}`;
}
