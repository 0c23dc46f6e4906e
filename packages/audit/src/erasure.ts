import { sign } from 'node:crypto';
import { canonical } from './canonical.ts';
import type { SigningKey } from './checkpoint.ts';

/** What an erasure did, as its certificate says it. */
export interface Erasure {
  request_id: string;
  team_id: string;
  /** A keyed hash of what was looked for, in hex: it tells nobody who it was. */
  subject: string;
  requested_at: string;
  finished_at: string;
  /** By place: how much held the values, and how much was changed or removed. */
  places: { place: string; found: number; erased: number; left: number }[];
  /** Numbers of the records whose payloads and salts are gone, as ranges. */
  records: [from: number, to: number][];
  /** The last record of the trail then. */
  head_seq: number;
  files_rewritten: string[];
  files_left: string[];
  journal_rewritten: boolean;
  key_id: string;
}

const domain = 'paddock-erasure-1\n';

/** One line of canonical JSON with a signature over all of it but the signature. */
export function erasureCertificate(erasure: Erasure, key: SigningKey): string {
  const signed = { ...erasure, type: 'erasure', v: 1 };
  const signature = sign(null, Buffer.from(domain + canonical(signed)), key.private).toString('base64url');
  return canonical({ ...signed, signature });
}
