import type { Offered, Parts } from '../../parts.ts';
import { tokenKey } from '../../secrets/token-key.ts';
import type { SubjectPlace } from '../../subjects/place.ts';
import { accountsOfSubject } from './account-store.ts';
import { rewriteTables } from './rewrite-store.ts';
import { dataSubjectRoutes, type RequestDeps } from './routes.ts';
import { requestStore } from './store.ts';
import { type WorkParts, working } from './work.ts';
import { workStore } from './work-store.ts';

interface Around extends Pick<WorkParts, 'key' | 'headOf'>, Pick<RequestDeps, 'reauthenticate'> {
  /** Where data of people may be, in the order in which it is shown. */
  places: readonly SubjectPlace[];
}

/** What people may ask about their data: where it is, and that it be erased. */
export function dataSubjectFeature(
  { sql, seal, log }: Pick<Parts, 'sql' | 'seal' | 'log'>,
  { places, key, headOf, reauthenticate }: Around,
): Offered<undefined> {
  const store = requestStore(sql);
  const tokens = tokenKey(seal);
  const turn = working({
    store: workStore(sql),
    places: [...places, accountsOfSubject(sql)],
    seal,
    tokenKey: tokens,
    key,
    headOf,
    rewrite: (tables, signal) => rewriteTables(sql, tables, { log, signal }),
    log,
  });
  return {
    routes: [dataSubjectRoutes({ store, seal, tokenKey: tokens, reauthenticate })],
    jobs: [{ name: 'data-subject.work', everySeconds: 5, run: turn }],
    gives: undefined,
  };
}
