import type { Client } from '@paddock/client';
import type { contract } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { isDemo, readSession } from './session.ts';

export type Api = Client<typeof contract>;
type Calls = Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>;

/**
 * Every call of the contract: `api.projects.list({ limit: 50 }, { signal })`. Failures are thrown as `ApiError`. The code behind it is
 * heavy and no page needs it for its first paint, so it is loaded as a separate chunk.
 */
export const api = new Proxy({}, { get: (_, feature: string) => createCalls(feature) }) as Api;

const createCalls = (feature: string) =>
  new Proxy(
    {},
    {
      get:
        (_, name: string) =>
        async (...given: unknown[]) => {
          const calls = (await client()) as unknown as Calls;
          const call = calls[feature]?.[name];
          if (!call) throw new TypeError(`The API has no call ${feature}.${name}.`);
          return call(...given);
        },
    },
  );

/** Preloads what the first call will need. If that fails, the call itself retries and reports the failure. */
export const warmApi = () => void client().catch((error: unknown) => console.warn(error));

/** Sets the loader of the demo, which the first call of a demo session runs. Must be called before any API call. */
export function offerDemo(load: () => Promise<Api>) {
  demo = once(load);
}

// The token alone selects demo mode. The demo's data lives until reload, so it is created once.
const client = () => (isDemo(readSession()?.token) ? demo() : server());
const server = once(() => import('./server-api.ts').then((module) => module.serverApi));
let demo = (): Promise<Api> => Promise.reject(new Error('Nobody has told where the demo is.'));

/** Caches the result; the next call retries a failed load. */
function once(load: () => Promise<Api>): () => Promise<Api> {
  let loaded: Promise<Api> | undefined;
  return () =>
    (loaded ??= load().catch((cause: unknown) => {
      loaded = undefined;
      throw new ApiError('network', { cause });
    }));
}
