import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  type Checkpoint,
  chainHash,
  computeDigest,
  firstHash,
  growingRoot,
  lineHash,
  payloadHash,
  readCheckpoint,
  type SigningKey,
} from '@paddock/audit';
import type { AuditStore } from '../audit-log-store.ts';
import type { CheckpointStore } from '../checkpoints/checkpoint-store.ts';
import type { RecordRow } from '../record-sql.ts';
import { listedRemovals } from '../removals/listed.ts';
import type { RemovalStore } from '../removals/removal-store.ts';

export interface Verified {
  checked: number;
  up_to_seq: number;
  head_seq: number;
  checkpoint_seq: number;
  first_bad: { seq: number; id: string | null; reason: string } | null;
  /** Undefined at the end of the chain. */
  next_seq: number | undefined;
}
interface Deps {
  store: Pick<AuditStore, 'stretch' | 'head'>;
  checkpoints: Pick<CheckpointStore, 'of' | 'last'>;
  removals: RemovalStore;
  key: () => Promise<SigningKey>;
  /** The checkpoints of a team that are kept outside the database. */
  kept: (team_id: string) => Promise<string[]>;
}
interface VerifyInput {
  from_seq: number;
  /** By performance.now(). */
  until: number;
  signal: AbortSignal;
  /** Pause after each page, as a multiple of the time that the page took. If undefined, there is no pause. */
  rest?: number;
}

/** Records per query, and per stretch of the event loop. */
const page = 1_000;
const restingPage = 200;
const atOnce = 50;
/** Signatures per stretch of the event loop: each is recomputed and verified. */
const signaturesAtOnce = 20;

class InvalidRecord extends Error {
  readonly seq: number;
  readonly id: string | null;
  constructor(seq: number, id: string | null, reason: string) {
    super(reason);
    this.seq = seq;
    this.id = id;
  }
}

/**
 * Checks a team's chain: each record against its hashes, and the chain against all signed checkpoints, those in the database and those kept
 * outside; a payload may be missing if a signed removal names it. Stops at the first bad record, or when the time is over.
 */
export function createChainVerifier({ store, checkpoints, removals, key, kept }: Deps) {
  return async function verify(team_id: string, { from_seq, until, signal, rest }: VerifyInput): Promise<Verified> {
    const size = rest === undefined ? page : restingPage;
    const head = await store.head(team_id);
    const signingKey = await key();
    const outside = await kept(team_id);
    await removals.listUnlisted(team_id);
    const listed = listedRemovals(team_id, { store: removals, key: signingKey });
    const checks = await signedChecks(team_id, { from_seq, signingKey, outside, signal });
    let previous = await hashBefore(team_id, from_seq);
    let seq = from_seq;
    const told = { head_seq: head.seq, checkpoint_seq: head.checkpoint_seq };
    try {
      if (checks.unreadable) throw new InvalidRecord(checks.unreadable.seq, null, checks.unreadable.reason);
      // Records beyond the sequencer's head were inserted by somebody else.
      while (performance.now() < until && !signal.aborted) {
        const begunMs = performance.now();
        const rows = await store.stretch(team_id, { from_seq: seq, to_seq: seq + size - 1 });
        for (const [index, row] of rows.entries()) {
          if (index % atOnce === atOnce - 1) await nextTurn();
          if (row.seq !== seq) throw new InvalidRecord(seq, null, row.seq > seq ? 'the record is missing' : 'the number was given twice');
          previous = checkRecord(row, previous);
          if (row.payload === null && !(await listed.find(seq)).isListed) throw new InvalidRecord(seq, row.id, unlistedReason);
          checks.check(row, previous);
          seq += 1;
        }
        if (rows.length < size) return { ...checkTail(seq), ...told, next_seq: undefined };
        if (rest !== undefined)
          await sleep((performance.now() - begunMs) * rest, undefined, { signal }).catch(() => 'ended before its time');
      }
      return { checked: seq - from_seq, up_to_seq: seq - 1, first_bad: null, ...told, next_seq: seq };
    } catch (error) {
      if (!(error instanceof InvalidRecord)) throw error;
      const first_bad = { seq: error.seq, id: error.id, reason: error.message };
      return { checked: seq - from_seq, up_to_seq: seq - 1, first_bad, ...told, next_seq: undefined };
    }

    /** Detects a truncated chain. */
    function checkTail(next: number) {
      const last = next - 1;
      const expected = Math.max(head.seq, checks.last);
      if (last < expected)
        throw new InvalidRecord(
          next,
          null,
          checks.last > last ? `a signed checkpoint covers records up to ${checks.last}` : 'the records end before the head of the chain',
        );
      if (last > head.seq) throw new InvalidRecord(head.seq + 1, null, 'there are records beyond the head of the chain');
      if (head.hash && last === head.seq && from_seq <= last && !previous.equals(head.hash))
        throw new InvalidRecord(last, null, 'the head of the chain has another hash');
      return { checked: next - from_seq, up_to_seq: last, first_bad: null };
    }
  };

  async function hashBefore(team_id: string, from_seq: number): Promise<Buffer> {
    if (from_seq === 1) return firstHash(team_id);
    const [row] = await store.stretch(team_id, { from_seq: from_seq - 1, to_seq: from_seq - 1 });
    return row?.hash ?? firstHash(team_id);
  }

  async function signedChecks(team_id: string, { from_seq, signingKey, outside, signal }: Omit<CheckpointInput, 'lines' | 'team_id'>) {
    const stored = (await checkpoints.of(team_id, { from_seq, to_seq: Number.MAX_SAFE_INTEGER })).map(({ line }) => line);
    return checkpointChecks({ lines: stored, outside, from_seq, team_id, signingKey, signal });
  }
}

