import { countToErase } from '@paddock/contract';
import type { Sql } from '../src/db/connect.ts';
import type { Api } from './server.ts';

export const ownPassword = 'correct horse battery';

const maxTurns = 3;

/** Finds the identifiers and requests their erasure, like a person who confirms the findings. `work` processes waiting requests. */
export async function askErasure(api: Api, identifiers: string[], work: () => Promise<unknown>) {
  const { id } = await api.dataSubjects.create({ kind: 'find', identifiers });
  // A turn processes ten requests; others may wait as well.
  for (let turn = 1; turn <= maxTurns && (await api.dataSubjects.get({ id })).status !== 'completed'; turn++) await work();
  const { places } = await api.dataSubjects.get({ id });
  return api.dataSubjects.erase({ id, identifiers, password: ownPassword, confirmed_count: countToErase(places) });
}

/** Marks all search requests as completed without findings. */
export const markFound = (sql: Sql) => sql`
  update data_subject_requests
  set status = 'completed', finished_at = now(), sealed = null
  where kind = 'find'`;

/** An erasure that can be requested several times, after a search without findings. */
export async function pressErase({ api, sql, rows }: { api: Api; sql: Sql; rows: (table: string) => Promise<number> }) {
  const identifiers = ['ada@example.com'];
  const { id } = await api.dataSubjects.create({ kind: 'find', identifiers });
  await markFound(sql);
  return {
    press: (own: Api, key: { idempotency_key: string }) => own.dataSubjects.erase({ id, identifiers, password: ownPassword }, key),
    count: () => rows('data_subject_requests'),
  };
}
