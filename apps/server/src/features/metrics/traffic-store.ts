import type { Sql } from '../../db/connect.ts';
import { minuteTraffic } from './minute-traffic.ts';
import { rollUpTraffic } from './rollup-traffic.ts';
import type { Span } from './span.ts';
import { asTraffic, noTraffic, type Row, sums, type Traffic, type TrafficStep } from './traffic-rows.ts';

export interface TrafficOfAgent {
  /** The steps with requests, in order. */
  steps: TrafficStep[];
  total: Traffic;
}
export type TrafficStore = ReturnType<typeof trafficStore>;

/** The deployments whose visits count for an agent. */
export interface Asked {
  agent_id: string;
  deployment_ids: readonly string[];
}

/** All SQL that reads visits. Percentiles come from merged buckets, never from averages of percentiles. */
export const trafficStore = (sql: Sql) => ({
  /** Traffic by agent. Agents without a request are missing. */
  async ofAgents(agents: readonly Asked[], span: Span): Promise<Map<string, TrafficOfAgent>> {
    const asked = agents.flatMap(({ agent_id, deployment_ids }) => deployment_ids.map((deployment_id) => ({ agent_id, deployment_id })));
    const rows = span.step_s < 1800 ? await minuteTraffic(sql, asked, span) : await rollUpTraffic(sql, asked, span);
    const found = new Map<string, TrafficOfAgent>();
    for (const row of rows) {
      const agent = found.get(row.agent_id) ?? { steps: [], total: noTraffic };
      found.set(row.agent_id, agent);
      if (row.at === null) agent.total = asTraffic(row);
      else agent.steps.push({ at: new Date(row.at), ...asTraffic(row) });
    }
    return found;
  },

  /** The sums of many deployments, without percentiles. */
  async ofTeam(deployment_ids: readonly string[], { from, to }: Span): Promise<Pick<Traffic, 'requests' | 'statuses' | 'latency_us_sum'>> {
    const [first, end] = [from.toISOString(), to.toISOString()];
    const mine = sql`deployment_id = any(${deployment_ids as string[]})`;
    const [row] = await sql<[Row]>`
        with rolled as (
          select until as hours
          from rolled_up
          where name = 'hours'
        ),
        -- Hours have whole hours: what begins within one is read from its minutes.
        whole as (
          select date_trunc('hour', ${first}::timestamptz + interval '1 hour' - interval '1 microsecond', 'UTC') as first_hour
        ),
        given as (
          select requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum
          from traffic_hours, rolled, whole
          where ${mine}
            and at >= first_hour
            and at < least(${end}, hours)
          union all
          select requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum
          from traffic_minutes, rolled, whole
          where ${mine}
            and minute >= ${first}
            and minute < ${end}
            and (minute < first_hour or minute >= hours)
        )
        select '' as agent_id, null as at, ${sums(sql)}
        from given`;
    return row.requests ? asTraffic(row) : noTraffic;
  },
});
