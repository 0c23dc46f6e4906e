import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { loadSeal } from '../../apps/server/src/secrets/seal.ts';

/** The node that claims to run the team's agents: another machine, which nobody takes for dead. */
const elsewhere = 'elsewhere';
const fileBytes = 1024 ** 2;

export interface Team {
  team_id: string;
  user_id: string;
  projects: string[];
}

/** A live deployment of each project, on another node, from an archive in this data directory. */
export async function makeDeployments(sql: Sql, dataDir: string, { team_id, projects }: Team): Promise<string[]> {
  await sql`
    insert into nodes (label, owner, host, machine, blob_store, timeout_s, seen_at)
    values (${elsewhere}, 'bench', '192.0.2.1', 'elsewhere', 'elsewhere', 60, now() + interval '1 day')`;
  mkdirSync(join(dataDir, 'blobs'), { recursive: true, mode: 0o700 });
  const rows = projects.map((project_id, n) => {
    const bytes = randomBytes(fileBytes);
    writeFileSync(join(dataDir, 'blobs', `blb_bench${n}`), bytes, { mode: 0o600 });
    return {
      id: `dep_bench${n}`,
      team_id,
      project_id,
      environment: 'production',
      status: 'active',
      is_current: true,
      node: elsewhere,
      instance_id: `ins_bench${n}`,
      source_blob: `blb_bench${n}`,
      source_name: 'agent.zip',
      source_bytes: fileBytes,
      source_sha256: createHash('sha256').update(bytes).digest('hex'),
      created_by: 'bench',
    };
  });
  await sql`insert into deployments ${sql(rows)}`;
  await sql`
    update deployments
    set deployed_at = now() - interval '3 days', created_at = now() - interval '3 days'
    where team_id = ${team_id}`;
  return rows.map(({ id }) => id);
}

/** API keys of all ages, whose secrets nobody has. */
export async function makeKeys(sql: Sql, { team_id, user_id }: Team, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into api_keys (
      id, team_id, user_id, family_id, name, token_hash, key_prefix, key_suffix, is_test_key, scopes, rate_limit, expires_at, created_at, last_used_at)
    select
      'key_bench' || n, ${team_id}, ${user_id}, 'fam_bench' || n, 'ci-' || n, sha256(n::text::bytea), 'pk_live_', 'abcd', false,
      '{projects:write,agents:deploy,agents:read}', 600, now() + interval '60 days', now() - n % 120 * interval '1 day', now() - n % 40 * interval '1 day'
    from generate_series(1, ${count}::int) n
    returning id`;
  return rows.map(({ id }) => id);
}

/** Both managed databases of each project, with a backup of today whose file is in this data directory. */
export async function makeDatabases(sql: Sql, dataDir: string, { team_id, projects }: Team): Promise<void> {
  const seal = loadSeal(dataDir, undefined);
  for (const [n, project_id] of projects.entries())
    for (const type of ['postgresql', 'redis']) {
      const id = `db_bench_${type}_${n}`;
      const { sealed, key_id } = seal.seal('a password that nobody knows', `database:${id}`);
      await sql`
        insert into databases (id, team_id, project_id, environment, type, mode, status, secret_sealed, secret_key_id, node, machine, created_at)
        values (${id}, ${team_id}, ${project_id}, 'production', ${type}, 'managed', 'available', ${sealed}, ${key_id}, ${elsewhere}, 'elsewhere',
          now() - interval '3 days')`;
      const bytes = randomBytes(fileBytes);
      mkdirSync(join(dataDir, 'database-backups', id), { recursive: true, mode: 0o700 });
      writeFileSync(join(dataDir, 'database-backups', id, `bkp_${id}`), bytes, { mode: 0o600 });
      await sql`
        insert into database_backups (id, team_id, database_id, trigger, status, size_bytes, sha256, finished_at, expires_at)
        values (${`bkp_${id}`}, ${team_id}, ${id}, 'daily', 'available', ${fileBytes}, ${createHash('sha256').update(bytes).digest('hex')}, now(),
          now() + interval '7 days')`;
    }
}

/** The data that accumulates for each deployment: lines, spans, visits by the minute, metrics, a list of packages. */
export async function makeTelemetry(sql: Sql, team_id: string, each: { lines: number; traces: number; packages: number }): Promise<void> {
  const of = sql`
    deployments d
    where d.team_id = ${team_id}`;
  await sql`
    insert into log_lines (deployment_id, number, team_id, level, source, message, created_at)
    select d.id, n, d.team_id, 'info', 'agent', 'GET /answer/' || n || ' 200 in ' || n % 300 || ' ms by worker ' || n % 8, now()
    from generate_series(1, ${each.lines}::int) n, ${of}`;
  await sql`
    insert into log_heads (deployment_id, team_id, last_number, bounded_number, last_at)
    select d.id, d.team_id, ${each.lines}, ${each.lines}, now()
    from ${of}
    on conflict (deployment_id) do nothing`;
  await sql`
    insert into spans (
      deployment_id, trace_id, origin, span_id, name, kind, type, started_at, duration_us, status, provider, model, is_counted, attributes, events,
      dropped, content_dropped, bytes)
    select
      d.id, md5(d.id || n), s.origin, left(md5(n || s.name), 16), s.name, 'server', s.type, now() - n * interval '1 minute', 5000, 'ok', s.provider, s.model,
      false, '{"server.address": "api.example.com"}', '[]', 0, 0, 300
    from (
      values ('gateway', 'POST /chat', 'http', null, null), ('agent', 'chat', 'agent', null, null), ('agent', 'model', 'model', 'openai', 'gpt-5')
    ) s (origin, name, type, provider, model), generate_series(1, ${each.traces}::int) n, ${of}`;
  await sql`
    insert into traffic_minutes (deployment_id, minute, gateway_id, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency)
    select d.id, date_trunc('minute', now()) - n * interval '1 minute', 'gw', 1, '{0,1,0,0,0}', 0, 300, 300, 5000, '{}'
    from generate_series(1, 1440) n, ${of}`;
  await sql`
    insert into usage_minutes (deployment_id, at, measured_ms, cpu_ms, cpu_limit_ms, memory_bytes, memory_limit_bytes)
    select d.id, date_trunc('minute', now()) - n * interval '1 minute', 60000, 100, 60000, 5e7, 5e8
    from generate_series(0, 1440) n, ${of}`;
  await sql`
    insert into deployment_packages (deployment_id, team_id, packages, is_partial)
    select
      d.id, d.team_id,
      (
        select jsonb_agg(jsonb_build_object('ecosystem', 'npm', 'name', 'package-' || (hashtext(d.id || p) & 2047), 'version', '1.' || p % 9 || '.0'))
        from generate_series(1, ${each.packages}::int) p
      ), false
    from ${of}`;
  await sql.unsafe('analyze');
}

/** Advisories in OSV format, most of them about packages that no project here uses. */
export function makeAdvisories(file: string, count: number): string {
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      id: `BENCH-${n}`,
      modified: '2026-01-02T00:00:00Z',
      published: '2025-12-01T00:00:00Z',
      database_specific: { severity: n % 7 === 0 ? 'HIGH' : 'LOW' },
      affected: [
        {
          package: { ecosystem: 'npm', name: `package-${n * 3}` },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '1.0.0' }, { fixed: '1.1.0' }] }],
        },
      ],
      details: 'What an attacker can do with it. '.repeat(30),
    }),
  );
  writeFileSync(file, lines.join('\n'));
  return file;
}
