import type { SigningKey } from '@paddock/audit';
import { countToErase, type DataSubjectRequest, needsCount, unconfirmedErasure } from '@paddock/contract';
import type { Log } from '../../../log.ts';
import type { Seal } from '../../../secrets/seal.ts';
import type { Needles } from '../../../subjects/needles.ts';
import type { SubjectPlace } from '../../../subjects/subject-store.ts';
import { createCertificate } from './certificate.ts';
import type { ClaimedRequest, RequestQueueStore } from './request-queue-store.ts';
import type { RewriteResult } from './rewrite-tables.ts';

const claimRenewMs = 30_000;
/** Requests per turn of the job; others wait for the next turn. */
const maxOfTurn = 10;
/** Values may arrive while others are erased. */
const maxPasses = 3;

export interface RequestWorkerDeps {
  store: RequestQueueStore;
  places: readonly SubjectPlace[];
  seal: Pick<Seal, 'open'>;
  needlesFor: NeedlesFor;
  key: () => Promise<SigningKey>;
  headOf: (team_id: string) => Promise<{ seq: number }>;
  rewrite: (tables: readonly string[], signal: AbortSignal) => Promise<RewriteResult>;
  log: Pick<Log, 'warn' | 'info'>;
}

/** The forms in which identifiers may occur in a team's data. */
export type NeedlesFor = (team_id: string, identifiers: readonly string[]) => Promise<Needles>;

export const sealContext = (id: string) => `data subject request ${id}`;

/** Processes requests, one after the other. A request abandoned by a server that exited is resumed: processing is idempotent. */
export function createRequestWorker(parts: RequestWorkerDeps) {
  const { store, seal, needlesFor, log } = parts;
  return async function turn(signal: AbortSignal): Promise<void> {
    for (let at = 0; at < maxOfTurn && !signal.aborted; at++) {
      const request = await store.claim();
      if (!request) return;
      const renewal = setInterval(
        () =>
          void store
            .renewClaim(request.id)
            .catch((err: unknown) => log.warn({ err }, 'renewing the claim on a data subject request failed')),
        claimRenewMs,
      );
      try {
        const identifiers = JSON.parse(seal.open(request, sealContext(request.id))) as string[];
        const needles = await needlesFor(request.team_id, identifiers);
        await store.finish(request, await processRequest(parts, request, { needles, signal }));
      } catch (error) {
        if (error instanceof MoreThanConfirmed) {
          await store.refuse(request.id, error.message);
          continue;
        }
        log.warn({ err: error, id: request.id }, 'data subject request failed');
        await store.fail(request.id, 'Something went wrong on our side. The request is retried up to three times; see the server log.');
      } finally {
        clearInterval(renewal);
      }
    }
  };
}

interface ProcessInput {
  needles: Needles;
  signal: AbortSignal;
}

async function processRequest(parts: RequestWorkerDeps, request: ClaimedRequest, { needles, signal }: ProcessInput) {
  const { team_id } = request;
  const places: (DataSubjectRequest['places'][number] & { left: number })[] = [];
  for (const { place, find } of parts.places)
    places.push({ place, total: null, ...(await find(team_id, needles, signal)), erased: 0, left: 0 });
  if (request.kind === 'find') return { places: places.map(shown), certificate: null };
  refuseMoreThanConfirmed(places, request.confirmed_count);
  const tables = new Set<string>();
  const seqs = new Set<number>();
  for (let pass = 1; pass <= maxPasses; pass++) {
    for (const [at, { erase, find }] of parts.places.entries()) {
      const progress = places[at]!;
      const outcome = await erase?.(team_id, needles, signal);
      progress.erased += outcome?.erased ?? 0;
      for (const table of outcome?.tables ?? []) tables.add(table);
      for (const seq of outcome?.seqs ?? []) seqs.add(seq);
      progress.left = (await find(team_id, needles, signal)).found;
    }
    if (!parts.places.some(({ erase }, at) => erase && places[at]!.left > 0)) break;
  }
  const rewritten = await parts.rewrite([...tables], signal);
  const { seq: head_seq } = await parts.headOf(team_id);
  return {
    places: places.map(shown),
    certificate: createCertificate(
      { request, places, seqs: [...seqs].sort((one, other) => one - other), head_seq, rewritten },
      await parts.key(),
    ),
  };
}

const shown = ({ place, found, erased, total, examples }: DataSubjectRequest['places'][number]) => ({
  place,
  found,
  erased,
  total,
  examples,
});

class MoreThanConfirmed extends Error {}

/** Data may arrive after the count was confirmed: a little more is erased, too. */
function refuseMoreThanConfirmed(places: DataSubjectRequest['places'], confirmed: number | null): void {
  const now = countToErase(places);
  const limit = confirmed === null ? 0 : confirmed * (1 + unconfirmedErasure.share) + unconfirmedErasure.count;
  if (needsCount(places) && now > limit)
    throw new MoreThanConfirmed(
      `Nothing was erased: ${now} are found now, and ${confirmed ?? 'none'} were confirmed. Find the identifiers again.`,
    );
}
