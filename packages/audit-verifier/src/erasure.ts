import { readFileSync, statSync } from 'node:fs';
import { canonical, type JsonObject } from './canonical.ts';
import { Malformed, Unusable } from './failures.ts';
import { createFieldReader, exactly } from './fields.ts';
import { givenKey, type PublicKey } from './keys.ts';
import { parseLine } from './parse-line.ts';

const names = [
  'files_left',
  'files_rewritten',
  'finished_at',
  'head_seq',
  'journal_rewritten',
  'key_id',
  'places',
  'records',
  'request_id',
  'requested_at',
  'signature',
  'subject',
  'team_id',
  'type',
  'v',
];
const maxBytes = 16 * 1024 * 1024;

export interface ErasureAnswer {
  verdict: 'valid' | 'broken';
  reason: string | null;
  /** The content of the certificate. */
  certificate: JsonObject | null;
}

/**
 * Checks the form and the signature of an erasure's certificate. The key must come from elsewhere, because a certificate does not contain
 * it.
 */
export function verifyErasure(file: string, key: string): ErasureAnswer {
  const wanted = givenKey(key);
  const line = read(file);
  try {
    return { verdict: 'valid', reason: null, certificate: readErasure(parseLine(line), wanted) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { verdict: 'broken', reason: error.message, certificate: null };
  }
}

function readErasure(line: JsonObject, key: PublicKey): JsonObject {
  exactly(line, names, 'certificate');
  const fields = createFieldReader(line, 'certificate');
  fields.is('v', 1);
  fields.is('type', 'erasure');
  const { signature: _, ...signed } = line;
  const signature = fields.base64url('signature', 64);
  if (fields.text('key_id') !== key.id) throw new Malformed(`The certificate is signed with another key than ${key.id}.`);
  if (!key.verifies(Buffer.from(`paddock-erasure-1\n${canonical(signed)}`), signature))
    throw new Malformed('The signature of the certificate is wrong.');
  return signed;
}

function read(file: string): Buffer {
  try {
    if (statSync(file).size > maxBytes) throw new Unusable(`The certificate "${file}" is larger than 16 MB.`);
    return Buffer.from(readFileSync(file, 'utf8').trim());
  } catch (cause) {
    if (cause instanceof Unusable) throw cause;
    throw new Unusable(`The certificate "${file}" cannot be read.`, cause);
  }
}
