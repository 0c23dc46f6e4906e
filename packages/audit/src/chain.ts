import { hash, randomFillSync } from 'node:crypto';
import { canonical } from './canonical.ts';
import type { AuditEvent, Json } from './event.ts';

/** The permanent facts of a record, described in docs/audit-format.md. */
export interface Facts {
  team_id: string;
  seq: number;
  id: string;
  timestamp: string;
  recorded_at: string;
  agent_id: string | null;
  agent_name: string | null;
  action_type: string;
  action: string;
  status: string;
  duration_ms: number | null;
  actor_type: string;
  actor_id: string | null;
  target_type: string | null;
  target_id: string | null;
  trace_id: string | null;
  request_id: string | null;
  payload_hash: Buffer;
}
/** A record as stored in its rows. */
export interface ChainedRecord extends Facts {
  salt: Buffer;
  /** Canonical JSON. */
  payload: string;
  hash: Buffer;
}

const saltBytes = 16;

/** Random bytes for the next salts: to ask the system for many at once costs a twentieth of asking for each. */
const salts = Buffer.alloc(256 * saltBytes);
let saltsUsed = salts.length;

function newSalt(): Buffer {
  if (saltsUsed === salts.length) {
    randomFillSync(salts);
    saltsUsed = 0;
  }
  const salt = Buffer.from(salts.subarray(saltsUsed, saltsUsed + saltBytes));
  salts.fill(0, saltsUsed, saltsUsed + saltBytes);
  saltsUsed += saltBytes;
  return salt;
}

export function sha256(...parts: (string | Uint8Array)[]): Buffer {
  const [first] = parts;
  const whole = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts.map(bytesOf));
  return hash('sha256', whole, 'buffer');
}

const bytesOf = (part: string | Uint8Array): Uint8Array => (typeof part === 'string' ? Buffer.from(part) : part);

/** The hash before a team's first record. */
export const firstHash = (team_id: string): Buffer => sha256('paddock-audit-team-1\n', team_id);
export const payloadHash = (salt: Uint8Array, payload: string): Buffer => sha256(salt, payload);
export const chainHash = (previous: Uint8Array, digest: Uint8Array): Buffer => sha256('paddock-audit-record-1\n', previous, digest);

export function computeDigest({ payload_hash, ...facts }: Facts): Buffer {
  const named: Record<string, Json> = {
    action: facts.action,
    action_type: facts.action_type,
    actor_id: facts.actor_id,
    actor_type: facts.actor_type,
    agent_id: facts.agent_id,
    agent_name: facts.agent_name,
    duration_ms: facts.duration_ms,
    id: facts.id,
    payload_hash: payload_hash.toString('hex'),
    recorded_at: facts.recorded_at,
    request_id: facts.request_id,
    seq: facts.seq,
    status: facts.status,
    target_id: facts.target_id,
    target_type: facts.target_type,
    team_id: facts.team_id,
    timestamp: facts.timestamp,
    trace_id: facts.trace_id,
    v: 1,
  };
  return sha256(canonical(named));
}

function serialisePayload(event: AuditEvent): string {
  return canonical({
    actor_name: event.actor.name,
    input_data: event.input_data,
    metadata: { ip_address: event.metadata.ip_address, user_agent: event.metadata.user_agent },
    output_data: event.output_data,
    pii: event.pii as Json,
    targets: event.targets as unknown as Json,
    user_id: event.user_id,
  });
}

/** The next record of a chain. */
export function chained(event: AuditEvent, at: { seq: number; previous: Uint8Array; recorded_at: string }): ChainedRecord {
  const payload = serialisePayload(event);
  const salt = newSalt();
  const [target] = event.targets;
  const facts: Facts = {
    team_id: event.team_id,
    seq: at.seq,
    id: event.id,
    timestamp: event.timestamp,
    recorded_at: at.recorded_at,
    agent_id: event.agent_id,
    agent_name: event.agent_name,
    action_type: event.action_type,
    action: event.action,
    status: event.status,
    duration_ms: event.duration_ms,
    actor_type: event.actor.type,
    actor_id: event.actor.id,
    target_type: target?.type ?? null,
    target_id: target?.id ?? null,
    trace_id: event.trace_id,
    request_id: event.metadata.request_id,
    payload_hash: payloadHash(salt, payload),
  };
  return { ...facts, salt, payload, hash: chainHash(at.previous, computeDigest(facts)) };
}
