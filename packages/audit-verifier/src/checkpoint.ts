import { canonical, type JsonObject } from './canonical.ts';
import { Malformed } from './failures.ts';
import { createFieldReader, exactly } from './fields.ts';
import { type Bytes, hex, sha256 } from './hashes.ts';
import type { PublicKey } from './keys.ts';
import { refuseStrangeTime } from './record.ts';

export interface Checkpoint {
  seq: number;
  fromSeq: number;
  teamId: string;
  createdAt: string;
  headHash: Bytes;
  root: Bytes;
  /** The hash of the previous checkpoint's line; null for the first. */
  previous: string | null;
  /** The hash of its own line, which the next checkpoint names. */
  lineHash: string;
}

const names = [
  'count',
  'created_at',
  'from_seq',
  'head_hash',
  'key_id',
  'merkle_root',
  'previous',
  'seq',
  'signature',
  'team_id',
  'type',
  'v',
];

/** Reads the line of a checkpoint and checks its form and its signature. Throws `Malformed`. */
export function readCheckpoint(line: JsonObject, key: PublicKey): Checkpoint {
  exactly(line, names, 'checkpoint');
  const fields = createFieldReader(line, 'checkpoint');
  fields.is('v', 1);
  fields.is('type', 'checkpoint');
  refuseStrangeTime(fields.text('created_at'), 'created_at');
  const [seq, fromSeq] = [fields.number('seq', 1), fields.number('from_seq', 1)];
  if (fields.number('count', 1) !== seq) throw new Malformed('"count" of the checkpoint is not its "seq".');
  if (fromSeq > seq) throw new Malformed('The checkpoint begins after its end.');
  const previous = fields.get('previous') === null ? null : hex(fields.hash('previous'));
  if ((previous === null) !== (fromSeq === 1)) throw new Malformed('The first checkpoint, and no other one, has no "previous".');
  const { signature: _, ...signed } = line;
  const signature = fields.base64url('signature', 64);
  if (fields.text('key_id') !== key.id) throw new Malformed(`The checkpoint is signed with another key than ${key.id}.`);
  if (!key.verifies(Buffer.from(`paddock-audit-checkpoint-1\n${canonical(signed)}`), signature))
    throw new Malformed('The signature of the checkpoint is wrong.');
  return {
    seq,
    fromSeq,
    teamId: fields.text('team_id'),
    createdAt: fields.text('created_at'),
    headHash: fields.hash('head_hash'),
    root: fields.hash('merkle_root'),
    previous,
    lineHash: hex(sha256(canonical(line))),
  };
}
