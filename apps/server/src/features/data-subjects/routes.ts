import { ApiError, type DataSubjectRequest, dataSubjects, subjectLimits } from '@paddock/contract';
import { serve } from '../../http/serve.ts';
import { newId } from '../../ids.ts';
import type { Seal } from '../../secrets/seal.ts';
import { needlesOf } from '../../subjects/needles.ts';
import type { RequestStore } from './store.ts';
import { sealedAs } from './work.ts';

const maxWaiting = 10;
const dayMs = 86_400_000;

interface RequestParts {
  store: RequestStore;
  seal: Pick<Seal, 'seal' | 'fingerprint'>;
  tokenKey: Uint8Array;
}

export const dataSubjectRoutes = ({ store, seal, tokenKey }: RequestParts) =>
  serve(dataSubjects, {
    async list(_, { actor }) {
      return { requests: (await store.list(actor.team_id)).map(shown) };
    },

    async get({ id }, { actor }) {
      const row = await store.get(actor.team_id, id);
      if (!row) throw new ApiError('data_subject_request_not_found');
      return shown(row);
    },

    async create({ kind, identifiers, reference }, { actor }) {
      const id = newId('dsr');
      const given = [...new Set(identifiers)];
      const fingerprint = seal
        .fingerprint(
          given
            .map((text) => text.toLowerCase())
            .sort()
            .join('\n'),
        )
        .toString('hex');
      const row = await store.add(
        actor.team_id,
        {
          id,
          kind,
          // It is kept for good.
          reference: needlesOf(given, tokenKey).without(reference),
          fingerprint,
          ...seal.seal(JSON.stringify(given), sealedAs(id)),
        },
        maxWaiting,
      );
      if (!row) throw new ApiError('data_subject_requests_waiting');
      return shown(row);
    },
  });

const shown = (row: Omit<DataSubjectRequest, 'due_at'>): DataSubjectRequest => ({
  ...row,
  due_at: new Date(Date.parse(row.created_at) + subjectLimits.dueDays * dayMs).toISOString(),
});
