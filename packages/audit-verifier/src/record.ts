import { canonical, type JsonObject } from './canonical.ts';
import { Malformed } from './failures.ts';
import { createFieldReader, exactly } from './fields.ts';
import { type Bytes, sha256 } from './hashes.ts';

interface Proof {
  checkpointSeq: number;
  index: number;
  path: Bytes[];
}

export interface Record {
  seq: number;
  id: string;
  teamId: string;
  digest: Bytes;
  hash: Bytes;
  isErased: boolean;
  /** Set in a filtered export; null if no checkpoint covers the record. */
  proof: Proof | null;
}

const texts = ['action', 'action_type', 'actor_type', 'id', 'status', 'team_id'] as const;
const textsOrNull = ['actor_id', 'agent_id', 'agent_name', 'request_id', 'target_id', 'target_type', 'trace_id'] as const;
const times = ['recorded_at', 'timestamp'] as const;
const factNames = [...texts, ...textsOrNull, ...times, 'duration_ms', 'payload_hash', 'seq', 'v'] as const;
const payloadNames = ['actor_name', 'input_data', 'metadata', 'output_data', 'pii', 'targets', 'user_id'];
const maxPath = 64;

/**
 * Reads the line of a record and checks everything that the record alone can prove: its form, and that the payload matches its facts.
 * Throws `Malformed`.
 */
export function readRecord(line: JsonObject, { isFiltered }: { isFiltered: boolean }): Record {
  exactly(line, ['type', ...factNames, 'hash', 'salt', 'payload', ...(isFiltered ? ['proof'] : [])], 'record');
  const fields = createFieldReader(line, 'record');
  fields.is('v', 1);
  for (const name of texts) fields.text(name);
  for (const name of textsOrNull) fields.textOrNull(name);
  for (const name of times) refuseStrangeTime(fields.text(name), name);
  const duration = fields.get('duration_ms');
  if (duration !== null && typeof duration !== 'number') throw new Malformed('"duration_ms" of the record is not a number or null.');
  const isErased = payloadIsErased(line);
  const facts: JsonObject = {};
  for (const name of factNames) facts[name] = line[name] ?? null;
  return {
    seq: fields.number('seq', 1),
    id: fields.text('id'),
    teamId: fields.text('team_id'),
    digest: sha256(canonical(facts)),
    hash: fields.hash('hash'),
    isErased,
    proof: isFiltered && fields.get('proof') !== null ? readProof(fields.object('proof')) : null,
  };
}

/** Returns true if retention or an erasure removed the payload. Throws if the payload does not match the facts. */
function payloadIsErased(line: JsonObject): boolean {
  const fields = createFieldReader(line, 'record');
  const expected = fields.hash('payload_hash');
  if (fields.get('payload') === null && fields.get('salt') === null) return true;
  const payload = fields.object('payload');
  exactly(payload, payloadNames, 'payload');
  exactly(createFieldReader(payload, 'payload').object('metadata'), ['ip_address', 'user_agent'], 'metadata');
  if (!sha256(fields.bytes('salt', 16), canonical(payload)).equals(expected))
    throw new Malformed('The payload does not match the hash of it in the facts.');
  return false;
}

function readProof(proof: JsonObject): Proof {
  exactly(proof, ['checkpoint_seq', 'index', 'path'], 'proof');
  const fields = createFieldReader(proof, 'proof');
  const path = fields.list('path');
  if (path.length > maxPath) throw new Malformed('The path of the proof is longer than that of any tree.');
  const steps = createFieldReader(Object.fromEntries(path.entries()), 'path');
  return {
    checkpointSeq: fields.number('checkpoint_seq', 1),
    index: fields.number('index', 0),
    path: path.map((_, at) => steps.hash(String(at))),
  };
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function refuseStrangeTime(text: string, name: string) {
  if (!time.test(text)) throw new Malformed(`"${name}" is not a time such as 2026-11-23T10:00:00.000Z.`);
}

/** The hash before the first record of a team. */
export const hashOfTeam = (teamId: string) => sha256('paddock-audit-team-1\n', teamId);

export const hashOfRecord = (previous: Bytes, digest: Bytes) => sha256('paddock-audit-record-1\n', previous, digest);
