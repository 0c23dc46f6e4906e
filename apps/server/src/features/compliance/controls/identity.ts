import type { Sql } from '../../../db/connect.ts';
import type { Control } from '../control.ts';
import { identityStore } from './identity-store.ts';
import { cryptoPeriod, keyAge, keysHashed, leastScopes } from './keys.ts';
import { idleSessions, inactivePeople, secondFactors, uniqueActors } from './people.ts';
import { lockout, passwordRule, type SignInParts } from './sign-in.ts';

export interface IdentityParts extends Omit<SignInParts, 'store'> {
  sql: Sql;
  /** The name of the key that seals secrets now. */
  sealKeyId: () => string;
}

/** Who may come in, with which keys, and how well that is kept. */
export function identityControls({ sql, sealKeyId, ...signIn }: IdentityParts): Control[] {
  const store = identityStore(sql);
  const parts = { store, ...signIn };
  return [
    cryptoPeriod({ store, sealKeyId }),
    keyAge(store),
    keysHashed(store),
    leastScopes(store),
    secondFactors(store),
    passwordRule(parts),
    lockout(parts),
    idleSessions(store),
    inactivePeople(store),
    uniqueActors(store),
  ];
}
