import type { World } from '../world.ts';

/** I1: writes that were answered with 2xx are readable. */
export async function lostWrites({ acknowledged, api }: World): Promise<string[]> {
  const lost: string[] = [];
  for (const { what, read } of acknowledged) await read(api).catch((error: Error) => lost.push(`I1: ${what} is lost: ${error.message}`));
  return lost;
}

/** I2: deployments that no worker moves on. A deployment that is queued behind running builds is not abandoned. */
export async function abandoned({ sql }: World): Promise<string[]> {
  const rows = await sql<{ id: string; status: string }[]>`
    select id, status from deployments where status not in ('queued', 'building', 'deploying', 'active', 'completed', 'failed', 'stopped')
    or (status in ('building', 'deploying') and coalesce(lease_until, building_at) < now() - interval '60 seconds')
    or (status = 'queued' and created_at < now() - interval '60 seconds' and not exists (select 1 from deployments o where o.lease_until > now() and o.status <> 'active'))
    or (status = 'active' and restart_at < now() - interval '60 seconds' and coalesce(lease_until, restart_at) < now() - interval '60 seconds')
    or (status = 'failed' and coalesce(error_message, '') = '')`;
  return rows.map(({ id, status }) => `I2: ${id} is ${status} and nobody moves it`);
}

/** I3: one current deployment each; routes lead only to it or to a draining one. */
export async function wrongRoutes({ sql }: World): Promise<string[]> {
  const twice = await sql<{ project_id: string; environment: string }[]>`
    select project_id, environment from deployments where is_current group by 1, 2 having count(*) > 1`;
  const stray = await sql<{ label: string; id: string; status: string }[]>`
    select r.label, d.id, d.status from routes r join deployments d on d.id = r.deployment_id
    where r.target_host is not null and not (d.is_current and d.status = 'active') and coalesce(d.drain_until < now(), true)`;
  const torn = await sql<{ id: string; status: string; is_current: boolean }[]>`
    select id, status, is_current from deployments where is_current <> (status = 'active')`;
  const missing = await sql<{ id: string }[]>`
    select d.id from deployments d where d.status = 'active' and d.agent_type = 'web' and d.restart_at is null
    and not exists (select 1 from routes r where r.deployment_id = d.id and r.state = 'active' and r.target_host is not null)`;
  return [
    ...twice.map((row) => `I3: ${row.project_id} has two current deployments in ${row.environment}`),
    ...stray.map((row) => `I3: the address ${row.label} leads to ${row.id}, which is ${row.status}`),
    ...torn.map((row) => `I3: ${row.id} is ${row.status} and ${row.is_current ? '' : 'not '}current`),
    ...missing.map((row) => `I3: no address leads to ${row.id}, which is active`),
  ];
}

/** I5: line numbers have no gaps, and neither have the agents' counters. */
export async function wrongLines({ sql }: World): Promise<string[]> {
  const gaps = await sql<{ deployment_id: string; first: number; last: number; lines: number }[]>`
    select deployment_id, min(number) as first, max(number) as last, count(*)::int as lines from log_lines group by 1
    having min(number) <> 1 or max(number) <> count(*) or count(distinct number) <> count(*)`;
  const counted = await sql<{ deployment_id: string; born: string; what: string }[]>`
    with said as (
      select deployment_id, number, split_part(message, ' ', 2) as born, split_part(message, ' ', 3)::bigint as n from log_lines
      where source = 'agent' and message ~ '^count [a-z0-9]+ [0-9]+$'),
    ordered as (select *, n - row_number() over (partition by deployment_id, born order by number) as off from said)
    select deployment_id, born, 'line ' || min(n) || ' is missing, repeated or out of order' as what from ordered where off <> 0 group by 1, 2`;
  const dropped = await sql<
    { deployment_id: string }[]
  >`select deployment_id from log_lines where message like '%bytes of output were dropped here%'`;
  return [
    ...gaps.map((row) => `I5: ${row.deployment_id} has ${row.lines} lines numbered ${row.first} to ${row.last}`),
    ...counted.map((row) => `I5: what ${row.deployment_id} counted (process ${row.born}): ${row.what}`),
    ...dropped.map((row) => `I5: output of ${row.deployment_id} was dropped`),
  ];
}
