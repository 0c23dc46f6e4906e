import type { Json } from '@paddock/audit';
import { ApiError, countToErase, type DataSubjectRequest, dataSubjects, needsCount, subjectLimits } from '@paddock/contract';
import { dayMs } from '@paddock/contract/time';
import type { Person } from '../../../http/authenticate.ts';
import { serve } from '../../../http/serve.ts';
import { newId } from '../../../ids.ts';
import type { Seal } from '../../../secrets/seal.ts';
import { type NeedlesFor, sealContext } from './process-requests.ts';
import type { RequestStore } from './store.ts';

const maxWaiting = 10;

export interface RequestDeps {
  store: RequestStore;
  seal: Pick<Seal, 'seal' | 'fingerprint'>;
  needlesFor: NeedlesFor;
  /** Requires the person's password again. */
  reauthenticate: (person: Person, password: string | undefined) => Promise<unknown>;
}

export const dataSubjectRoutes = ({ store, seal, needlesFor, reauthenticate }: RequestDeps) => {
  const computeFingerprint = (identifiers: readonly string[]) => {
    const normal = [...new Set(identifiers.map((text) => text.toLowerCase()))].sort();
    return seal.fingerprint(normal.join('\n')).toString('hex');
  };

  async function add(team_id: string, { kind, identifiers, reference, confirmed_count, noted }: NewRequest) {
    const id = newId('dsr');
    const given = [...new Set(identifiers)];
    const needles = await needlesFor(team_id, given);
    const row = await store.add(
      team_id,
      {
        id,
        kind,
        // The reference is kept permanently.
        reference: needles.without(reference),
        fingerprint: computeFingerprint(given),
        confirmed_count,
        noted: { ...noted, kind, identifiers: given.length, request_id: id },
        ...seal.seal(JSON.stringify(given), sealContext(id)),
      },
      maxWaiting,
    );
    if (!row) throw new ApiError('data_subject_requests_waiting');
    return shown(row);
  }

  return serve(dataSubjects, {
    async list(_, { actor }) {
      return { requests: (await store.list(actor.team_id)).map(shown) };
    },

    async get({ id }, { actor }) {
      return shown(await find(actor.team_id, id));
    },

    create: ({ kind, identifiers, reference }, { actor }) =>
      add(actor.team_id, { kind, identifiers, reference, confirmed_count: null, noted: {} }),

    async erase({ id, identifiers, reference, password, confirmed_count = null }, { actor }) {
      await find(actor.team_id, id);
      await reauthenticate(actor, password);
      const preview = await store.preview(actor.team_id, id, subjectLimits.previewMinutes);
      if (preview?.fingerprint !== computeFingerprint(identifiers)) throw new ApiError('data_subject_preview_missing');
      const places = preview.places.map(withTotal);
      const to_erase = countToErase(places);
      if (needsCount(places) && confirmed_count !== to_erase) throw unconfirmed(places, to_erase);
      const counts = Object.fromEntries(places.map(({ place, found }) => [place, found]));
      return add(actor.team_id, {
        kind: 'erase',
        identifiers,
        reference,
        confirmed_count,
        noted: { found_by: id, found: counts, confirmed_count },
      });
    },
  });

  async function find(team_id: string, id: string) {
    const row = await store.get(team_id, id);
    if (!row) throw new ApiError('data_subject_request_not_found');
    return row;
  }
};

interface NewRequest {
  kind: DataSubjectRequest['kind'];
  identifiers: readonly string[];
  reference: string;
  confirmed_count: number | null;
  noted: { [field: string]: Json };
}

function unconfirmed(places: DataSubjectRequest['places'], to_erase: number): ApiError {
  const counts = places.flatMap(({ place, found, total }) => (total === null ? [] : [`${found} of ${total} ${place}`])).join(', ');
  return new ApiError('data_subject_count_unconfirmed', {
    errors: [{ path: 'confirmed_count', message: `This erases ${counts}. Confirm the count: ${to_erase}` }],
  });
}

/** Requests from before totals were counted have none. */
const withTotal = (place: DataSubjectRequest['places'][number]) => ({ ...place, total: place.total ?? null });

const shown = (row: Omit<DataSubjectRequest, 'due_at'>): DataSubjectRequest => ({
  ...row,
  places: row.places.map(withTotal),
  due_at: new Date(Date.parse(row.created_at) + subjectLimits.dueDays * dayMs).toISOString(),
});
