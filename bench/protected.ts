import type { Sql } from '../apps/server/src/db/connect.ts';
import { piiTypes } from '../packages/pii/src/types.ts';

/** Makes all projects mask all types both ways. Gateways learn it like a new route. */
export async function maskEverything(sql: Sql): Promise<void> {
  const settings = { rules: Object.fromEntries(piiTypes.map((type) => [type, { action: 'mask', traffic: 'both' }])) };
  await sql`
    insert into data_protection (project_id, team_id, settings)
    select id, team_id, ${sql.json(settings)}
    from projects`;
}
