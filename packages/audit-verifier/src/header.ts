import type { JsonObject } from './canonical.ts';
import { Malformed } from './failures.ts';
import { createFieldReader, exactly } from './fields.ts';
import { type Bytes } from './hashes.ts';
import { type PublicKey, publicKey } from './keys.ts';
import { hashOfTeam, refuseStrangeTime } from './record.ts';

export interface Header {
  teamId: string;
  fromSeq: number;
  toSeq: number;
  isFiltered: boolean;
  /** The hash before `fromSeq`. */
  previousHash: Bytes;
  key: PublicKey;
  /** Exports before version 2 do not list removals. */
  listsRemovals: boolean;
}

const names = ['type', 'v', 'team_id', 'exported_at', 'from_seq', 'to_seq', 'is_filtered', 'previous_hash', 'public_key', 'key_id'];

/** Reads the first line of an export. Throws `Malformed`. */
export function readHeader(line: JsonObject): Header {
  if (line['type'] !== 'header') throw new Malformed('The file does not begin with the header of an export (format jsonl).');
  exactly(line, names, 'header');
  const fields = createFieldReader(line, 'header');
  if (fields.get('v') !== 1) fields.is('v', 2);
  refuseStrangeTime(fields.text('exported_at'), 'exported_at');
  const [teamId, fromSeq, toSeq] = [fields.text('team_id'), fields.number('from_seq', 1), fields.number('to_seq', 0)];
  if (toSeq < fromSeq - 1) throw new Malformed('The export ends before its beginning.');
  const previousHash = fields.hash('previous_hash');
  if (fromSeq === 1 && !previousHash.equals(hashOfTeam(teamId)))
    throw new Malformed('"previous_hash" of the header is not the hash before the first record of this team.');
  const key = publicKey(fields.base64url('public_key', 32));
  if (fields.text('key_id') !== key.id) throw new Malformed('"key_id" of the header is not that of its "public_key".');
  return { teamId, fromSeq, toSeq, isFiltered: fields.boolean('is_filtered'), previousHash, key, listsRemovals: fields.get('v') === 2 };
}

export interface End {
  records: number;
  headSeq: number;
  headHash: Bytes;
}

/** Reads the last line of an export. Throws `Malformed`. */
export function readEnd(line: JsonObject): End {
  exactly(line, ['type', 'records', 'head_seq', 'head_hash'], 'last line');
  const fields = createFieldReader(line, 'last line');
  return { records: fields.number('records', 0), headSeq: fields.number('head_seq', 0), headHash: fields.hash('head_hash') };
}
