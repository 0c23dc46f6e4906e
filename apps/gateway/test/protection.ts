import type { DataProtectionSettings, PiiRule } from '@paddock/contract/data-protection';
import { defaultDataProtection } from '@paddock/contract/data-protection';
import type { PiiType } from '@paddock/pii';
import { type Fixture, until } from './fixture.ts';

type Settings = Partial<Omit<DataProtectionSettings, 'rules'>> & { rules?: Partial<Record<PiiType, PiiRule>> };

/** Stores settings of the project of all routes, and returns once the gateway goes by them. */
export async function protect({ database: { sql }, gateway }: Fixture, label: string, { rules, ...settings }: Settings): Promise<void> {
  const stored = { ...defaultDataProtection, ...settings, rules: { ...defaultDataProtection.rules, ...rules } };
  await sql`
    insert into data_protection (project_id, team_id, settings)
    values ('prj_1', 'team_1', ${sql.json(stored as never)})
    on conflict (project_id) do update set settings = excluded.settings`;
  const [row] = await sql<[{ version: string }]>`select version from routes where label = ${label}`;
  await until(() => gateway.findRoute(label)?.version === Number(row.version), 'the gateway goes by the settings');
}

export const everywhere = (action: PiiRule['action']): PiiRule => ({ action, traffic: 'both' });
