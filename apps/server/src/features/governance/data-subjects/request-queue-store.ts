import type { DataSubjectRequest } from '@paddock/contract';
import { recordSystemAction } from '../../../audit/record-system-action.ts';
import type { Sql } from '../../../db/connect.ts';
import type { Sealed } from '../../../secrets/seal.ts';

/** How long a server may work on a request without a heartbeat. */
const takenFor = '2 minutes';
const maxAttempts = 3;

export type RequestQueueStore = ReturnType<typeof requestQueueStore>;

export interface ClaimedRequest extends Sealed {
  id: string;
  team_id: string;
  kind: DataSubjectRequest['kind'];
  fingerprint: string;
  created_at: string;
  confirmed_count: number | null;
  attempts: number;
}

interface Outcome {
  places: DataSubjectRequest['places'];
  certificate: string | null;
}

/** SQL for processing requests about personal data. */
export const requestQueueStore = (sql: Sql) => ({
  /** Claims the next request that no server is processing. */
  async claim(): Promise<ClaimedRequest | undefined> {
    const [row] = await sql<ClaimedRequest[]>`
      update data_subject_requests
      set status = 'running', attempts = attempts + 1, taken_until = now() + ${takenFor}::interval
      where id = (
        select id
        from data_subject_requests
        where status in ('queued', 'running')
          and (taken_until is null or taken_until < now())
        order by created_at
        limit 1
        for update skip locked
      )
      returning id, team_id, kind, fingerprint, sealed, key_id, created_at, confirmed_count, attempts`;
    return row;
  },

  async renewClaim(id: string): Promise<void> {
    await sql`
      update data_subject_requests
      set taken_until = now() + ${takenFor}::interval
      where id = ${id}
        and status = 'running'`;
  },

  /** Completes a request. An erasure is recorded with what it erased. */
  finish: ({ id, team_id, kind }: Pick<ClaimedRequest, 'id' | 'team_id' | 'kind'>, { places, certificate }: Outcome) =>
    sql.begin(async (tx) => {
      const { count } = await tx`
        update data_subject_requests
        set
          status = 'completed',
          places = ${tx.json(places)},
          certificate = ${certificate},
          finished_at = now(),
          sealed = null
        where id = ${id}
          and status = 'running'`;
      if (count === 0 || kind !== 'erase') return;
      const counts = Object.fromEntries(places.map(({ place, found, erased }) => [place, { found, erased }]));
      await recordSystemAction(tx, { team_id, action: 'data-subject.erased', id: team_id, output: { request_id: id, ...counts } });
    }),

  /** Fails permanently: the erasure would differ from the request. */
  async refuse(id: string, error: string): Promise<void> {
    await sql`
      update data_subject_requests
      set
        status = 'failed',
        error = ${error},
        finished_at = now(),
        sealed = null
      where id = ${id}
        and status = 'running'`;
  },

  /** Fails an attempt; after a few attempts the request fails permanently. */
  async fail(id: string, error: string): Promise<void> {
    await sql`
      update data_subject_requests
      set
        status = case when attempts < ${maxAttempts} then 'queued' else 'failed' end,
        error = ${error},
        finished_at = case when attempts < ${maxAttempts} then null else now() end,
        taken_until = now() + interval '30 seconds',
        sealed = case when attempts < ${maxAttempts} then sealed end
      where id = ${id}
        and status = 'running'`;
  },
});
