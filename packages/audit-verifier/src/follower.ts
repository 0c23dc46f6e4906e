import type { Checkpoint } from './checkpoint.ts';
import type { End } from './header.ts';
import type { Record } from './record.ts';

/** The verified state of the log after the lines so far. Each method throws `Broken` for an inconsistency. */
export interface Follower {
  record(record: Record): void;
  checkpoint(checkpoint: Checkpoint): void;
  end(end: End): void;
  /** The record before the next expected one. */
  last(): { seq: number };
  /** The id of the record with that number, if the record is still known. */
  idOf(seq: number): string | null;
  /** The highest number of a record. */
  headSeq(): number;
  /** The last record that a checkpoint covers; 0 if there is none. */
  coveredTo(): number;
  isUnproven(): boolean;
}
