import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnce } from './write-once.ts';

export interface Sealed {
  sealed: Buffer;
  key_id: string;
}

/** Bytes of a sealed value in addition to its text: its initialization vector and its tag. */
export const sealBytes = 12 + 16;

export type Seal = ReturnType<typeof sealWith>;

/** Secret: only for a thread of the same process. */
export interface Keys {
  current: string;
  keys: Record<string, string>;
}

/** The installation's keys: from PADDOCK_SECRET_KEY, else from `secret.key` in the data directory, created at first start with mode 0600. */
export function loadSeal(dataDir: string, fromEnvironment: string | undefined) {
  if (fromEnvironment) return sealWith({ current: 'env', keys: { env: fromEnvironment } });
  const file = join(dataDir, 'secret.key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const id = `k${Date.now().toString(36)}`;
    writeOnce(file, JSON.stringify({ current: id, keys: { [id]: randomBytes(32).toString('base64') } } satisfies Keys));
  }
  try {
    return sealWith(JSON.parse(readFileSync(file, 'utf8')) as Keys);
  } catch (error) {
    throw new Error(`The key file ${file} cannot be read. Restore it from a backup: without it stored secrets cannot be opened.`, {
      cause: error,
    });
  }
}

/** AES-256-GCM. `context` (the owner of the secret) is authenticated, so a sealed value cannot be moved to another owner. */
export function sealWith({ current, keys }: Keys) {
  const key = (id: string) => {
    const found = keys[id];
    if (!found) throw new Error(`A stored secret was sealed with key ${id}, which this installation does not have`);
    return Buffer.from(found, 'base64');
  };
  key(current);
  const printing = Buffer.from(hkdfSync('sha256', key(current), '', 'paddock fingerprint', 32));
  return {
    /** For a thread of this process that opens sealed values itself. */
    keys: (): Keys => ({ current, keys }),
    /** The same bytes for the same text, useless without the key: recognizes a text without storing it. */
    fingerprint: (text: string): Buffer => createHmac('sha256', printing).update(text).digest(),
    /** A derived key of 32 bytes, the same for the same label; it reveals nothing about this key. */
    derive: (label: string): Buffer => Buffer.from(hkdfSync('sha256', key(current), '', label, 32)),
    seal(text: string, context: string): Sealed {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key(current), iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return { sealed: Buffer.concat([iv, cipher.getAuthTag(), body]), key_id: current };
    },
    /** Throws when the value was changed, belongs to another context, or its key is missing. */
    open({ sealed, key_id }: Sealed, context: string): string {
      const decipher = createDecipheriv('aes-256-gcm', key(key_id), sealed.subarray(0, 12)).setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}
