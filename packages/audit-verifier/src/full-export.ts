import type { Checkpoint } from './checkpoint.ts';
import { Broken } from './failures.ts';
import type { Follower } from './follower.ts';
import type { Header } from './header.ts';
import { hashOfRecord, type Record } from './record.ts';
import { growTree } from './tree.ts';

/** Follows an export without filters: each record continues the chain, each checkpoint signs the records before it. */
export function followWhole({ fromSeq, toSeq, previousHash }: Header): Follower {
  let last = { seq: fromSeq - 1, hash: previousHash };
  /** The first record since the last checkpoint. It is the first unproven one if the next checkpoint does not match. */
  let first: { seq: number; id: string | null } = { seq: fromSeq, id: null };
  let covered = 0;
  const tree = growTree();
  return {
    last: () => last,
    idOf: (seq) => (seq === first.seq ? first.id : null),
    headSeq: () => last.seq,
    coveredTo: () => covered,
    isUnproven: () => covered < last.seq || covered === 0,
    record({ seq, id, digest, hash }: Record) {
      const expected = last.seq + 1;
      if (seq < expected) throw new Broken(`Record ${seq} stands there twice or out of order.`, { seq, id });
      if (seq > expected) throw new Broken(`Record ${expected} is missing: record ${seq} follows.`, { seq: expected });
      if (seq > toSeq) throw new Broken(`The export was to end with record ${toSeq}.`, { seq, id });
      if (!hashOfRecord(last.hash, digest).equals(hash))
        throw new Broken('The facts of the record and the record before it do not give its hash.', { seq, id });
      if (first.seq === seq) first = { seq, id };
      last = { seq, hash };
      tree.add(digest);
    },
    checkpoint({ seq, fromSeq: treeFrom, headHash, root }: Checkpoint) {
      // A kept checkpoint from before the export: only its signature and its link can be checked.
      if (seq < fromSeq - 1) return;
      if (seq > last.seq)
        throw new Broken(`Record ${last.seq + 1} is missing: a checkpoint covers the records up to ${seq}.`, { seq: last.seq + 1 });
      if (seq < last.seq) throw new Broken(`The checkpoint at ${seq} stands behind record ${last.seq}.`, first);
      if (!headHash.equals(last.hash)) throw new Broken(`The chain does not reach the hash that the checkpoint at ${seq} signs.`, first);
      // The digests before the export are unknown. If a checkpoint in between is not given, the start of the tree is unknown, too.
      if (treeFrom === first.seq && tree.root()?.equals(root) === false)
        throw new Broken(`The records do not give the tree that the checkpoint at ${seq} signs.`, first);
      covered = seq;
      first = { seq: seq + 1, id: null };
      tree.clear();
    },
    end({ headSeq, headHash }) {
      if (last.seq < toSeq)
        throw new Broken(`Record ${last.seq + 1} is missing: the export was to end with record ${toSeq}.`, { seq: last.seq + 1 });
      if (headSeq !== last.seq)
        throw new Broken(`The log has ${headSeq} records, but the export ends with record ${last.seq}.`, { seq: last.seq + 1 });
      if (!headHash.equals(last.hash))
        throw new Broken('The head of the log is not the hash of the last record.', { seq: first.seq, id: first.id });
    },
  };
}
