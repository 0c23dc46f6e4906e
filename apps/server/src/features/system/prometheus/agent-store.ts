import type { Sql } from '../../../db/connect.ts';
import { listedAgents } from './listed-agents.ts';
import { type Asked, totals } from './totals.ts';

/** The time up to which hours and days are read; minutes are read after it. */
export interface Line {
  hours: string;
  days: string;
}
export type AgentStore = ReturnType<typeof agentStore>;

/** All SQL that reads agents for Prometheus, over all teams. */
export const agentStore = (sql: Sql) => ({
  listed: (limit: number) => listedAgents(sql, limit),

  /** An hour before the last roll-up: gateways write minutes up to an hour late, and everything before the line is final. */
  async line(): Promise<Line> {
    const [line] = await sql<[Line]>`
      with ends as (
        select max(until) filter (where name = 'hours') - interval '1 hour' as hours, max(until) filter (where name = 'days') as days
        from rolled_up
      )
      select hours::text as hours, date_trunc('day', least(days, hours), 'UTC')::text as days
      from ends`;
    return line;
  },

  /** Totals before the line. */
  before: (asked: Asked[], { hours, days }: Line) =>
    totals(sql, asked, {
      traffic: sql`
        select t.*
        from asked a
        join traffic_days t on t.deployment_id = a.id
        where at >= since
          and at < ${days}::timestamptz
        union all
        select t.*
        from asked a
        join traffic_hours t on t.deployment_id = a.id
        where at >= greatest(since, ${days}::timestamptz)
          and at < ${hours}::timestamptz`,
      usage: sql`
        select u.*
        from asked a
        join usage_days u on u.deployment_id = a.id
        where at >= since
          and at < ${days}::timestamptz
        union all
        select u.*
        from asked a
        join usage_hours u on u.deployment_id = a.id
        where at >= greatest(since, ${days}::timestamptz)
          and at < ${hours}::timestamptz`,
    }),

  /** Totals from the line on. */
  after: (asked: Asked[], { hours }: Line) =>
    totals(sql, asked, {
      traffic: sql`
        select t.*
        from asked a
        join traffic_minutes t on t.deployment_id = a.id
        where minute >= greatest(since, ${hours}::timestamptz)`,
      usage: sql`
        select u.*
        from asked a
        join usage_minutes u on u.deployment_id = a.id
        where at >= greatest(since, ${hours}::timestamptz)`,
    }),
});