const unlistedReason = 'its payload is missing, and no signed list of removals names it';

function checkRecord(row: RecordRow, previous: Buffer): Buffer {
  const bad = (reason: string) => new InvalidRecord(row.seq, row.id, reason);
  if (row.payload !== null && row.salt !== null && !payloadHash(row.salt, row.payload).equals(row.payload_hash))
    throw bad('its payload was changed');
  const hash = chainHash(previous, computeDigest(row));
  if (!hash.equals(row.hash)) throw bad('the record, or the one before, was changed');
  return hash;
}

interface CheckpointInput {
  lines: string[];
  outside: string[];
  from_seq: number;
  team_id: string;
  signingKey: SigningKey;
  signal: AbortSignal;
}

/** Visits records in order, and compares them with what was signed. A team has a checkpoint for every few minutes with records. */
async function checkpointChecks({ lines, outside, from_seq, team_id, signingKey, signal }: CheckpointInput) {
  const bySeq = new Map<number, Checkpoint[]>();
  let last = 0;
  let covered = from_seq - 1;
  let unreadable: { seq: number; reason: string } | undefined;
  const read = (line: string, where: string): Checkpoint | undefined => {
    const checkpoint = readCheckpoint(line, signingKey);
    if (checkpoint?.team_id === team_id) return checkpoint;
    unreadable ??= { seq: Math.max(1, last + 1), reason: `a checkpoint ${where} is not what this installation signed` };
    return undefined;
  };
  let before: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (index % signaturesAtOnce === signaturesAtOnce - 1) await nextTurn(undefined, { signal });
    const checkpoint = read(line, 'in the database');
    if (!checkpoint) break;
    if (before !== undefined && checkpoint.previous !== lineHash(before))
      unreadable ??= { seq: checkpoint.from_seq, reason: 'a checkpoint is missing' };
    before = line;
    keep(checkpoint);
  }
  // A line truncated by a full disk is not a checkpoint; the next line repeats it.
  for (const [index, line] of outside.entries()) {
    if (index % signaturesAtOnce === signaturesAtOnce - 1) await nextTurn(undefined, { signal });
    const checkpoint = readCheckpoint(line, signingKey);
    if (checkpoint?.team_id === team_id) keep(checkpoint);
  }
  let tree = growingRoot();
  let begin: number | undefined;
  return { last: Math.max(last, 0), unreadable, check };

  function keep(checkpoint: Checkpoint): void {
    last = Math.max(last, checkpoint.seq);
    if (checkpoint.seq >= from_seq) bySeq.set(checkpoint.seq, [...(bySeq.get(checkpoint.seq) ?? []), checkpoint]);
  }

  function check(row: RecordRow, hash: Buffer): void {
    tree.add(computeDigest(row));
    begin ??= row.seq;
    const here = bySeq.get(row.seq);
    if (!here) return;
    for (const { head_hash, merkle_root, from_seq: from } of here) {
      // The chain is consistent in itself, so it was rewritten somewhere after the last checkpoint that it matches.
      if (head_hash !== hash.toString('hex'))
        throw new InvalidRecord(covered + 1, null, `records up to ${row.seq} are not those that were signed`);
      if (from === begin && tree.root().toString('hex') !== merkle_root)
        throw new InvalidRecord(from, null, `records up to ${row.seq} are not those that were signed`);
    }
    covered = row.seq;
    tree = growingRoot();
    begin = undefined;
  }
}
