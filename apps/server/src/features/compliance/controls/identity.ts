import type { Sql } from '../../../db/connect.ts';
import type { Control } from '../control.ts';
import { type AccessReviewParts, accessReviewed } from './access-review.ts';
import { type IdleSessionDeps, idleSessions } from './idle-sessions.ts';
import { keyStore } from './key-store.ts';
import { cryptoPeriod, keyAge, keysHashed, leastScopes } from './keys.ts';
import { inactivePeople, secondFactors, uniqueActors } from './people.ts';
import { peopleStore } from './people-store.ts';
import { lockout, passwordRule, type SignInParts } from './sign-in.ts';

export interface IdentityParts extends Omit<SignInParts, 'store'>, Pick<IdleSessionDeps, 'idleLimit'>, AccessReviewParts {
  sql: Sql;
  /** The name of the current seal key. */
  sealKeyId: () => string;
}

/** Controls for access, keys and their protection. */
export function identityControls({ sql, sealKeyId, accessReviews, idleLimit, now, ...signIn }: IdentityParts): Control[] {
  const keys = keyStore(sql);
  const people = peopleStore(sql);
  const ofSignIn = { store: people, ...signIn };
  return [
    cryptoPeriod({ store: keys, sealKeyId }),
    keyAge(keys),
    keysHashed(keys),
    leastScopes(keys),
    secondFactors(people),
    passwordRule(ofSignIn),
    lockout(ofSignIn),
    idleSessions({ idleLimit, store: people }),
    accessReviewed({ accessReviews, now }),
    inactivePeople(people),
    uniqueActors({ ...keys, ...people }),
  ];
}
