import type { ModelPrice } from '@paddock/contract';
import { recordAction } from '../../audit/record-action.ts';
import type { Sql } from '../../db/connect.ts';
import { lockTeam } from '../../db/lock-team.ts';
import { createPriceLookup, type PriceOf } from './prices.ts';

export type PriceStore = ReturnType<typeof priceStore>;

interface DayUsage {
  team_id: string;
  project_id: string;
  model: string;
  input_tokens: number;
  cached_tokens: number;
  cache_write_tokens: number;
  output_tokens: number;
}

/** All SQL about token prices. */
export const priceStore = (sql: Sql) => {
  const own = (team_id: string) => sql<ModelPrice[]>`
    select model, input_usd, cached_input_usd, cache_write_usd, output_usd
    from model_prices
    where team_id = ${team_id}
    order by model`;

  return {
    own,
    priceOf: async (team_id: string): Promise<PriceOf> => createPriceLookup(await own(team_id)),

    /** Concurrent saves do not mix: the list is that of the later one. */
    async replace(team_id: string, prices: readonly ModelPrice[]): Promise<void> {
      await sql.begin(async (tx) => {
        await lockTeam(tx, team_id);
        await tx`
          delete from model_prices
          where team_id = ${team_id}`;
        await tx`
          insert into model_prices (team_id, model, input_usd, cached_input_usd, cache_write_usd, output_usd)
          select ${team_id}, model, input_usd, cached_input_usd, cache_write_usd, output_usd
          from jsonb_to_recordset(${tx.json(prices)}) as given (
            model text, input_usd float8, cached_input_usd float8, cache_write_usd float8, output_usd float8)`;
        await recordAction(tx, team_id, { input: { models: prices.map(({ model }) => model) } });
      });
    },

    /** Cost of models of each project's production agents since midnight (UTC), as far as their prices are known. */
    async costsToday(): Promise<Map<string, number>> {
      const rows = await sql<DayUsage[]>`
        select d.team_id, d.project_id, u.model, sum(u.input_tokens)::bigint as input_tokens, sum(u.cached_tokens)::bigint as cached_tokens,
          sum(u.cache_write_tokens)::bigint as cache_write_tokens, sum(u.output_tokens)::bigint as output_tokens
        from model_usage_hours u
        join deployments d on d.id = u.deployment_id
        where u.hour >= date_trunc('day', now(), 'UTC')
          and d.environment = 'production'
        group by d.team_id, d.project_id, u.model`;
      const costs = new Map<string, number>();
      const priceOf = new Map<string, PriceOf>();
      for (const { team_id, project_id, model, ...usage } of rows) {
        const price = priceOf.get(team_id) ?? createPriceLookup(await own(team_id));
        priceOf.set(team_id, price);
        costs.set(project_id, (costs.get(project_id) ?? 0) + (price(model, usage) ?? 0));
      }
      return costs;
    },

    /** Cost of models of one team's production agents since midnight (UTC), as far as their prices are known. */
    async costOfToday(team_id: string): Promise<number> {
      const rows = await sql<Omit<DayUsage, 'team_id' | 'project_id'>[]>`
        select u.model, sum(u.input_tokens)::bigint as input_tokens, sum(u.cached_tokens)::bigint as cached_tokens,
          sum(u.cache_write_tokens)::bigint as cache_write_tokens, sum(u.output_tokens)::bigint as output_tokens
        from deployments d
        join model_usage_hours u on u.deployment_id = d.id
        where d.team_id = ${team_id}
          and d.environment = 'production'
          and u.hour >= date_trunc('day', now(), 'UTC')
        group by u.model`;
      const price = createPriceLookup(await own(team_id));
      return rows.reduce((sum, { model, ...usage }) => sum + (price(model, usage) ?? 0), 0);
    },

    /** Cost of models of a team's production agents per hour of the last days, as far as their prices are known; the oldest first. */
    async costsByHour(team_id: string, days: number): Promise<{ hour: string; usd: number }[]> {
      const rows = await sql<(Omit<DayUsage, 'team_id' | 'project_id'> & { hour: string })[]>`
        select u.hour, u.model, sum(u.input_tokens)::bigint as input_tokens, sum(u.cached_tokens)::bigint as cached_tokens,
          sum(u.cache_write_tokens)::bigint as cache_write_tokens, sum(u.output_tokens)::bigint as output_tokens
        from model_usage_hours u
        join deployments d on d.id = u.deployment_id
        where d.team_id = ${team_id}
          and d.environment = 'production'
          and u.hour >= now() - make_interval(days => ${days}::int)
        group by u.hour, u.model
        order by u.hour
        limit 100000`;
      const price = createPriceLookup(await own(team_id));
      const costs = new Map<string, number>();
      for (const { hour, model, ...usage } of rows) costs.set(hour, (costs.get(hour) ?? 0) + (price(model, usage) ?? 0));
      return [...costs].map(([hour, usd]) => ({ hour, usd }));
    },
  };
};
