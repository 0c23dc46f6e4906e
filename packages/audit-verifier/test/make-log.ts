// A log and its exports, made from docs/audit-format.md alone. Nothing here shares code with the verifier, so a different reading of the
// page fails.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

type Fields = { [name: string]: unknown };

export interface Row {
  facts: Fields & { seq: number; id: string; payload_hash: string };
  payload: Fields | null;
  salt: string | null;
  hash: string;
}

export interface Keys {
  secret: KeyObject;
  /** 32 bytes in base64url. */
  public: string;
  id: string;
}

export interface Log {
  teamId: string;
  keys: Keys;
  rows: Row[];
  /** Lines. */
  checkpoints: string[];
}

const sha = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Enough of RFC 8785 for objects without names that are numbers. */
export const canonicalText = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

export function makeKeys(): Keys {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { secret: privateKey, public: raw.toString('base64url'), id: sha(raw).toString('hex').slice(0, 16) };
}

export const beginningOf = (teamId: string) => sha(`paddock-audit-team-1\n${teamId}`).toString('hex');

const digestOf = ({ facts }: Pick<Row, 'facts'>) => sha(canonicalText(facts));
export const hashOf = (previous: string, row: Pick<Row, 'facts'>) =>
  sha('paddock-audit-record-1\n', Buffer.from(previous, 'hex'), digestOf(row)).toString('hex');

/** The tree of RFC 6962 by its definition: split at the largest power of two below the size. */
const split = (size: number) => 2 ** Math.ceil(Math.log2(size) - 1);
function rootOf(digests: Buffer[]): Buffer {
  const [only] = digests;
  if (digests.length === 1 && only) return sha(Buffer.from([0]), only);
  const at = split(digests.length);
  return sha(Buffer.from([1]), rootOf(digests.slice(0, at)), rootOf(digests.slice(at)));
}
function pathOf(index: number, digests: Buffer[]): Buffer[] {
  if (digests.length === 1) return [];
  const at = split(digests.length);
  return index < at
    ? [...pathOf(index, digests.slice(0, at)), rootOf(digests.slice(at))]
    : [...pathOf(index - at, digests.slice(at)), rootOf(digests.slice(0, at))];
}
export const rootOfRows = (rows: Row[]) => rootOf(rows.map(digestOf)).toString('hex');
export const treeOf = (digests: Buffer[]) => ({ root: rootOf(digests), path: (index: number) => pathOf(index, digests) });

const timeOf = (seq: number) => new Date(Date.UTC(2026, 10, 23, 10) + seq * 1000).toISOString();

function makeRow(teamId: string, previous: string, seq: number): Row {
  const payload = {
    actor_name: 'Ada – “Lovelace” 👩‍💻',
    input_data: { message: `Question ${seq}`, temperature: 0.1 * seq, list: [1, -2.5, 1e-7, true, null, 'a\u2028b\u0007\\'] },
    metadata: { ip_address: '203.0.113.9', user_agent: 'curl/8' },
    output_data: seq % 3 === 0 ? null : { 'ö€\ufb33': 'ß', '😂': 1, a: {} },
    pii: { scans: 1, detected: 0, redacted: 0, types: {} },
    targets: [{ type: 'project', id: 'prj_1', name: 'chat' }],
    user_id: null,
  };
  const salt = sha(`salt ${seq}`).subarray(0, 16);
  const facts = {
    id: `aud_${seq}`,
    seq,
    team_id: teamId,
    v: 1,
    timestamp: timeOf(seq),
    recorded_at: timeOf(seq + 1),
    action: 'agent.request',
    action_type: 'request',
    actor_id: seq % 2 === 0 ? null : 'usr_1',
    actor_type: 'visitor',
    agent_id: 'prj_1',
    agent_name: 'chat',
    duration_ms: seq % 2 === 0 ? null : seq + 0.25,
    request_id: `req_${seq}`,
    status: 'success',
    target_id: null,
    target_type: null,
    trace_id: null,
    payload_hash: sha(salt, canonicalText(payload)).toString('hex'),
  };
  return { facts, payload, salt: salt.toString('hex'), hash: hashOf(previous, { facts }) };
}

interface Wanted {
  count?: number;
  /** The records at which checkpoints end. */
  checkpoints?: number[];
  teamId?: string;
  keys?: Keys;
  /** Changes records before they are hashed, to simulate a log that was rewritten from there on. */
  rewrite?: (row: Row) => void;
}

export function makeLog({ count = 12, checkpoints = [4, 9], teamId = 'team_1', keys = makeKeys(), rewrite }: Wanted = {}): Log {
  const log: Log = { teamId, keys, rows: [], checkpoints: [] };
  for (let seq = 1; seq <= count; seq++) {
    const previous = log.rows.at(-1)?.hash ?? beginningOf(teamId);
    const row = makeRow(teamId, previous, seq);
    rewrite?.(row);
    row.hash = hashOf(previous, row);
    log.rows.push(row);
    if (checkpoints.includes(seq)) signCheckpoint(log);
  }
  return log;
}

