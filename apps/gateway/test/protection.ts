import type { DataProtectionSettings, PiiRule } from '@paddock/contract/data-protection';
import { defaultDataProtection } from '@paddock/contract/data-protection';
import type { PiiType } from '@paddock/pii';
import { type Fixture, until } from './fixture.ts';

type Settings = Partial<Omit<DataProtectionSettings, 'rules'>> & { rules?: Partial<Record<PiiType, PiiRule>> };

const firstOwner = { team_id: 'team_1', project_id: 'prj_1' };

/** Stores settings of a project, by default that of all routes, and returns once the gateway applies them. */
export async function protect(
  { database: { sql }, gateway }: Fixture,
  label: string,
  { rules, ...settings }: Settings,
  { team_id, project_id } = firstOwner,
): Promise<void> {
  const stored = { ...defaultDataProtection, ...settings, rules: { ...defaultDataProtection.rules, ...rules } };
  await sql`
    insert into data_protection (project_id, team_id, settings)
    values (${project_id}, ${team_id}, ${sql.json(stored as never)})
    on conflict (project_id) do update set settings = excluded.settings`;
  const [row] = await sql<[{ version: string }]>`select version from routes where label = ${label}`;
  await until(() => gateway.findRoute(label)?.version === Number(row.version), 'the gateway goes by the settings');
}

/** Assigns a route to another project. */
export async function own(
  { database: { sql }, gateway }: Fixture,
  label: string,
  { team_id, project_id }: typeof firstOwner,
): Promise<void> {
  await sql`
    insert into teams (id, name)
    values (${team_id}, 'others')
    on conflict do nothing`;
  await sql`
    insert into projects (id, team_id, name, subdomain)
    values (${project_id}, ${team_id}, ${project_id}, ${label})`;
  await sql`
    update deployments
    set team_id = ${team_id}, project_id = ${project_id}
    where id = (
      select deployment_id
      from routes
      where label = ${label}
    )`;
  await sql`
    update routes
    set team_id = ${team_id}, project_id = ${project_id}
    where label = ${label}`;
  await until(() => gateway.findRoute(label)?.project_id === project_id, `the gateway knows the owner of ${label}`);
}

export const everywhere = (action: PiiRule['action']): PiiRule => ({ action, traffic: 'both' });
