import type { Checkpoint } from './checkpoint.ts';
import { Broken } from './failures.ts';

/** Checks descending checkpoints against each other and against the kept ones, which are ascending. Some may be missing from both. */
export function neighbours(kept: readonly Checkpoint[]) {
  let above: Checkpoint | undefined;
  /** Kept checkpoints from this index on end after the one that is checked. */
  let place = kept.length;
  return {
    check(checkpoint: Checkpoint) {
      while (place > 0 && (kept[place - 1] as Checkpoint).seq > checkpoint.seq) place -= 1;
      const [same, later] = [kept[place - 1], kept[place]];
      const isKept = same?.seq === checkpoint.seq;
      if (isKept && same.lineHash !== checkpoint.lineHash)
        throw new Broken(`Two different checkpoints end at record ${checkpoint.seq}: one of the two logs was rewritten.`, {
          seq: checkpoint.fromSeq,
        });
      const before = isKept ? kept[place - 2] : same;
      if (before) follows(before, checkpoint);
      if (later) follows(checkpoint, later);
      if (above) follows(checkpoint, above);
      above = checkpoint;
    },
  };
}

function follows(before: Checkpoint, next: Checkpoint) {
  const broken = (reason: string) => new Broken(reason, { seq: next.fromSeq });
  if (next.fromSeq <= before.seq) throw broken(`The checkpoint at ${next.seq} covers records again that the one at ${before.seq} covers.`);
  if (next.fromSeq === before.seq + 1 && next.previous !== before.lineHash)
    throw broken(`"previous" of the checkpoint at ${next.seq} does not match the checkpoint before it.`);
}
