import { projectTokenKey } from '@paddock/pii/tokenise';
import type { Core, Feature } from '../../core.ts';
import { tokenKey } from '../../secrets/token-key.ts';
import { needlesOf } from '../../subjects/needles.ts';
import type { SubjectPlace } from '../../subjects/subject-store.ts';
import { teamAccounts } from './account-store.ts';
import { createRequestWorker, type NeedlesFor, type RequestWorkerDeps } from './process-requests.ts';
import { requestQueueStore } from './request-queue-store.ts';
import { rewriteTables } from './rewrite-tables.ts';
import { dataSubjectRoutes, type RequestDeps } from './routes.ts';
import { requestStore } from './store.ts';

interface Deps extends Pick<RequestWorkerDeps, 'key' | 'headOf'>, Pick<RequestDeps, 'reauthenticate'> {
  /** Where data of people may be, in the order in which it is shown. */
  places: readonly SubjectPlace[];
  /** Projects that the team's trail names, also those that are deleted: their tokens stay in it. */
  recordedProjects: (team_id: string) => Promise<string[]>;
}

/** What people may ask about their data: where it is, and that it be erased. */
export function dataSubjectFeature(
  { sql, seal, log }: Pick<Core, 'sql' | 'seal' | 'log'>,
  { places, recordedProjects, key, headOf, reauthenticate }: Deps,
): Feature<undefined> {
  const store = requestStore(sql);
  const installationKey = tokenKey(seal);
  const needlesFor: NeedlesFor = async (team_id, identifiers) => {
    const projects = new Set([...(await store.projects(team_id)), ...(await recordedProjects(team_id))]);
    // Tokens that were stored before each project had its key were made with the installation's.
    return needlesOf(identifiers, [installationKey, ...[...projects].map((id) => projectTokenKey(installationKey, id))]);
  };
  const turn = createRequestWorker({
    store: requestQueueStore(sql),
    places: [...places, teamAccounts(sql)],
    seal,
    needlesFor,
    key,
    headOf,
    rewrite: (tables, signal) => rewriteTables(sql, tables, { log, signal }),
    log,
  });
  return {
    routes: [dataSubjectRoutes({ store, seal, needlesFor, reauthenticate })],
    jobs: [{ name: 'data-subject.work', everySeconds: 5, run: turn }],
    exports: undefined,
  };
}
