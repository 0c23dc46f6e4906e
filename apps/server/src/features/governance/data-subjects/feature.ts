import { projectTokenKey } from '@paddock/pii/tokenise';
import type { Core, Feature } from '../../../core.ts';
import { tokenKey } from '../../../secrets/token-key.ts';
import { buildNeedles } from '../../../subjects/needles.ts';
import type { SubjectPlace } from '../../../subjects/subject-store.ts';
import { teamAccounts } from './account-store.ts';
import { createRequestWorker, type NeedlesFor, type RequestWorkerDeps } from './process-requests.ts';
import { requestQueueStore } from './request-queue-store.ts';
import { rewriteTables } from './rewrite-tables.ts';
import { dataSubjectRoutes, type RequestDeps } from './routes.ts';
import { requestStore } from './store.ts';

interface Deps extends Pick<RequestWorkerDeps, 'key' | 'headOf'>, Pick<RequestDeps, 'reauthenticate'> {
  /** Places that may contain personal data, in display order. */
  places: readonly SubjectPlace[];
  /** Projects named in the team's trail, including deleted ones: their tokens stay in it. */
  recordedProjects: (team_id: string) => Promise<string[]>;
}

/** Requests of people about their data: to find it, and to erase it. */
export function dataSubjectFeature(
  { sql, seal, log }: Pick<Core, 'sql' | 'seal' | 'log'>,
  { places, recordedProjects, key, headOf, reauthenticate }: Deps,
): Feature<undefined> {
  const store = requestStore(sql);
  const installationKey = tokenKey(seal);
  const needlesFor: NeedlesFor = async (team_id, identifiers) => {
    const projects = new Set([...(await store.projects(team_id)), ...(await recordedProjects(team_id))]);
    // Tokens stored before each project had its own key were made with the installation's key.
    return buildNeedles(identifiers, [installationKey, ...[...projects].map((id) => projectTokenKey(installationKey, id))]);
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
