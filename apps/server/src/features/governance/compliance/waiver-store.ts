import { ApiError, type ControlId, type Waiver } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';

export type WaiverStore = ReturnType<typeof waiverStore>;

/** The fields that a waiver is matched by. */
export type LiveWaiver = Pick<Waiver, 'id' | 'control' | 'resource_id'>;

export interface NewWaiver {
  id: string;
  control: ControlId;
  resource_id?: string | undefined;
  owner: string;
  reason: string;
  expires_at: string;
}

/** Maximum waivers per control in a response, and per team in an assessment. */
const most = { ofControl: 500, ofTeam: 10_000 };

/** All SQL about waivers. An expired waiver is kept unchanged and no longer counts. */
export const waiverStore = (sql: Sql) => ({
  /** Active waivers of these controls. */
  live: (team_id: string, controls: readonly ControlId[]) => sql<LiveWaiver[]>`
    select id, control, resource_id
    from compliance_waivers
    where team_id = ${team_id}
      and control = any(${controls as ControlId[]})
      and expires_at > now()
    order by created_at, id
    limit ${most.ofTeam}`,

  of: (team_id: string, control: ControlId) => sql<Waiver[]>`
    select ${columns(sql)}
    from compliance_waivers
    where team_id = ${team_id}
      and control = ${control}
    order by created_at desc, id desc
    limit ${most.ofControl}`,

  /** Throws waiver_not_found. */
  get: (team_id: string, id: string) => readWaiver(sql, team_id, id),

  create: (team_id: string, { id, control, resource_id, owner, reason, expires_at }: NewWaiver) =>
    sql.begin(async (tx): Promise<Waiver> => {
      const [made] = await tx<Waiver[]>`
        insert into compliance_waivers (id, team_id, control, resource_id, owner, reason, expires_at)
        values (${id}, ${team_id}, ${control}, ${resource_id ?? null}, ${owner}, ${reason}, ${expires_at})
        on conflict (id) do nothing
        returning ${columns(tx)}`;
      if (made) await recordAction(tx, id);
      if (made) return made;
      return readWaiver(tx, team_id, id);
    }),

  remove: (team_id: string, id: string) =>
    sql.begin(async (tx) => {
      const [gone] = await tx`
        delete from compliance_waivers
        where team_id = ${team_id}
          and id = ${id}
        returning id`;
      if (!gone) throw new ApiError('waiver_not_found');
      await recordAction(tx, id);
    }),
});

async function readWaiver(tx: Tx, team_id: string, id: string): Promise<Waiver> {
  const [row] = await tx<Waiver[]>`
    select ${columns(tx)}
    from compliance_waivers
    where team_id = ${team_id}
      and id = ${id}`;
  if (!row) throw new ApiError('waiver_not_found');
  return row;
}

const columns = (sql: Tx) => sql`
  id, control, resource_id, owner, reason, expires_at, created_at`;
