import type { Sql } from '../../../../db/connect.ts';

/** Combined shortages of one team's gateways, or of all gateways. */
export interface Shortage {
  /** The begin of the first of them. */
  since: string;
  /** A disk is full; if false, the database accepts records too slowly. */
  is_disk: boolean;
  /** Not even records without bodies fit. */
  is_unrecorded: boolean;
}
/** Spools of gateways by the cause and the state of their shortage. */
export interface ShortageCount {
  cause: string;
  state: string;
  spools: number;
}
export type ShortageStore = ReturnType<typeof shortageStore>;

/** Gateways renew their reports every few seconds, if the database accepts them. */
const silence = '10 minutes';
/** Maximum number of teams per turn. */
const maxTeams = 10_000;

/** Shortages of space for the audit trail, as gateways report them. */
export const shortageStore = (sql: Sql) => ({
  /** Removes shortages of gateways that are gone. */
  removeSilent: () => sql`
    delete from audit_shortages
    where seen_at < now() - ${silence}::interval`,

  counts: () => sql<ShortageCount[]>`
    select cause, state, count(*)::int as spools
    from audit_shortages
    group by cause, state`,

  byTeam: () => sql<(Shortage & { team_id: string })[]>`
    select
      concerned.team_id,
      min(s.since) as since,
      bool_or(s.cause = 'disk') as is_disk,
      bool_or(s.state = 'unrecorded') as is_unrecorded
    from audit_shortages s
    cross join unnest(s.team_ids) as concerned (team_id)
    join teams t on t.id = concerned.team_id
    group by concerned.team_id
    order by min(s.since), concerned.team_id
    limit ${maxTeams}`,

  /** Undefined while every gateway has room. */
  async all(): Promise<Shortage | undefined> {
    const [row] = await sql<{ since: string | null; is_disk: boolean; is_unrecorded: boolean }[]>`
      select min(since) as since, bool_or(cause = 'disk') as is_disk, bool_or(state = 'unrecorded') as is_unrecorded
      from audit_shortages
      where seen_at >= now() - ${silence}::interval`;
    return row?.since ? { ...row, since: row.since } : undefined;
  },
});
