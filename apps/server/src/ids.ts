import { randomBytes } from 'node:crypto';

/** UUIDv7 (RFC 9562): 48 bits of milliseconds, then random bits, so ids of one kind sort by time. */
export function uuidv7(now = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export type IdPrefix =
  | 'usr'
  | 'team'
  | 'ses'
  | 'prj'
  | 'dep'
  | 'ins'
  | 'blb'
  | 'log'
  | 'key'
  | 'mail'
  | 'rst'
  | 'db'
  | 'bak'
  | 'tsk'
  | 'alr'
  | 'chn'
  | 'dlv'
  | 'aud'
  | 'dsr'
  | 'cmr'
  | 'wvr'
  | 'pol'
  | 'arv'
  | 'ari'
  | 'sub'
  | 'bln';
export const newId = (prefix: IdPrefix, uuid = uuidv7()) => `${prefix}_${uuid}`;
