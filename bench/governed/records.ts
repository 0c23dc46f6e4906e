import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { AuditEvent } from '@paddock/audit';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { sequencing } from '../../apps/server/src/features/governance/sequencer/sequence.ts';
import { sequenceStore } from '../../apps/server/src/features/governance/sequencer/sequence-store.ts';
import { newId } from '../../apps/server/src/ids.ts';

const perBatch = 500;
const days = 30;
const minuteMs = 60_000;

interface Wanted {
  team_id: string;
  projects: string[];
  keys: string[];
  records: number;
}

/** A month of a team's records through the sequencer, so that the whole chain verifies: mostly visits, one in ten a change by an API key. */
export async function writeRecords(sql: Sql, { team_id, projects, keys, records }: Wanted): Promise<void> {
  const begun = Date.now() - 10 * minuteMs;
  const event = (n: number): AuditEvent => {
    const isChange = n % 10 === 3;
    const isRequest = n % 2 === 0;
    const project = n % projects.length;
    return {
      team_id,
      id: newId('aud'),
      timestamp: new Date(begun - ((records - n) / records) * days * 1_440 * minuteMs).toISOString(),
      agent_id: projects[project]!,
      agent_name: `agent-${project}`,
      action_type: isChange ? 'configuration' : isRequest ? 'request' : 'response',
      action: isChange ? 'project.update' : 'POST /chat/completions',
      status: n % 500 === 1 ? 'error' : 'success',
      actor: isChange ? { type: 'key', id: keys[n % keys.length]!, name: null } : { type: 'visitor', id: null, name: null },
      user_id: null,
      targets: [{ type: 'project', id: projects[project]!, name: null }],
      duration_ms: 12.5,
      trace_id: randomBytes(16).toString('hex'),
      input_data: isRequest ? { method: 'POST', body: { question: `Where is order ${n}?` } } : null,
      output_data: null,
      metadata: { ip_address: '203.0.113.9', user_agent: 'curl', request_id: `req_${n}` },
      pii: null,
    };
  };
  const turn = sequencing(sequenceStore(sql), (what) => {
    throw new Error(what);
  });
  for (let from = 0; from < records; from += perBatch * 20) {
    for (let at = from; at < Math.min(records, from + perBatch * 20); at += perBatch) {
      const lines = Array.from({ length: Math.min(perBatch, records - at) }, (_, n) => JSON.stringify(event(at + n)));
      await sql`
        insert into audit_intake (events)
        values (${deflateRawSync(lines.join('\n'))})`;
    }
    while ((await turn()) !== 0) continue;
  }
}
