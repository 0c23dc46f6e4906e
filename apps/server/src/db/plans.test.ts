// Frequent queries must not scan a big table. PostgreSQL's own counters show it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../test/postgres.ts';
import { sessionStore } from '../features/accounts/session-store.ts';
import { accountStore } from '../features/accounts/store.ts';
import { countRequest } from '../features/api-keys/count-request.ts';
import { apiKeyStore } from '../features/api-keys/store.ts';
import { removeAddresses } from '../features/deployments/addresses.ts';
import { deploymentStore } from '../features/deployments/store.ts';
import { auditStore } from '../features/governance/trail/audit-log-store.ts';
import { makePartitions } from '../features/logs/retention.ts';
import { logStore } from '../features/logs/store.ts';
import { projectStore } from '../features/projects/store.ts';
import { connect, type Sql } from './connect.ts';

const teams = 40;
/** A table with at least this many rows is big: a sequential scan of it is a bug, however fast it is today. */
const big = 2000;
/** After five runs PostgreSQL may choose a generic plan. */
const runs = 8;

/** A database with a single connection, so that its counters can be read at any moment. */
async function bigDatabase(t: TestContext): Promise<Sql> {
  const { url, drop } = await testDatabase();
  const sql = connect(url, { max: 1 });
  t.after(async () => {
    await sql.end();
    await drop();
  });
  await makePartitions(sql);
  await sql.unsafe(`
    set session_replication_role = replica; -- without triggers: a notice per row would take longer than the rows
    insert into teams (id, name) select 'team_' || n, 'Team' from generate_series(1, ${teams}) n;
    insert into users (id, email, email_key, keyed_email, name)
      select 'usr_' || n, n || '@example.com', n || '@example.com', n || '@example.com', 'Ada' from generate_series(1, 4000) n;
    insert into team_members (team_id, user_id) select 'team_' || n % ${teams} + 1, 'usr_' || n from generate_series(1, 4000) n;
    insert into sessions (id, token_hash, user_id, team_id, expires_at)
      select 'ses_' || n, sha256(n::text::bytea), 'usr_' || n, 'team_' || n % ${teams} + 1, now() + interval '1 day' from generate_series(1, 4000) n;
    insert into api_keys (id, team_id, user_id, family_id, name, token_hash, key_prefix, key_suffix, is_test_key, scopes, rate_limit)
      select 'key_' || n, 'team_' || n % ${teams} + 1, 'usr_' || n, 'key_' || n, 'k', sha256(n::text::bytea), 'pk_live_0000', '0000', false, '{logs:read}', 300
      from generate_series(1, 4000) n;
    insert into projects (id, team_id, name, subdomain)
      select 'prj_' || n, 'team_' || n % ${teams} + 1, 'p' || n, 'p' || n from generate_series(0, 3999) n;
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by, created_at)
      select 'dep_' || n, 'team_' || n % ${teams} + 1, 'prj_' || n % 4000, 'production', 'stopped', 'b', 'n', 1, 'u', now() - n * interval '1 minute'
      from generate_series(1, 20000) n;
    insert into log_heads (deployment_id, team_id, last_number) select 'dep_' || n, 'team_' || n % ${teams} + 1, 300 from generate_series(1, 4000) n;
    insert into log_lines (deployment_id, team_id, number, level, source, message, created_at)
      select 'dep_' || d, 'team_' || d % ${teams} + 1, n, 'info', 'agent', 'line ' || n, now() from generate_series(1, 100) d, generate_series(1, 300) n;
    select audit_partitions(current_date);
    insert into audit_records (team_id, seq, id, timestamp, recorded_at, agent_id, action_type, action, status, actor_type, actor_id, trace_id, request_id,
      payload_hash, hash)
      select 'team_' || n % ${teams} + 1, n, 'aud_' || n, now() - n * interval '1 second', now(), 'prj_' || n % 400,
        case n % 500 when 7 then 'configuration' else 'request' end, 'GET /' || n, case n % 700 when 7 then 'error' else 'success' end, 'visitor', 'usr_' || n % 4000,
        lpad(n::text, 32, '0'), 'req_' || n, '', ''
      from generate_series(1, 40000) n;
    set session_replication_role = default;
    analyze;`);
  return sql;
}

async function wholeReads(sql: Sql): Promise<Record<string, number>> {
  await sql`select pg_stat_force_next_flush()`;
  const rows = await sql<{ relname: string; reads: number }[]>`
    select s.relname, s.seq_scan as reads from pg_stat_user_tables s join pg_class c on c.oid = s.relid where c.reltuples >= ${big}`;
  return Object.fromEntries(rows.map(({ relname, reads }) => [relname, reads]));
}

