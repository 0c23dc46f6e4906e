import { runJob } from './run-job.ts';
import { startApi } from './server.ts';
import { teamOf } from './team-of.ts';

/** A server whose billing has its own clock, which only the test moves. */
export async function billingWorld(t: Parameters<typeof startApi>[0], start: string, around: Parameters<typeof startApi>[1] = {}) {
  let now = Date.parse(start);
  const place = await startApi(t, { ...around, billing: { now: () => new Date(now), ...around.billing } });
  const run = (name: string) => runJob(place.features, name);
  /** Runs the jobs until nothing is left to do. */
  const settle = async () => {
    for (let turn = 0; turn < 6; turn++) for (const name of ['close-months', 'ring', 'hand-over', 'look']) await run(`billing.${name}`);
  };
  return {
    ...place,
    run,
    settle,
    async goOn(to: string) {
      now = Date.parse(to);
      await settle();
    },
    now: () => new Date(now),
    teamOf: (whose: { email: string }) => teamOf(place.sql, whose),
    documents: (team_id: string) =>
      place.sql<
        {
          id: string;
          number: number;
          kind: string;
          bill: { due_cents: number; sum_cents: number; lines: { kind: string; cents: number }[] };
        }[]
      >`
        select id, number, kind, bill from billing_documents where team_id = ${team_id} order by number`,
    /** The test provider's balance of a team, in cents. */
    async held(team_id: string): Promise<number> {
      const [row] = await place.sql<[{ cents: number }]>`
        select coalesce(sum(cents - paid_back_cents), 0)::float8 as cents from test_payments where team_id = ${team_id} and state = 'paid'`;
      return row.cents;
    },
    /** The balances of a team's ledger by account. */
    async ledger(team_id: string): Promise<Record<string, number>> {
      const rows = await place.sql<{ place: string; cents: number }[]>`
        select key as place, sum(value::bigint)::float8 as cents from billing_entries, jsonb_each_text(postings) where team_id = ${team_id} group by 1`;
      return Object.fromEntries(rows.map(({ place: name, cents }) => [name, cents]));
    },
  };
}
