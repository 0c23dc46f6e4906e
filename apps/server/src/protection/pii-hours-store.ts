import { hourMs } from '@paddock/contract/time';
import type { Tx } from '../db/connect.ts';

/** Personal data found in a project's texts within an hour. */
export interface PiiCount {
  team_id: string;
  project_id: string;
  hour: string;
  scans: number;
  detected: number;
  redacted: number;
  types: Record<string, number>;
}

export const hourOf = (ms: number): string => new Date(Math.floor(ms / hourMs) * hourMs).toISOString();

/** Adds counts to those of their hours. They must be sorted by team, project and hour, so that two transactions never deadlock. */
export async function countPii(tx: Tx, counts: readonly PiiCount[]): Promise<void> {
  await tx`
    insert into pii_hours as p (team_id, project_id, hour, scans, detected, redacted, types)
    select team_id, project_id, hour, scans, detected, redacted, types
    from jsonb_to_recordset(${tx.json(counts as never)})
      as given (team_id text, project_id text, hour timestamptz, scans bigint, detected bigint, redacted bigint, types jsonb)
    on conflict (team_id, project_id, hour) do update
    set
      scans = p.scans + excluded.scans,
      detected = p.detected + excluded.detected,
      redacted = p.redacted + excluded.redacted,
      types = (
        select coalesce(jsonb_object_agg(type, total), '{}')
        from (
          select type, sum(count::bigint) as total
          from (
            select *
            from jsonb_each_text(p.types)
            union all
            select *
            from jsonb_each_text(excluded.types)
          ) as both_of (type, count)
          group by type
        ) summed
      )`;
}
