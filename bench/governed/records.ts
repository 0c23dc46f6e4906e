import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { AuditEvent } from '@paddock/audit';
import { minuteMs } from '@paddock/contract/time';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { newId } from '../../apps/server/src/ids.ts';
import { until } from '../measure.ts';

const perBatch = 500;
const days = 30;
const chainedMs = 600_000;

interface Wanted {
  team_id: string;
  projects: string[];
  keys: string[];
  records: number;
}

/**
 * Writes a month of a team's records to the intake, as a gateway delivers them. The running server chains them, so that the whole chain
 * verifies. Most are visits, one in ten is a change by an API key.
 */
export async function writeRecords(sql: Sql, { team_id, projects, keys, records }: Wanted): Promise<void> {
  const begun = Date.now() - 10 * minuteMs;
  const event = (n: number): AuditEvent => {
    const isChange = n % 10 === 3;
    const visit = n % 2 === 0 ? 'request' : 'response';
    const project = n % projects.length;
    return {
      team_id,
      id: newId('aud'),
      timestamp: new Date(begun - ((records - n) / records) * days * 1_440 * minuteMs).toISOString(),
      agent_id: projects[project]!,
      agent_name: `agent-${project}`,
      action_type: isChange ? 'configuration' : visit,
      action: isChange ? 'project.update' : 'POST /chat/completions',
      status: n % 500 === 1 ? 'error' : 'success',
      actor: isChange ? { type: 'key', id: keys[n % keys.length]!, name: null } : { type: 'visitor', id: null, name: null },
      user_id: null,
      targets: [{ type: 'project', id: projects[project]!, name: null }],
      duration_ms: 12.5,
      trace_id: randomBytes(16).toString('hex'),
      input_data: visit === 'request' ? { method: 'POST', body: { question: `Where is order ${n}?` } } : null,
      output_data: null,
      metadata: { ip_address: '203.0.113.9', user_agent: 'curl', request_id: `req_${n}` },
      pii: null,
    };
  };
  for (let from = 0; from < records; from += perBatch) {
    const lines = Array.from({ length: Math.min(perBatch, records - from) }, (_, n) => JSON.stringify(event(from + n)));
    await sql`
      insert into audit_intake (events)
      values (${deflateRawSync(lines.join('\n'))})`;
  }
  const waiting = async () => (await sql`select 1 from audit_intake limit 1`).length > 0;
  await until('the server has chained all records', async () => !(await waiting()), { ms: chainedMs, everyMs: 500 });
}
