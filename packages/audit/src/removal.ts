import { createPublicKey, sign, verify } from 'node:crypto';
import { canonical } from './canonical.ts';
import type { SigningKey } from './checkpoint.ts';

type Ranges = [from: number, to: number][];

/** The removed payloads and the reason. `unlisted` are those that were missing before removals were listed. */
export interface Removal {
  team_id: string;
  reason: 'retention' | 'policy' | 'erasure' | 'unlisted';
  /** Numbers of records, ascending. */
  records: Ranges;
  removed_at: string;
}

const domain = 'paddock-audit-removal-1\n';

/** Maximum number of ranges in a line. */
export const maxRemovalRanges = 10_000;

const signedText = (removal: Removal, key_id: string) => Buffer.from(domain + canonical({ ...removal, key_id, type: 'removal', v: 1 }));

/** A line of canonical JSON with a signature over everything except the signature. */
export function removalLine(removal: Removal, key: SigningKey): string {
  const signature = sign(null, signedText(removal, key.key_id), key.private).toString('base64url');
  return canonical({ ...removal, key_id: key.key_id, type: 'removal', v: 1, signature });
}

/** Undefined if the line is not a removal, or is not signed by this key. */
export function readRemoval(line: string, key: SigningKey): Removal | undefined {
  try {
    const { signature, type, v, key_id, ...removal } = JSON.parse(line) as Removal &
      Record<'signature' | 'type' | 'key_id', string> & { v: number };
    if (type !== 'removal' || v !== 1 || key_id !== key.key_id) return undefined;
    return verify(null, signedText(removal, key_id), createPublicKey(key.private), Buffer.from(signature, 'base64url'))
      ? removal
      : undefined;
  } catch {
    return undefined;
  }
}

/** Ascending numbers as ranges. */
export function toRanges(numbers: readonly number[]): Ranges {
  const ranges: Ranges = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
