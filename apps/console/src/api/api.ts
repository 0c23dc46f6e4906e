import type { Client } from '@paddock/client';
import type { contract } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { isDemo, readSession } from './session.ts';

export type Api = Client<typeof contract>;
type Calls = Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>;

/**
 * Every call of the contract: `api.projects.list({ limit: 50 }, { signal })`. Failures are thrown as `ApiError`.
 * The schemas behind it are heavy and no page needs them to be painted, so they come in a chunk of their own.
 */
export const api = new Proxy({}, { get: (_, feature: string) => callsOf(feature) }) as Api;

const callsOf = (feature: string) =>
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

/** Fetches what the first call will need, ahead of it. Should that fail, the call tries again and tells. */
export const warmApi = () => void client().catch((error: unknown) => console.warn(error));

/** Tells where the demo is, whose code is fetched by the first call of a demo session. Comes before every call. */
export function offerDemo(load: () => Promise<Api>) {
  demo = once(load);
}

// Demo mode is chosen by the token alone; its data lives until reload, so it is made once.
const client = () => (isDemo(readSession()?.token) ? demo() : server());
const server = once(() => import('./server-api.ts').then((module) => module.serverApi));
let demo = (): Promise<Api> => Promise.reject(new Error('Nobody has told where the demo is.'));

/** Remembers what was loaded; a failed load is tried again at the next call. */
function once(load: () => Promise<Api>): () => Promise<Api> {
  let loaded: Promise<Api> | undefined;
  return () =>
    (loaded ??= load().catch((cause: unknown) => {
      loaded = undefined;
      throw new ApiError('network', { cause });
    }));
}
