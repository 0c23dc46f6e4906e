import { concernKey } from '../../audit/call.ts';
import type { UseKey } from '../../http/authenticate.ts';
import type { Offered, Parts } from '../../parts.ts';
import { countRequest } from './count-request.ts';
import { isWellFormed, keyHash } from './key-form.ts';
import { apiKeyRoutes, type MayMakeKey } from './routes.ts';
import { type ApiKeyStore, apiKeyStore } from './store.ts';

interface Gives {
  /** Counts a request of a key. Undefined for a text that is no live key. */
  use: UseKey;
  revokeAllOf: ApiKeyStore['revokeAllOf'];
  /** Ends a key and what took its place, in the given transaction. Throws api_key_not_found. */
  revoke: ApiKeyStore['revokeWithin'];
}

interface Needs {
  mayMake: MayMakeKey;
}

export function apiKeyFeature({ sql, sendMail, reserve }: Pick<Parts, 'sql' | 'sendMail' | 'reserve'>, { mayMake }: Needs): Offered<Gives> {
  const store = apiKeyStore(sql);
  return {
    routes: [apiKeyRoutes({ store, sendMail, mayMake })],
    jobs: [],
    gives: {
      async use(key, ip) {
        if (!isWellFormed(key)) return undefined;
        const hash = keyHash(key);
        const use = await reserve.withRoom('note', () => countRequest(sql, hash, ip));
        if (!use) concernKey(hash);
        return use;
      },
      revokeAllOf: store.revokeAllOf,
      revoke: store.revokeWithin,
    },
  };
}
