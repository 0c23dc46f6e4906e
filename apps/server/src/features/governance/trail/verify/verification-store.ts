import type { Sql } from '../../../../db/connect.ts';
import type { Verified } from './verify-chain.ts';

/** Maximum number of teams per turn, which starts with those verified longest ago. */
const teamsAtOnce = 10_000;

export type VerificationStore = ReturnType<typeof verificationStore>;

export interface VerificationRow {
  valid: boolean;
  up_to_seq: number;
  verified_at: string;
  first_bad: Verified['first_bad'];
}

/** All SQL on verifications, and on figures displayed with them. */
export const verificationStore = (sql: Sql) => ({
  async last(team_id: string): Promise<VerificationRow | undefined> {
    const [row] = await sql<VerificationRow[]>`
      select valid, up_to_seq, verified_at, first_bad
      from audit_verifications
      where team_id = ${team_id}`;
    return row;
  },

  keep: (team_id: string, { checked, up_to_seq, first_bad }: Pick<Verified, 'checked' | 'up_to_seq' | 'first_bad'>) => sql`
    insert into audit_verifications (team_id, valid, checked, up_to_seq, first_bad, verified_at)
    values (${team_id}, ${first_bad === null}, ${checked}, ${up_to_seq}, ${first_bad ? sql.json(first_bad) : null}, now())
    on conflict (team_id) do update
    set
      valid = excluded.valid,
      checked = excluded.checked,
      up_to_seq = excluded.up_to_seq,
      first_bad = excluded.first_bad,
      verified_at = excluded.verified_at`,

  /** Teams with records, those that were verified longest ago first. */
  async teams(): Promise<string[]> {
    const rows = await sql<{ team_id: string }[]>`
      select h.team_id
      from audit_heads h
      left join audit_verifications v on v.team_id = h.team_id
      order by v.verified_at nulls first, h.team_id
      limit ${teamsAtOnce}`;
    return rows.map(({ team_id }) => team_id);
  },

  async retention(): Promise<{ ran_at: string; deleted: number } | undefined> {
    const [row] = await sql<{ ran_at: string; deleted: number }[]>`
      select ran_at, deleted
      from audit_retention_runs
      order by id desc
      limit 1`;
    return row;
  },
});
