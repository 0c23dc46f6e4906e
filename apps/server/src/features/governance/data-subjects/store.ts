import type { Json } from '@paddock/audit';
import type { DataSubjectRequest } from '@paddock/contract';
import { subjectLimits } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import type { Sealed } from '../../../secrets/seal.ts';

export type RequestStore = ReturnType<typeof requestStore>;
type Row = Omit<DataSubjectRequest, 'due_at'>;

interface Added extends Sealed {
  id: string;
  kind: DataSubjectRequest['kind'];
  reference: string;
  fingerprint: string;
  confirmed_count: number | null;
  /** For the audit record of the request; never the identifiers themselves. */
  noted: { [field: string]: Json };
}

const columns = (sql: Sql | Tx) => sql`
  id, kind, status, reference, created_at, finished_at, places, certificate, error`;

/** All SQL on requests about personal data. */
export const requestStore = (sql: Sql) => ({
  list: (team_id: string) => sql<Row[]>`
    select ${columns(sql)}
    from data_subject_requests
    where team_id = ${team_id}
    order by created_at desc, id desc
    limit ${subjectLimits.kept}`,

  async projects(team_id: string): Promise<string[]> {
    const rows = await sql<{ id: string }[]>`
      select id
      from projects
      where team_id = ${team_id}`;
    return rows.map(({ id }) => id);
  },

  async get(team_id: string, id: string): Promise<Row | undefined> {
    const [row] = await sql<Row[]>`
      select ${columns(sql)}
      from data_subject_requests
      where team_id = ${team_id}
        and id = ${id}`;
    return row;
  },

  /** A recently completed search, with the fingerprint of its identifiers. */
  async preview(team_id: string, id: string, minutes: number): Promise<(Pick<Row, 'places'> & { fingerprint: string }) | undefined> {
    const [row] = await sql<(Pick<Row, 'places'> & { fingerprint: string })[]>`
      select places, fingerprint
      from data_subject_requests
      where team_id = ${team_id}
        and id = ${id}
        and kind = 'find'
        and status = 'completed'
        and finished_at > now() - make_interval(mins => ${minutes}::int)`;
    return row;
  },

  /** Undefined if too many requests wait already. */
  add: (team_id: string, { id, kind, reference, sealed, key_id, fingerprint, confirmed_count, noted }: Added, maxWaiting: number) =>
    sql.begin(async (tx) => {
      await tx`
        select id
        from teams
        where id = ${team_id}
        for update`;
      const [row] = await tx<Row[]>`
        insert into data_subject_requests (id, team_id, kind, reference, sealed, key_id, fingerprint, confirmed_count)
        select ${id}, ${team_id}, ${kind}, ${reference}, ${sealed}, ${key_id}, ${fingerprint}, ${confirmed_count}::bigint
        where (
          select count(*)
          from data_subject_requests
          where team_id = ${team_id}
            and status in ('queued', 'running')
        ) < ${maxWaiting}
        returning ${columns(tx)}`;
      if (row) await recordAction(tx, team_id, { input: noted });
      return row;
    }),
});
