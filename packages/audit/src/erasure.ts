import { sign } from 'node:crypto';
import { canonical } from './canonical.ts';
import type { SigningKey } from './checkpoint.ts';

/** The result of an erasure, as its certificate states it. */
export interface Erasure {
  request_id: string;
  team_id: string;
  /** A keyed hash of the erased subject, in hex, which does not reveal the subject. */
  subject: string;
  requested_at: string;
  finished_at: string;
  /** By place: the number of entries that contained the values, and of those changed or removed. */
  places: { place: string; found: number; erased: number; left: number }[];
  /** Numbers of the records whose payloads and salts were removed, as ranges. */
  records: [from: number, to: number][];
  /** The last record of the trail at that time. */
  head_seq: number;
  files_rewritten: string[];
  files_left: string[];
  journal_rewritten: boolean;
  key_id: string;
}

const domain = 'paddock-erasure-1\n';

/** A line of canonical JSON with a signature over everything except the signature. */
export function erasureCertificate(erasure: Erasure, key: SigningKey): string {
  const signed = { ...erasure, type: 'erasure', v: 1 };
  const signature = sign(null, Buffer.from(domain + canonical(signed)), key.private).toString('base64url');
  return canonical({ ...signed, signature });
}
