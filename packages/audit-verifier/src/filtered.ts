import type { Checkpoint } from './checkpoint.ts';
import { Broken, Malformed } from './failures.ts';
import type { Follower } from './follower.ts';
import type { Header } from './header.ts';
import { neighbours } from './neighbours.ts';
import { hashOfRecord, type Record } from './record.ts';
import { rootByPath } from './tree.ts';

type Place = Pick<Record, 'seq' | 'id'>;

/**
 * Follows a filtered export, which is newest first: first the records that no checkpoint covers yet, then each checkpoint before the
 * records that are proven by its tree. `kept` are the checkpoints that were kept elsewhere, in the order of their ends.
 */
export function followFiltered(header: Header, kept: readonly Checkpoint[]): Follower {
  const { teamId, fromSeq, toSeq, previousHash } = header;
  const fits = neighbours(kept);
  let newest: Record | undefined;
  let above: Record | undefined;
  let current: Checkpoint | undefined;
  let covered = 0;
  let unproven: Place | undefined;

  /** If the record above is the next one in the chain, its hash includes this hash. */
  function checkChain(seq: number, hash: Buffer) {
    if (above?.seq === seq + 1 && !hashOfRecord(hash, above.digest).equals(above.hash))
      throw new Broken('The facts of the record and the record before it do not give its hash.', above);
  }

  function checkPlace(record: Record) {
    const { seq, id, digest, hash, proof } = record;
    if (!current) {
      if (proof) throw new Broken(`The checkpoint at ${proof.checkpointSeq}, which is to prove the record, is missing.`, { seq, id });
      unproven = { seq, id };
      return;
    }
    if (!proof) throw new Broken(noProof(current.seq), { seq, id });
    if (proof.checkpointSeq !== current.seq)
      throw new Broken(`The record does not stand behind the checkpoint at ${proof.checkpointSeq}, which is to prove it.`, { seq, id });
    const { index, path } = proof;
    const root = rootByPath({ digest, index, size: current.seq - current.fromSeq + 1, path });
    if (index !== seq - current.fromSeq || !root?.equals(current.root))
      throw new Broken(`The record does not lead to the tree that the checkpoint at ${current.seq} signs.`, { seq, id });
    if (seq === current.seq && !hash.equals(current.headHash))
      throw new Broken(`The hash of the record is not the one that the checkpoint at ${seq} signs.`, { seq, id });
  }

  return {
    last: () => ({ seq: above ? above.seq - 2 : toSeq - 1 }),
    idOf: (seq) => (above?.seq === seq ? above.id : null),
    headSeq: () => newest?.seq ?? 0,
    coveredTo: () => covered,
    isUnproven: () => unproven !== undefined || covered === 0,
    record(record) {
      const { seq, id, digest, hash } = record;
      if (seq < fromSeq || seq > toSeq) throw new Broken(`The export has records ${fromSeq} to ${toSeq}.`, { seq, id });
      if (above && seq >= above.seq) throw new Broken(`Record ${seq} stands there twice or out of order.`, { seq, id });
      checkPlace(record);
      checkChain(seq, hash);
      if (seq === fromSeq && !hashOfRecord(previousHash, digest).equals(hash))
        throw new Broken('The facts of the record and the hash before the export do not give its hash.', { seq, id });
      newest ??= record;
      above = record;
    },
    checkpoint(checkpoint) {
      const { seq, headHash } = checkpoint;
      if (checkpoint.teamId !== teamId) throw new Malformed(`The checkpoint at ${seq} is of another team.`);
      if (above && seq >= above.seq && !current) throw new Broken(noProof(seq), above);
      fits.check(checkpoint);
      checkChain(seq, headHash);
      if (!current) covered = seq;
      current = checkpoint;
    },
    end({ headSeq, headHash }) {
      if (headSeq < toSeq)
        throw new Broken(`The log has ${headSeq} records, but the export ends with record ${toSeq}.`, { seq: headSeq + 1 });
      if (newest?.seq === headSeq && !headHash.equals(newest.hash))
        throw new Broken('The head of the log is not the hash of its last record.', newest);
    },
  };
}

const noProof = (seq: number) => `The record has no proof, although the checkpoint at ${seq} covers it.`;
