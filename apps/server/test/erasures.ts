import { countToErase } from '@paddock/contract';
import type { Sql } from '../src/db/connect.ts';
import type { Api } from './server.ts';

export const ownPassword = 'correct horse battery';

const maxTurns = 3;

/** Finds the identifiers and asks for their erasure, as a person does who confirms what was found. `work` has waiting requests worked on. */
export async function askErasure(api: Api, identifiers: string[], work: () => Promise<unknown>) {
  const { id } = await api.dataSubjects.create({ kind: 'find', identifiers });
  // Ten are worked on at once; others may wait as well.
  for (let turn = 1; turn <= maxTurns && (await api.dataSubjects.get({ id })).status !== 'completed'; turn++) await work();
  const { places } = await api.dataSubjects.get({ id });
  return api.dataSubjects.erase({ id, identifiers, password: ownPassword, confirmed_count: countToErase(places) });
}

/** As if all requests that find were worked on, and had found nothing. */
export const markFound = (sql: Sql) => sql`
  update data_subject_requests
  set status = 'completed', finished_at = now(), sealed = null
  where kind = 'find'`;

/** An erasure that can be pressed several times, after a request that found nothing. */
export async function pressErase({ api, sql, rows }: { api: Api; sql: Sql; rows: (table: string) => Promise<number> }) {
  const identifiers = ['ada@example.com'];
  const { id } = await api.dataSubjects.create({ kind: 'find', identifiers });
  await markFound(sql);
  return {
    press: (own: Api, key: { idempotency_key: string }) => own.dataSubjects.erase({ id, identifiers, password: ownPassword }, key),
    count: () => rows('data_subject_requests'),
  };
}
