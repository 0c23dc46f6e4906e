import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { type AuditEvent, signingKey } from '@paddock/audit';
import { checkpointFiles, checkpointFolder } from '../src/features/governance/trail/checkpoints/checkpoint-files.ts';
import { checkpointStore } from '../src/features/governance/trail/checkpoints/checkpoint-store.ts';
import { createCheckpointSigner } from '../src/features/governance/trail/checkpoints/signer.ts';
import { signingSeed } from '../src/features/governance/trail/checkpoints/signing-key.ts';
import { listRemoval } from '../src/features/governance/trail/removals/removal-store.ts';
import { createSequencer } from '../src/features/governance/trail/sequencer/sequence.ts';
import { sequenceStore } from '../src/features/governance/trail/sequencer/sequence-store.ts';
import { newId } from '../src/ids.ts';
import { knownSecrets } from '../src/protection/agent-secrets/known-secrets.ts';
import { secretReader } from '../src/protection/agent-secrets/secret-store.ts';
import type { startApi } from './server.ts';

type World = Pick<Awaited<ReturnType<typeof startApi>>, 'sql' | 'seal' | 'dataDir'>;
type People = Pick<Awaited<ReturnType<typeof startApi>>, 'sql' | 'person'>;

/** A person with an empty trail: signing up and signing in are removed from the intake. */
export async function auditedPerson({ sql, person }: People) {
  const { api, token, email } = await person();
  const [{ team_id }] = await sql<[{ team_id: string }]>`
    select m.team_id
    from team_members m
    join users u on u.id = m.user_id
    where u.email = ${email}`;
  await sql`
    delete from audit_intake
    where event->>'team_id' = ${team_id}`;
  return { api, token, team_id };
}

const fails = (what: string) => {
  throw new Error(what);
};

/** An event in the form that gateways submit. */
export const auditEvent = (team_id: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  team_id,
  id: newId('aud'),
  timestamp: new Date().toISOString(),
  agent_id: 'prj_1',
  agent_name: 'chat',
  action_type: 'request',
  action: 'POST /ask',
  status: 'success',
  actor: { type: 'visitor', id: null, name: null },
  user_id: null,
  targets: [{ type: 'deployment', id: 'dep_1', name: null }],
  duration_ms: 12.5,
  trace_id: randomBytes(16).toString('hex'),
  input_data: { method: 'POST', body: { question: 'why' } },
  output_data: null,
  metadata: { ip_address: '203.0.113.9', user_agent: 'curl', request_id: newId('log') },
  pii: null,
  ...more,
});

/** The sequencer and the signer, step by step, without their thread. */
export async function auditSteps({ sql, seal, dataDir }: World) {
  const seed = await signingSeed(sql, seal);
  const key = signingKey(seed);
  const store = checkpointStore(sql);
  const turn = createSequencer({
    store: sequenceStore(sql),
    readBlanking: knownSecrets(secretReader(sql, seal)).readBlanking,
    warn: fails,
  });
  const catchUp = checkpointFiles(checkpointFolder(dataDir), store);
  const warnings: string[] = [];
  const sign = createCheckpointSigner({ store, key, warn: (warning) => warnings.push(warning), pace: { everySeconds: 0, records: 1_000 } });
  const handInText = (text: string) => sql`
      insert into audit_intake (events)
      values (${deflateRawSync(text)})`;
  return {
    key,
    seed,
    /** Warnings of the signer. */
    warnings,
    handInText,
    handIn: (events: readonly AuditEvent[]) => handInText(events.map((event) => JSON.stringify(event)).join('\n')),
    /** Chains everything that waits. */
    async sequence(): Promise<void> {
      for (;;) if ((await turn()) === 0) return;
    },
    async sign(): Promise<void> {
      while ((await sign(new AbortController().signal)) > 0) continue;
      await catchUp();
    },
  };
}

/** Removes payloads like retention: with their signed list. */
export const removePayloads = (
  { sql }: Pick<World, 'sql'>,
  key: ReturnType<typeof signingKey>,
  { team_id, up_to }: { team_id: string; up_to: number },
) =>
  sql.begin(async (tx) => {
    await tx`select set_config('paddock.erasing', 'retention', true)`;
    await tx`
      delete from audit_payloads
      where team_id = ${team_id}
        and seq <= ${up_to}`;
    await listRemoval(tx, { team_id, reason: 'retention', records: [[1, up_to]] }, key);
  });

/** Changes the trail behind its triggers, which only the database's owner can do. */
export async function tamper(sql: World['sql'], change: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local session_replication_role = replica; ${change}`);
  });
}
