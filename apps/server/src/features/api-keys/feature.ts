import { setSubjectKey } from '../../audit/call.ts';
import type { Core, Feature } from '../../core.ts';
import type { UseKey } from '../../http/authenticate.ts';
import { countRequest } from './count-request.ts';
import { isWellFormed, keyHash } from './key-form.ts';
import { type AssertKeyLifetime, apiKeyRoutes } from './routes.ts';
import { type ApiKeyStore, apiKeyStore } from './store.ts';

interface Exports {
  /** Counts a request of a key. Undefined for a text that is not a live key. */
  use: UseKey;
  revokeAllOf: ApiKeyStore['revokeAllForUser'];
  /** Revokes a key and its successors, in the given transaction. Throws api_key_not_found. */
  revoke: ApiKeyStore['revokeWithin'];
}

interface Deps {
  assertKeyLifetime: AssertKeyLifetime;
}

export function apiKeyFeature(
  { sql, sendMail, reserve }: Pick<Core, 'sql' | 'sendMail' | 'reserve'>,
  { assertKeyLifetime }: Deps,
): Feature<Exports> {
  const store = apiKeyStore(sql);
  return {
    routes: [apiKeyRoutes({ store, sendMail, assertKeyLifetime })],
    jobs: [],
    exports: {
      async use(key, ip) {
        if (!isWellFormed(key)) return undefined;
        const hash = keyHash(key);
        const use = await reserve.withRoom('note', () => countRequest(sql, hash, ip));
        if (!use) setSubjectKey(hash);
        return use;
      },
      revokeAllOf: store.revokeAllForUser,
      revoke: store.revokeWithin,
    },
  };
}
