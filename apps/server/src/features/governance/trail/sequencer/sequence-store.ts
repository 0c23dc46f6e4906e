import type { Sql, Tx } from '../../../../db/connect.ts';
import { countPii } from '../../../../protection/pii-hours-store.ts';
import type { IntakeRow } from './parse-events.ts';

export type SequenceStore = ReturnType<typeof sequenceStore>;

export interface Head {
  team_id: string;
  seq: number;
  hash: Buffer;
}

/** An arbitrary number that all servers share. */
const lock = 4_000_428;
/** Maximum size of a batch of the sequencer: teams, rows of the intake, and the bytes of gateways' batches. */
const maxTurn = { teams: 25, rows: 500, bytes: 512 * 1024 };

/** All SQL that adds records to the chain. */
export const sequenceStore = (sql: Sql) => ({
  /** Runs the work in a transaction that only one server of the installation executes at a time; false if another one does. */
  alone: (work: (tx: Tx) => Promise<void>): Promise<boolean> =>
    sql.begin(async (tx) => {
      const [row] = await tx<{ mine: boolean }[]>`select pg_try_advisory_xact_lock(${lock}) as mine`;
      if (row?.mine) await work(tx);
      return row?.mine ?? false;
    }),

  /**
   * Removes rows from the intake, and returns their recording time. Teams take turns: first the oldest row of each team, then the second, and
   * so on, so that one team's flood does not delay other teams. `after` is the team that was served last. Creates the partitions for the rows.
   */
  async take(tx: Tx, after: string): Promise<{ rows: IntakeRow[]; recorded_at: string; last: string }> {
    const teams = await waitingTeams(tx, after);
    const rows = await tx<(IntakeRow & { turn: string })[]>`
      delete from audit_intake
      where number in (
        select number
        from (
          select number, sum(size) over (order by place, at) - size as before
          from (
            select team.at, oldest.number, oldest.size, oldest.place
            from unnest(${teams}::text[]) with ordinality as team (turn, at)
            cross join lateral (
              select number, coalesce(octet_length(events), 0) as size, row_number() over (order by number) as place
              from audit_intake
              where turn = team.turn
              order by number
              limit ${maxTurn.rows}
            ) oldest
            order by oldest.place, team.at
            limit ${maxTurn.rows}
          ) in_turn
        ) summed
        where before < ${maxTurn.bytes}
      )
      returning number, event, events, turn`;
    const [now] = await tx<[{ recorded_at: string }]>`
      select at as recorded_at, audit_partitions((at at time zone 'UTC')::date)
      from date_trunc('milliseconds', clock_timestamp()) as at`;
    const served = new Set(rows.map(({ turn }) => turn));
    return {
      rows: rows.toSorted((a, b) => a.number - b.number),
      recorded_at: now.recorded_at,
      last: teams.findLast((team) => served.has(team)) ?? after,
    };
  },

  /** Moves an unreadable row away, which would otherwise block all others. */
  async putAside(tx: Tx, { number, event, events }: IntakeRow, error: string): Promise<void> {
    await tx`
      insert into audit_unreadable (number, event, events, error)
      values (${number}, ${event === null ? null : tx.json(event as never)}, ${events}, ${error})`;
  },

  async heads(tx: Tx, team_ids: string[]): Promise<Head[]> {
    return tx<Head[]>`
      select team_id, seq, hash
      from audit_heads
      where team_id = any(${team_ids})`;
  },

  async moveHeads(tx: Tx, heads: readonly Head[], recorded_at: string): Promise<void> {
    await tx`
      insert into audit_heads as h (team_id, seq, hash, recorded_at)
      select team_id, seq, decode(hash, 'hex'), ${recorded_at}
      from unnest(${heads.map(({ team_id }) => team_id)}::text[], ${heads.map(({ seq }) => String(seq))}::bigint[], ${heads.map(({ hash }) => hash.toString('hex'))}::text[])
        as given (team_id, seq, hash)
      on conflict (team_id) do update
      set seq = excluded.seq, hash = excluded.hash, recorded_at = excluded.recorded_at`;
  },

  async nameAgents(tx: Tx, agents: { team_id: string; agent_id: string; agent_name: string }[]): Promise<void> {
    await tx`
      insert into audit_agents (team_id, agent_id, agent_name)
      select team_id, agent_id, agent_name
      from jsonb_to_recordset(${tx.json(agents)}) as given (team_id text, agent_id text, agent_name text)
      on conflict (team_id, agent_id) do update
      set agent_name = excluded.agent_name`;
  },

  count: countPii,
});

/** Teams with waiting rows, in order, starting after `after` and then from the first. Each step is one index lookup. */
async function waitingTeams(tx: Tx, after: string): Promise<string[]> {
  const next = await teamsAfter(tx, after);
  if (next.length === maxTurn.teams || after === '') return next;
  return [...new Set([...next, ...(await teamsAfter(tx, ''))])].slice(0, maxTurn.teams);
}

async function teamsAfter(tx: Tx, after: string): Promise<string[]> {
  const rows = await tx<{ turn: string }[]>`
    with recursive waiting as (
      (
        select turn
        from audit_intake
        where turn > ${after}
        order by turn
        limit 1
      )
      union all
      select (
        select turn
        from audit_intake
        where turn > waiting.turn
        order by turn
        limit 1
      )
      from waiting
      where waiting.turn is not null
    )
    select turn
    from waiting
    where turn is not null
    limit ${maxTurn.teams}`;
  return rows.map(({ turn }) => turn);
}
