import { chainHash, checkpointLine, computeDigest, firstHash, growingRoot, lineHash, type SigningKey } from '@paddock/audit';
import type { ChainLink, CheckpointRow, CheckpointStore, UnsignedChain } from './checkpoint-store.ts';

/** A checkpoint is created this many seconds after a record, or after this many records: a tree has at most that many leaves. */
export const checkpointInterval = { everySeconds: 180, records: 50_000 };
const page = 5_000;

interface Deps {
  store: CheckpointStore;
  key: SigningKey;
  warn: (what: string) => void;
  pace?: typeof checkpointInterval;
}

/** Signs new records after checking them: records that do not match the head's hash are not covered, which a verification then reports. */
export function createCheckpointSigner({ store, key, warn, pace = checkpointInterval }: Deps) {
  return async function signDue(signal: AbortSignal): Promise<number> {
    let made = 0;
    for (const due of await store.due(pace)) {
      if (signal.aborted) break;
      try {
        made += await signOne(due);
      } catch (error) {
        warn(`audit checkpoint signing failed for ${due.team_id}: ${(error as Error).message}`);
      }
    }
    return made;
  };

  async function signOne({ team_id, seq: head, hash, checkpoint_seq }: UnsignedChain): Promise<number> {
    const seq = Math.min(head, checkpoint_seq + pace.records);
    const before = await store.last(team_id);
    if ((before?.seq ?? 0) !== checkpoint_seq) throw new Error(`its last checkpoint is not that of record ${checkpoint_seq}`);
    const from_seq = checkpoint_seq + 1;
    const { root, previous } = await check(team_id, from_seq, seq);
    if (seq === head && !previous.equals(hash)) throw new Error('its records do not give the hash of its head');
    const created_at = new Date().toISOString();
    const line = checkpointLine(
      {
        count: seq,
        created_at,
        from_seq,
        head_hash: previous.toString('hex'),
        key_id: key.key_id,
        merkle_root: root.toString('hex'),
        previous: before ? lineHash(before.line) : null,
        seq,
        team_id,
      },
      key,
    );
    return (await store.add({ team_id, seq, line, created_at } satisfies CheckpointRow, checkpoint_seq)) ? 1 : 0;
  }

  async function check(team_id: string, from_seq: number, to_seq: number) {
    const tree = growingRoot();
    let next = from_seq;
    let previous = firstHash(team_id);
    if (from_seq > 1) previous = (await store.facts(team_id, from_seq - 1, from_seq - 1))[0]?.hash ?? previous;
    for (let from = from_seq; from <= to_seq; from += page) {
      const records: ChainLink[] = await store.facts(team_id, from, Math.min(to_seq, from + page - 1));
      for (const record of records) {
        if (record.seq !== next) throw new Error(`record ${next} is missing`);
        const digest = computeDigest(record);
        previous = chainHash(previous, digest);
        if (!previous.equals(record.hash)) throw new Error(`record ${record.seq} is not what was recorded`);
        tree.add(digest);
        next += 1;
      }
    }
    if (next !== to_seq + 1) throw new Error(`record ${next} is missing`);
    return { root: tree.root(), previous };
  }
}
