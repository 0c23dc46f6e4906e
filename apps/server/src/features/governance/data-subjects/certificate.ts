import { erasureCertificate, type SigningKey, toRanges } from '@paddock/audit';
import type { DataSubjectRequest } from '@paddock/contract';
import type { RewriteResult } from './rewrite-tables.ts';

interface CertificateInput {
  request: { id: string; team_id: string; fingerprint: string; created_at: string };
  places: (DataSubjectRequest['places'][number] & { left: number })[];
  seqs: readonly number[];
  head_seq: number;
  rewritten: RewriteResult;
}

/** The signed line that states what an erasure did, and what it could not do. */
export function createCertificate({ request, places, seqs, head_seq, rewritten }: CertificateInput, key: SigningKey): string {
  return erasureCertificate(
    {
      request_id: request.id,
      team_id: request.team_id,
      subject: request.fingerprint,
      requested_at: request.created_at,
      finished_at: new Date().toISOString(),
      places: places.map(({ place, found, erased, left }) => ({ place, found, erased, left })),
      records: toRanges(seqs),
      head_seq,
      files_rewritten: rewritten.tables,
      files_left: rewritten.left,
      journal_rewritten: rewritten.journal,
      key_id: key.key_id,
    },
    key,
  );
}
