import type { UseKey } from '../../http/authenticate.ts';
import type { Offered, Parts } from '../../parts.ts';
import { isWellFormed, keyHash } from './key-form.ts';
import { apiKeyRoutes } from './routes.ts';
import { type ApiKeyStore, apiKeyStore } from './store.ts';

interface Gives {
  /** Counts a request; undefined for what is no key. */
  use: UseKey;
  revokeAllOf: ApiKeyStore['revokeAllOf'];
}

export function apiKeyFeature({ sql, sendMail, reserve }: Pick<Parts, 'sql' | 'sendMail' | 'reserve'>): Offered<Gives> {
  const store = apiKeyStore(sql);
  return {
    routes: [apiKeyRoutes(store, sendMail)],
    jobs: [],
    gives: {
      use: async (key, ip) => (isWellFormed(key) ? reserve.withRoom('note', () => store.use(keyHash(key), ip)) : undefined),
      revokeAllOf: store.revokeAllOf,
    },
  };
}