/** Signs all records that no checkpoint covers yet. */
export function signCheckpoint(log: Log, change: Fields = {}) {
  const before = log.checkpoints.at(-1);
  const covered = before === undefined ? 0 : (JSON.parse(before) as { seq: number }).seq;
  const rows = log.rows.slice(covered);
  const head = log.rows.at(-1);
  if (!head) throw new Error('There is nothing to sign.');
  const signed = {
    type: 'checkpoint',
    v: 1,
    team_id: log.teamId,
    seq: head.facts.seq,
    count: head.facts.seq,
    from_seq: covered + 1,
    head_hash: head.hash,
    merkle_root: rootOfRows(rows),
    previous: before === undefined ? null : sha(before).toString('hex'),
    created_at: timeOf(head.facts.seq + 2),
    key_id: log.keys.id,
    ...change,
  };
  log.checkpoints.push(signLine(signed, log.keys));
}

export function signLine(signed: Fields, keys: Keys): string {
  const signature = sign(null, Buffer.from(`paddock-audit-checkpoint-1\n${canonicalText(signed)}`), keys.secret).toString('base64url');
  return canonicalText({ ...signed, signature });
}

export function erase(row: Row) {
  row.payload = null;
  row.salt = null;
}

export function removalLine({ teamId, keys }: Pick<Log, 'teamId' | 'keys'>, records: [number, number][], change: Fields = {}): string {
  const signed = {
    type: 'removal',
    v: 1,
    team_id: teamId,
    reason: 'retention',
    records,
    removed_at: timeOf(0),
    key_id: keys.id,
    ...change,
  };
  const signature = sign(null, Buffer.from(`paddock-audit-removal-1\n${canonicalText(signed)}`), keys.secret).toString('base64url');
  return canonicalText({ ...signed, signature });
}

/** A single line for all erased records. */
const removalsOf = (log: Log) => {
  const erased = log.rows.filter(({ payload }) => payload === null).map(({ facts }): [number, number] => [facts.seq, facts.seq]);
  return erased.length > 0 ? [removalLine(log, erased)] : [];
};

const recordOf = ({ facts, payload, salt, hash }: Row) => ({ type: 'record', ...facts, hash, salt, payload });
const seqOf = (line: string) => (JSON.parse(line) as { seq: number }).seq;

function headerOf({ teamId, keys, rows }: Log, more: Fields): Fields {
  return {
    type: 'header',
    v: 2,
    team_id: teamId,
    exported_at: '2026-11-23T12:00:00.000Z',
    from_seq: 1,
    to_seq: rows.at(-1)?.facts.seq ?? 0,
    is_filtered: false,
    previous_hash: beginningOf(teamId),
    public_key: keys.public,
    key_id: keys.id,
    ...more,
  };
}

const endOf = ({ teamId, rows }: Log, records: number) => ({
  type: 'end',
  records,
  head_seq: rows.at(-1)?.facts.seq ?? 0,
  head_hash: rows.at(-1)?.hash ?? beginningOf(teamId),
});

/** The lines of an export without filters, starting at a record. */
export function exportWhole(log: Log, fromSeq = 1): string[] {
  const rows = log.rows.filter(({ facts }) => facts.seq >= fromSeq);
  const header = headerOf(log, { from_seq: fromSeq, previous_hash: log.rows[fromSeq - 2]?.hash ?? beginningOf(log.teamId) });
  const records = rows.flatMap((row) => [
    JSON.stringify(recordOf(row)),
    ...log.checkpoints.filter((line) => seqOf(line) === row.facts.seq),
  ]);
  return [JSON.stringify(header), ...removalsOf(log), ...records, JSON.stringify(endOf(log, rows.length))];
}

/** The lines of an export with only these records, newest first, each with its proof. */
export function exportFiltered(log: Log, seqs: number[]): string[] {
  const parts: string[][] = [];
  let from = 1;
  for (const checkpoint of log.checkpoints) {
    const to = seqOf(checkpoint);
    const rows = log.rows.slice(from - 1, to);
    const { path } = treeOf(rows.map(digestOf));
    const records = rows
      .filter(({ facts }) => seqs.includes(facts.seq))
      .map((row) => {
        const index = row.facts.seq - rows[0]!.facts.seq;
        const proof = { checkpoint_seq: to, index, path: path(index).map((step) => step.toString('hex')) };
        return JSON.stringify({ ...recordOf(row), proof });
      });
    if (records.length > 0) parts.unshift([checkpoint, ...records.reverse()]);
    from = to + 1;
  }
  const later = log.rows.slice(from - 1).filter(({ facts }) => seqs.includes(facts.seq));
  const unproven = later.reverse().map((row) => JSON.stringify({ ...recordOf(row), proof: null }));
  return [
    JSON.stringify(headerOf(log, { is_filtered: true })),
    ...removalsOf(log),
    ...unproven,
    ...parts.flat(),
    JSON.stringify(endOf(log, seqs.length)),
  ];
}
