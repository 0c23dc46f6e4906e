import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonical } from './canonical.ts';
import { sha256 } from './chain.ts';

export interface Checkpoint {
  count: number;
  created_at: string;
  from_seq: number;
  head_hash: string;
  key_id: string;
  merkle_root: string;
  previous: string | null;
  seq: number;
  team_id: string;
}

export interface SigningKey {
  private: KeyObject;
  /** 32 bytes. */
  public: Buffer;
  key_id: string;
}

const keyBytes = 32;
/** The PKCS #8 prefix of the 32 bytes of an Ed25519 key (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const domain = 'paddock-audit-checkpoint-1\n';

/** The key pair that belongs to 32 secret bytes. */
export function signingKey(seed: Uint8Array): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
  const bytes = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-keyBytes);
  return { private: key, public: bytes, key_id: sha256(bytes).toString('hex').slice(0, 16) };
}

const signedText = (checkpoint: Checkpoint) => Buffer.from(domain + canonical({ ...checkpoint, type: 'checkpoint', v: 1 }));

/** The line of a checkpoint in the file, in an export and in the webhook's body. */
export function checkpointLine(checkpoint: Checkpoint, key: SigningKey): string {
  const signature = sign(null, signedText(checkpoint), key.private).toString('base64url');
  return canonical({ ...checkpoint, type: 'checkpoint', v: 1, signature });
}

export const lineHash = (line: string): string => sha256(line).toString('hex');

/** Undefined if the line is not a checkpoint, or is not signed by this key. */
export function readCheckpoint(line: string, key: SigningKey): Checkpoint | undefined {
  try {
    const { signature, type, v, ...checkpoint } = JSON.parse(line) as Checkpoint & { signature: string; type: string; v: number };
    const isOurs = type === 'checkpoint' && v === 1 && checkpoint.key_id === key.key_id;
    if (!isOurs || checkpointLine(checkpoint, key) !== line) return undefined;
    return verify(null, signedText(checkpoint), createPublicKey(key.private), Buffer.from(signature, 'base64url')) ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}
