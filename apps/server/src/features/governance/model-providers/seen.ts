import { type ModelProvider, type SeenProvider, seenProviderDays } from '@paddock/contract';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../../db/connect.ts';
import { seenStore } from './seen-store.ts';
import { modelProviderStore } from './store.ts';

export type SeenProviders = (team_id: string, now?: number) => Promise<SeenProvider[]>;
/** The most called, and the total number. */
export type CountedProviders = (team_id: string, now?: number) => Promise<{ providers: SeenProvider[]; total: number }>;

export function seenProviders(sql: Sql): SeenProviders {
  const counted = countedProviders(sql);
  return async (team_id, now) => (await counted(team_id, now)).providers;
}

/** Providers that agents called in the last 30 days, each with its entry of the register: matched by the name in traces, else by the host. */
export function countedProviders(sql: Sql): CountedProviders {
  const { called } = seenStore(sql);
  const { list } = modelProviderStore(sql);
  return async function seen(team_id, now = Date.now()) {
    const since = new Date(now - seenProviderDays * dayMs).toISOString();
    const [calls, register] = await Promise.all([called(team_id, since), list(team_id)]);
    const entries = new Map(register.map((one) => [one.provider, one]));
    const providers = calls.map(({ provider, host, calls: count, last_seen, projects }) => ({
      provider,
      host,
      calls: count,
      last_seen,
      projects,
      register: entryOf({ provider, host }, entries),
    }));
    return { providers, total: calls[0]?.of_total ?? 0 };
  };
}

const entryOf = ({ provider, host }: Pick<SeenProvider, 'provider' | 'host'>, entries: Map<string, ModelProvider>) =>
  entries.get(provider ?? '') ?? entries.get(host ?? '') ?? null;
