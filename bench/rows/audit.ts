import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { AuditEvent } from '@paddock/audit';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { auditStore } from '../../apps/server/src/features/governance/trail/audit-log-store.ts';
import { createSequencer } from '../../apps/server/src/features/governance/trail/sequencer/sequence.ts';
import { sequenceStore } from '../../apps/server/src/features/governance/trail/sequencer/sequence-store.ts';
import { newId } from '../../apps/server/src/ids.ts';
import { knownSecrets } from '../../apps/server/src/protection/agent-secrets/known-secrets.ts';
import { inDatabase, seed } from '../database.ts';
import { interleave, median } from '../measure.ts';
import { below, type Row } from '../row.ts';

const records = Number(process.env.PADDOCK_BENCH_AUDIT_RECORDS ?? 10_000_000);
const asked = 10;
/** Number of records that are chained to measure writing. */
const written = 20_000;
const perBatch = 500;
type Filter = Omit<Parameters<ReturnType<typeof auditStore>['list']>[1], 'limit'>;

const filters: [string, Filter][] = [
  ['first page', {}],
  ['one agent of 50', { agent: 'prj_7' }],
  ['an agent with few records', { agent: 'prj_rare' }],
  ['type response', { action_type: 'response' }],
  ['type configuration', { action_type: 'configuration' }],
  ['status error', { status: 'error' }],
  ['a day of 30', { date_from: new Date(Date.now() - 20 * dayMs).toISOString(), date_to: new Date(Date.now() - 19 * dayMs).toISOString() }],
  ['one person', { user: 'usr_5' }],
  ['words that many have', { search: 'chat' }],
  ['words that none has', { search: 'no such thing' }],
  ['one trace', { trace_id: '0'.repeat(25) + '0000777' }],
];

export const row: Row = {
  name: 'audit',
  seconds: 400,
  run: (report) =>
    inDatabase(async (sql) => {
      const { team_id } = await seed(sql);
      const store = auditStore(sql);
      const { perSecond, bytes } = await write(sql);
      report({
        work: 'audit records chained',
        unit: '/s',
        ours: Math.round(perSecond).toLocaleString('en'),
        peer: '–',
        note: `${bytes} bytes each with its indexes and a body of 300 bytes`,
      });
      await fill(sql, team_id);
      const reads = filters.map(([, filter]) => async () => {
        const times: number[] = [];
        for (let n = 0; n < asked; n++) {
          const begun = performance.now();
          await store.list(team_id, { ...filter, limit: 50 });
          times.push(performance.now() - begun);
        }
        return median(times);
      });
      for (const read of reads) await read();
      const values = await interleave(3, reads);
      for (const [at, [name]] of filters.entries())
        report(
          below({
            work: `audit, page of 50 of ${records.toLocaleString('en')}: ${name}, p50`,
            unit: 'ms',
            ours: { values: values[at]!, digits: 1 },
            max: 100,
          }),
        );
    }),
};

/** Chains records from the gateways' intake with the sequencer. */
async function write(sql: Sql) {
  const event = (): AuditEvent => ({
    team_id: 'team_written',
    id: newId('aud'),
    timestamp: new Date().toISOString(),
    agent_id: 'prj_1',
    agent_name: 'support-agent',
    action_type: 'request',
    action: 'POST /chat/completions',
    status: 'success',
    actor: { type: 'visitor', id: null, name: null },
    user_id: null,
    targets: [{ type: 'deployment', id: 'dep_1', name: null }],
    duration_ms: 12.345,
    trace_id: randomBytes(16).toString('hex'),
    input_data: {
      method: 'POST',
      path: '/chat/completions',
      size_bytes: 300,
      content_type: 'application/json',
      body: randomBytes(150).toString('hex'),
    },
    output_data: null,
    metadata: { ip_address: '203.0.113.9', user_agent: 'python-httpx/0.28', request_id: randomBytes(16).toString('hex') },
    pii: { scans: 1, detected: 0, redacted: 0, types: {} },
  });
  for (let n = 0; n < written / perBatch; n++)
    await sql`
      insert into audit_intake (events)
      values (${deflateRawSync(Array.from({ length: perBatch }, () => JSON.stringify(event())).join('\n'))})`;
  const { readBlanking } = knownSecrets(async () => ['a-secret-of-this-agent', 'sk-another-secret-of-it']);
  const warn = (warning: string) => {
    throw new Error(warning);
  };
  const turn = createSequencer({ store: sequenceStore(sql), readBlanking, warn });
  const begun = performance.now();
  while ((await turn()) !== 0) continue;
  const perSecond = written / ((performance.now() - begun) / 1000);
  const [size] = await sql<[{ bytes: number }]>`
    select sum(pg_total_relation_size(inhrelid))::bigint as bytes
    from pg_inherits
    where inhparent in ('audit_records'::regclass, 'audit_payloads'::regclass)`;
  return { perSecond, bytes: Math.round(size.bytes / written) };
}

/**
 * A month of an installation's records: mostly visits, some errors, few changes. The indexes are made afterwards, which takes a tenth of the
 * time. They are not made `on only`, which would leave the partitions without.
 */
async function fill(sql: Sql, team_id: string): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as definition
    from pg_indexes
    where tablename = 'audit_records'
      and indexname <> 'audit_records_pkey'`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  for (let month = 0; month < 2; month++) await sql`select audit_partitions((now() - ${month} * interval '1 month')::date)`;
  const step = 1_000_000;
  for (let from = 0; from < records; from += step)
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local statement_timeout = 0; set local synchronous_commit = off`);
      await tx.unsafe(`
        insert into audit_records (
          team_id, seq, id, timestamp, recorded_at, agent_id, agent_name, action_type, action, status, duration_ms, actor_type, actor_id, target_type, target_id,
          trace_id, request_id, payload_hash, hash)
        select '${team_id}', n, 'aud_' || gen_random_uuid(), at, now(),
          case when n % 100000 = 5 then 'prj_rare' else 'prj_' || n % 50 end, 'agent-' || n % 50,
          case when n % 1000 = 3 then 'configuration' when n % 2 = 0 then 'request' else 'response' end,
          case when n % 1000 = 3 then 'project.update' when n % 3 = 0 then 'POST /chat/completions' else 'GET /items/' || n % 1000 end,
          case when n % 500 = 1 then 'error' else 'success' end, n % 977 / 3.0,
          case when n % 1000 = 3 then 'person' else 'visitor' end, case when n % 1000 = 3 then 'usr_' || n / 1000 % 40 end, 'deployment', 'dep_' || n % 50,
          lpad(to_hex(n / 2), 32, '0'), md5(n::text), sha256(n::text::bytea), sha256((n || 'h')::bytea)
        from (
          select n, now() - (${records} - n) * (interval '30 days' / ${records}) as at
          from generate_series(${from + 1}, ${from + step}) n
        ) numbered`);
    });
  for (const { definition } of indexes)
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local statement_timeout = 0; set local maintenance_work_mem = '1GB'; ${definition}`);
    });
  await sql.unsafe('analyze audit_records');
}