test('lists, tails and sign-ins read no big table from end to end, whoever asks', async (t) => {
  const sql = await bigDatabase(t);
  const [accounts, deployments, logs, projects] = [
    accountStore(sql),
    deploymentStore(sql, { mayQueue: async () => undefined, keepSettings: async () => undefined }),
    logStore(sql),
    projectStore(sql, { removeAddresses, assertProjectLimit: async () => undefined }),
  ];
  const keys = apiKeyStore(sql);
  const audit = auditStore(sql);
  const [{ token_hash }] = await sql<[{ token_hash: Buffer }]>`select sha256('7'::bytea) as token_hash`;
  const team = 'team_8';
  const first = await deployments.list(team, { limit: 50 });
  const cursor = first.next_cursor ?? undefined;
  assert.equal(first.rows.length, 50);
  const asked: Record<string, () => Promise<unknown>> = {
    'projects, first page': () => projects.list(team, { limit: 50 }),
    'one project': () => projects.get(team, 'prj_7'),
    'deployments, first page': () => deployments.list(team, { limit: 50 }),
    'deployments, next page': () => deployments.list(team, { limit: 50, cursor }),
    'deployments of a project': () => deployments.list(team, { limit: 50, project_id: 'prj_7' }),
    'active deployments': () => deployments.list(team, { limit: 50, status: 'active' }),
    'one deployment': () => deployments.get(team, 'dep_7'),
    'the last lines of a log': () => logs.page(team, 'dep_7', { limit: 100 }),
    'lines before a number': () => logs.page(team, 'dep_7', { limit: 100, before: 200 }),
    'lines after a number': () => logs.page(team, 'dep_7', { limit: 100, after: 100 }),
    'a search in a log': () => logs.page(team, 'dep_7', { limit: 100, search: 'line 7' }),
    'live lines': async () => logs.after('dep_7', 250, 500),
    'the last messages of a source': () => logs.readLast('dep_7', 'agent', 20),
    'lines added to a log': () =>
      logs.append(team, 'dep_7', {
        lines: [{ level: 'info', source: 'agent', message: 'one more', created_at: new Date().toISOString() }],
      }),
    'the session of a token': () => sessionStore(sql).find(token_hash, { ip: '', user_agent: '' }),
    'a request with an API key': () => countRequest(sql, token_hash, '127.0.0.1'),
    'API keys, first page': () => keys.list(team, { limit: 50 }),
    'who may go on reading': () => logs.findLive({ sessions: ['ses_7'], keys: ['key_7'] }),
    'audit records, first page': () => audit.list(team, { limit: 50 }),
    'audit records of an agent': () => audit.list(team, { limit: 50, agent: 'prj_7' }),
    'audit records of a person': () => audit.list(team, { limit: 50, user: 'usr_7' }),
    'audit records of a rare type': () => audit.list(team, { limit: 50, action_type: 'configuration' }),
    'audit records of errors': () => audit.list(team, { limit: 50, status: 'error' }),
    'audit records of a trace': () => audit.list(team, { limit: 50, trace_id: '7'.padStart(32, '0') }),
    'the audit record of a request': () => audit.list(team, { limit: 50, search: 'req_7' }),
    'one audit record': () => audit.get(team, 'aud_7'),
    'a stretch of the chain': async () => audit.stretch(team, { from_seq: 100, to_seq: 300 }),
    'an account by its e-mail': () => accounts.credentials('7@example.com'),
  };
  const before = await wholeReads(sql);
  assert.ok(Object.keys(before).filter((name) => /^(log_lines|deployments|projects|sessions|users)/.test(name)).length >= 5);
  const faults: string[] = [];
  for (const [what, ask] of Object.entries(asked)) {
    const then = await wholeReads(sql);
    for (let n = 0; n < runs; n++) await ask();
    const now = await wholeReads(sql);
    for (const [table, reads] of Object.entries(now)) if (reads > (then[table] ?? 0)) faults.push(`${what}: reads all of ${table}`);
  }
  assert.deepEqual(faults, []);
});

test('the counters notice a table that is read from end to end', async (t) => {
  const sql = await bigDatabase(t);
  const then = await wholeReads(sql);
  await sql`select count(*) from deployments where source_name = 'other'`;
  assert.equal((await wholeReads(sql)).deployments, then.deployments! + 1);
});
