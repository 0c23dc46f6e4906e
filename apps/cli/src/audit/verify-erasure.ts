import { resolve } from 'node:path';
import { type ErasureAnswer, verifyErasure } from '@paddock/audit-verifier';
import type { Context } from '../context.ts';
import { clean } from '../terminal.ts';

/** Exits with 0 if the certificate is valid, 1 if it is not. */
export async function verifyErasureFile(context: Context, file: string, { key }: { key?: string }): Promise<number> {
  const known = key ?? (await (await context.server()).api.governance.summary({})).chain.public_key;
  const answer = verifyErasure(resolve(context.cwd, file), known);
  context.terminal.result(answer, clean(formatErasureAnswer(answer)));
  return answer.verdict === 'valid' ? 0 : 1;
}

function formatErasureAnswer({ verdict, reason, certificate }: ErasureAnswer): string {
  if (verdict === 'broken') return `Broken: ${reason}`;
  const { request_id, finished_at, places, files_left, journal_rewritten } = certificate as {
    request_id: string;
    finished_at: string;
    places: { place: string; found: number; erased: number; left: number }[];
    files_left: string[];
    journal_rewritten: boolean;
  };
  return [
    `Valid: ${request_id}, finished ${finished_at}.`,
    ...places.map(({ place, found, erased, left }) => `${place.padEnd(10)}${found} found, ${erased} erased, ${left} left`),
    files_left.length === 0 ? 'Files     made anew without what was erased' : `Files     not made anew yet: ${files_left.join(', ')}`,
    journal_rewritten ? 'Journal   written over' : 'Journal   not written over: backups and the journal of the database may still hold it',
  ].join('\n');
}
