import { canonical, type Json, type JsonObject } from './canonical.ts';
import { Malformed } from './failures.ts';
import { createFieldReader, exactly } from './fields.ts';
import type { PublicKey } from './keys.ts';
import { refuseStrangeTime } from './record.ts';

type Range = [from: number, to: number];

const names = ['key_id', 'reason', 'records', 'removed_at', 'signature', 'team_id', 'type', 'v'];
const maxRanges = 10_000;

interface Removal {
  teamId: string;
  ranges: Range[];
}

/** Reads the line of a removal and checks its form and its signature. Throws `Malformed`. */
function readRemoval(line: JsonObject, key: PublicKey): Removal {
  exactly(line, names, 'removal');
  const fields = createFieldReader(line, 'removal');
  fields.is('v', 1);
  fields.text('reason');
  refuseStrangeTime(fields.text('removed_at'), 'removed_at');
  const records = fields.list('records');
  if (records.length > maxRanges) throw new Malformed('The removal has too many ranges.');
  const ranges = records.map(readRange);
  const { signature: _, ...signed } = line;
  const signature = fields.base64url('signature', 64);
  if (fields.text('key_id') !== key.id) throw new Malformed(`The removal is signed with another key than ${key.id}.`);
  if (!key.verifies(Buffer.from(`paddock-audit-removal-1\n${canonical(signed)}`), signature))
    throw new Malformed('The signature of the removal is wrong.');
  return { teamId: fields.text('team_id'), ranges };
}

function readRange(range: Json): Range {
  const [from, to, ...more] = Array.isArray(range) ? range : [];
  if (typeof from !== 'number' || typeof to !== 'number' || more.length > 0 || !isRange(from, to))
    throw new Malformed('"records" of the removal is not a list of ranges.');
  return [from, to];
}

const isRange = (from: number, to: number) => Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 1 && to >= from;

/** Records which payloads were removed lawfully. A verification keeps only the ranges of the lines. */
export function growRemovals(teamId: string, key: PublicKey) {
  let sorted: Range[] = [];
  let added: Range[] = [];
  return {
    add(line: JsonObject) {
      const removal = readRemoval(line, key);
      if (removal.teamId !== teamId) throw new Malformed('The removal is of another team.');
      added.push(...removal.ranges);
    },
    has(seq: number): boolean {
      if (added.length > 0) [sorted, added] = [merge([...sorted, ...added]), []];
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((sorted[middle] as Range)[0] <= seq) low = middle + 1;
        else high = middle;
      }
      const before = sorted[low - 1];
      return before !== undefined && before[1] >= seq;
    },
  };
}

function merge(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const [from, to] of ranges.sort(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
