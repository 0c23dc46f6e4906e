import { changedFiles } from '@paddock/builder';
import { ApiError, type DeploymentChanges } from '@paddock/contract';
import { comparisonLimits } from '@paddock/contract/limits';
import type { Blobs } from '../../../blobs/blobs.ts';
import type { SignedIn } from '../../../http/serve.ts';
import { teamPlaces } from '../../../http/team-places.ts';
import type { provenanceStore } from '../provenance-store.ts';
import type { ChangesStore } from './changes-store.ts';
import { diffRows } from './diff.ts';

interface Deps {
  store: ChangesStore;
  provenance: ReturnType<typeof provenanceStore>;
  blobs: Blobs;
}

const { perTeam, atOnce } = comparisonLimits;
const detail = `At most ${perTeam} comparisons of a team are made at a time, and ${atOnce} of all teams. Try again in a moment.`;

/**
 * Compares two deployments. Throws deployment_not_found, nothing_to_compare if no other deployment is given and none served before,
 * too_many_requests.
 */
export function compareDeployments({ store, provenance, blobs }: Deps) {
  const places = teamPlaces({ perTeam, atOnce, detail, retry_after_s: 2 });
  return async (
    { id, with: other }: { id: string; with?: string | undefined },
    { actor: { team_id }, signal }: Pick<SignedIn, 'actor' | 'signal'>,
  ): Promise<DeploymentChanges> => {
    const with_id = other ?? (await provenance.get(team_id, id)).predecessor?.id;
    if (with_id === undefined) throw new ApiError('nothing_to_compare');
    const pair = await store.pair(team_id, { id, with_id });
    const rows = diffRows(pair);
    const { after, before } = pair;
    const leave = places.enter(team_id);
    try {
      const files = await changedFiles({ before: blobs.path(before.source_blob), after: blobs.path(after.source_blob) }, signal);
      return { ...rows, files };
    } finally {
      leave();
    }
  };
}
