import type { Checkpoint } from './checkpoint.ts';
import { Broken } from './failures.ts';

/** The source of a checkpoint: the export, or a file that was kept elsewhere. */
export type Origin = 'export' | 'kept';

interface LinkInput {
  teamId: string;
  /** The first record of an export from which its checkpoints are complete; undefined if some may be left out. */
  completeFrom: number | undefined;
}

/** Checks that checkpoints, in the order of their ends, follow each other. */
export function followLinks({ teamId, completeFrom }: LinkInput) {
  let before: Checkpoint | undefined;
  return {
    last: () => before,
    /** Returns true if the checkpoint is new, false if it repeats the previous one. */
    follow(next: Checkpoint, origin: Origin): boolean {
      const broken = (reason: string) => new Broken(reason, { seq: next.fromSeq });
      if (next.teamId !== teamId) throw broken(`The checkpoint at ${next.seq} is of another team.`);
      if (before?.seq === next.seq) {
        if (before.lineHash !== next.lineHash)
          throw broken(`Two different checkpoints end at record ${next.seq}: one of the two logs was rewritten.`);
        return false;
      }
      const covered = before?.seq ?? 0;
      if (next.fromSeq <= covered) throw broken(`The checkpoint at ${next.seq} covers records again that the one at ${covered} covers.`);
      const isGap = next.fromSeq > (before ? covered + 1 : (completeFrom ?? next.fromSeq));
      if (isGap && origin === 'export' && completeFrom !== undefined)
        throw new Broken(`The checkpoint before the one at ${next.seq} is missing.`, { seq: before ? covered + 1 : completeFrom });
      if (before && next.fromSeq === covered + 1 && next.previous !== before.lineHash)
        throw broken(`"previous" of the checkpoint at ${next.seq} does not match the checkpoint before it.`);
      before = next;
      return true;
    },
  };
}

export type Links = ReturnType<typeof followLinks>;
