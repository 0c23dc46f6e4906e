import type { JsonObject } from './canonical.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { type Kept, openCheckpointFiles } from './checkpoint-files.ts';
import { Broken, Malformed } from './failures.ts';
import { followFiltered } from './filtered.ts';
import type { Follower } from './follower.ts';
import { followWhole } from './full-export.ts';
import { type Header, readEnd, readHeader } from './header.ts';
import type { PublicKey } from './keys.ts';
import { followLinks, type Links, type Origin } from './links.ts';
import { readRecord } from './record.ts';
import { growRemovals } from './removals.ts';

export interface Options {
  /** Files with checkpoints that were kept elsewhere. */
  checkpointFiles: readonly string[];
  /** A key from another source than the export; undefined if there is none. */
  key: PublicKey | undefined;
  signal?: AbortSignal | undefined;
}

/** The findings from the lines read so far. */
export interface Findings {
  header: Header | undefined;
  records: number;
  erased: number;
  keptCheckpoints: number;
  follower: Follower | undefined;
}

/** Processes the lines of an export one after the other. `accept` and `close` throw `Broken`, or `Unusable` if a file cannot be read. */
export function openExport({ checkpointFiles, key: givenKey, signal }: Options) {
  const found: Findings = { header: undefined, records: 0, erased: 0, keptCheckpoints: 0, follower: undefined };
  let log: OpenLog | undefined;
  let isOver = false;
  let closeKept: (() => Promise<unknown>) | undefined;

  async function begin(line: JsonObject) {
    const header = readHeader(line);
    found.header = header;
    if (givenKey && !givenKey.raw.equals(header.key.raw))
      throw new Broken(`The export names the key ${header.key.id}, which is not the given key ${givenKey.id}.`, { seq: header.fromSeq });
    const key = givenKey ?? header.key;
    const links = followLinks({ teamId: header.teamId, completeFrom: header.isFiltered ? undefined : header.fromSeq });
    const unprovenFrom = () => Math.max(header.fromSeq, (links.last()?.seq ?? 0) + 1);
    const kept = await openCheckpointFiles({ files: checkpointFiles, key, signal, unprovenFrom });
    closeKept = kept.close;
    const follower = header.isFiltered ? followFiltered(header, await readAll({ kept, links, found })) : followWhole(header);
    found.follower = follower;
    const settle = (checkpoint: Checkpoint, origin: Origin) => {
      if (header.isFiltered || links.follow(checkpoint, origin)) follower.checkpoint(checkpoint);
    };
    const removals = growRemovals(header.teamId, key);
    log = { header, key, follower, removals, kept, lastKept: links.last(), settle, unprovenFrom };
  }

  async function acceptRecord(open: OpenLog, line: JsonObject) {
    const record = readRecord(line, open.header);
    const { seq, id, teamId } = record;
    if (teamId !== open.header.teamId) throw new Broken('The record is of another team.', { seq, id });
    await settleKept(open, found, seq);
    open.follower.record(record);
    found.records += 1;
    if (!record.isErased) return;
    found.erased += 1;
    if (open.header.listsRemovals && !open.removals.has(seq))
      throw new Broken('The payload of the record is missing, and no signed removal names it.', { seq, id });
  }

  async function acceptEnd(open: OpenLog, line: JsonObject) {
    const end = readEnd(line);
    await settleKept(open, found, end.headSeq + 1);
    open.follower.end(end);
    if (end.records !== found.records)
      throw new Malformed(`The last line tells of ${end.records} records, but there are ${found.records}.`);
    const cut = open.kept.next() ?? open.lastKept;
    if (cut && cut.seq > end.headSeq)
      throw new Broken(
        `The log ends with record ${end.headSeq}, but a kept checkpoint of ${cut.createdAt} covers the records up to ${cut.seq}: the log was cut, or the export is older.`,
        { seq: end.headSeq + 1 },
      );
    isOver = true;
  }

  async function acceptLine(line: JsonObject) {
    if (isOver) throw new Malformed('There are lines behind the last one.');
    if (!log) return begin(line);
    if (line['type'] === 'record') return acceptRecord(log, line);
    if (line['type'] === 'end') return acceptEnd(log, line);
    if (line['type'] === 'removal' && log.header.listsRemovals) return log.removals.add(line);
    if (line['type'] !== 'checkpoint') throw new Malformed('The type of the line is none of the format.');
    const checkpoint = readCheckpoint(line, log.key);
    await settleKept(log, found, checkpoint.seq);
    return log.settle(checkpoint, 'export');
  }

  return {
    found,
    async accept(read: () => JsonObject) {
      let line: JsonObject | undefined;
      try {
        line = read();
        await acceptLine(line);
      } catch (error) {
        throw error instanceof Malformed ? new Broken(error.message, locateBadRecord(line, log)) : error;
      }
    },
    /** Called after the last line. */
    end() {
      if (!log) throw new Broken('The file is empty.', { seq: 1 });
      if (!isOver) throw new Broken('The export was cut: its last line is missing.', locateBadRecord(undefined, log));
    },
    close: async () => {
      await closeKept?.();
    },
  };
}

/** A filtered export is newest first, so all kept checkpoints are needed at once. */
async function readAll({ kept, links, found }: { kept: Kept; links: Links; found: Findings }): Promise<Checkpoint[]> {
  const all: Checkpoint[] = [];
  for (let next = kept.next(); next; next = kept.next()) {
    if (links.follow(next, 'kept')) all.push(next);
    found.keptCheckpoints += 1;
    await kept.advance();
  }
  return all;
}

/** Processes the kept checkpoints that end before the current record or checkpoint. */
async function settleKept({ kept, settle }: OpenLog, found: Findings, before: number) {
  for (let next = kept.next(); next && next.seq < before; next = kept.next()) {
    settle(next, 'kept');
    found.keptCheckpoints += 1;
    await kept.advance();
  }
}

interface OpenLog {
  header: Header;
  key: PublicKey;
  follower: Follower;
  removals: ReturnType<typeof growRemovals>;
  kept: Kept;
  /** Set in a filtered export, for which all kept checkpoints were read before. */
  lastKept: Checkpoint | undefined;
  settle: (checkpoint: Checkpoint, origin: Origin) => void;
  unprovenFrom: () => number;
}

/**
 * The record that a malformed line makes bad: the one that it claims to be, otherwise the next, or for a checkpoint the first that it
 * should prove.
 */
function locateBadRecord(line: JsonObject | undefined, log: OpenLog | undefined): { seq: number; id?: string } {
  if (!log) return { seq: 1 };
  if (line?.['type'] === 'checkpoint') return { seq: log.unprovenFrom() };
  const next = log.follower.last().seq + 1;
  if (line?.['type'] !== 'record') return { seq: next };
  const { seq, id } = line;
  return { seq: typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? seq : next, ...(typeof id === 'string' ? { id } : {}) };
}
