import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Route } from '@paddock/contract';
import type { Sql, Tx } from '../db/connect.ts';
import { uuidv7 } from '../ids.ts';
import { removeInBatches } from '../jobs/remove-in-batches.ts';

/** Keys are retained for a day. */
export const removeOldKeys = (sql: Sql) =>
  removeInBatches(
    (rows) => sql`
      delete from idempotency_keys
      where ctid = any(array(
        select ctid
        from idempotency_keys
        where created_at < now() - interval '1 day'
        limit ${rows}
      ))`,
  );

export const removeTeamKeys = (tx: Tx, team_id: string) => tx`
  delete from idempotency_keys
  where team_id = ${team_id}`;

export type Idempotency = ReturnType<typeof idempotency>;

interface Request {
  scope: string;
  key: string;
  route: Route;
  input: unknown;
  file: string | undefined;
  status: number;
  call: (seed: string) => Promise<unknown>;
}

interface Deps {
  sql: Sql;
  fingerprint: (text: string) => Buffer;
  /** This process's identity in the rows. */
  owner: string;
  /** Whether a process of this machine has exited. */
  isGone: (owner: string) => boolean;
}

/**
 * Stored responses of POSTs with an Idempotency-Key (`takesIdempotencyKey`). The row is written before the work begins and holds the seed of the
 * id that the work creates: if the process dies between the effect and its record, the repeated request creates the same id and finds the work done.
 * It need not wait until the row is stale: `isGone` knows the dead processes of this machine.
 */
export function idempotency({ sql, fingerprint, owner, isGone }: Deps) {
  const { claim, leaveUnsettled } = claims({ sql, owner, isGone });
  return {
    async once({ scope, key, route, input, file, status, call }: Request): Promise<{ status: number; body: unknown; replayed: boolean }> {
      if (key.length > 200)
        throw new ApiError('input_invalid', { errors: [{ path: 'Idempotency-Key', message: 'At most 200 characters' }] });
      // Some inputs contain passwords: the hash is keyed with the installation's key, so that they cannot be guessed from the stored row.
      const text = JSON.stringify([route.method, route.path, input, file ?? null]);
      // Servers of 0.1.0, which may run beside this one during an upgrade, store the plain hash.
      const hashes = [fingerprint(text), createHash('sha256').update(text).digest()];
      const seed = await claim({ scope, key, hashes });
      // The call is stored without its response: a repeat gets an error instead of a second secret.
      const isSecret = route.answer === 'shown-once';
      if (typeof seed !== 'string') {
        if (isSecret) throw new ApiError('secret_shown_once');
        return { ...seed, replayed: true };
      }
      const record = (body: unknown) => sql`
        update idempotency_keys
        set status = ${status}, body = ${sql.json(body as never)}
        where team_id = ${scope}
          and key = ${key}`;
      // failpoint: request-noted
      try {
        const body = await call(seed);
        // failpoint: request-done
        await record(isSecret ? null : body);
        // failpoint: answer-noted
        return { status, body, replayed: false };
      } catch (error) {
        // An earlier attempt did the work and died before it could record so.
        if (error instanceof ApiError && error.code === 'secret_shown_once') await record(null);
        // A refused call had no effect. After any other failure the effect is unknown: the key keeps its seed, so that a repeat finds finished work.
        else if (!(error instanceof ApiError) || error.status >= 500) leaveUnsettled(seed);
        else
          await sql`
            delete from idempotency_keys
            where team_id = ${scope}
              and key = ${key}
              and status is null
              and owner = ${owner}`;
        throw error;
      }
    },
  };
}

/** A key, and the hashes that identify a repeat of its request. */
interface Keyed {
  scope: string;
  key: string;
  hashes: Buffer[];
}

/** Assigns requests to the caller that works on them, with a seed. */
function claims({ sql, owner, isGone }: Omit<Deps, 'fingerprint'>) {
  // Seeds of this process's requests that ended with an unknown result: a repeat need not wait until they are stale.
  const unsettled = new Set<string>();
  const enter = waitingPlaces();
  const leaveUnsettled = (seed: string): void => {
    unsettled.add(seed);
    if (unsettled.size <= maxUnsettled) return;
    const [oldest] = unsettled;
    unsettled.delete(oldest!);
  };

  /** The seed, if this is the first request. */
  async function begin({ scope, key, hashes }: Keyed): Promise<string | undefined> {
    const fresh = uuidv7();
    const [mine] = await sql<{ seed: string }[]>`
      insert into idempotency_keys (team_id, key, request_hash, seed, owner)
      values (${scope}, ${key}, ${hashes[0]!}, ${fresh}, ${owner})
      on conflict do nothing
      returning seed`.catch((error: unknown) => {
      leaveUnsettled(fresh); // the row may have been written all the same
      throw error;
    });
    return mine?.seed;
  }

  /** The claim of a repeat; undefined while the first request is in progress. Writes only when it takes a request over. */
  async function look(keyed: Keyed): Promise<Claim | undefined> {
    const { scope, key, hashes } = keyed;
    const stale = sql`created_at < now() - ${`${staleMs} milliseconds`}::interval`;
    const [found] = await sql<Noted[]>`
      select request_hash, seed, status, body, owner, ${stale} as is_stale
      from idempotency_keys
      where team_id = ${scope}
        and key = ${key}`;
    if (!found) return begin(keyed); // the first request has just been refused, so this one may work
    if (!hashes.some((hash) => hash.equals(found.request_hash))) throw new ApiError('idempotency_key_reused');
    if (found.status !== null) return { status: found.status, body: found.body };
    if (unsettled.delete(found.seed)) return found.seed;
    const gone = isGone(found.owner);
    if (!gone && !found.is_stale) return undefined;
    const [taken] = await sql<{ seed: string }[]>`
      update idempotency_keys
      set created_at = now(), owner = ${owner}
      where team_id = ${scope}
        and key = ${key}
        and status is null
        and owner = ${found.owner}
        and (${gone} or ${stale})
      returning seed`;
    return taken?.seed;
  }

  /** The seed to work with, or the stored response, for which a repeat waits a while: a double click gets the first response. */
  async function claim(keyed: Keyed): Promise<Claim> {
    const claimed = (await begin(keyed)) ?? (await look(keyed));
    if (claimed !== undefined) return claimed;
    const leave = enter(keyed);
    try {
      const end = performance.now() + waitMs;
      for (let pauseMs = lookMs; performance.now() < end; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
        await sleep(pauseMs);
        const found = await look(keyed);
        if (found !== undefined) return found;
      }
      throw inProgress();
    } finally {
      leave();
    }
  }

  return { claim, leaveUnsettled };
}

/** Bounds the number of waiting repeats. Returns a function that enters one and returns its leave; throws request_in_progress when too many wait. */
function waitingPlaces() {
  /** The keys of waiting repeats by scope, and their total. */
  const waiting = new Map<string, string[]>();
  let places = 0;
  return ({ scope, key }: Keyed): (() => void) => {
    const ofScope = waiting.get(scope) ?? [];
    const ofKey = ofScope.filter((one) => one === key).length;
    // Unauthenticated callers share a scope.
    const most = scope === 'public' ? maxWaiting.ofPublic : maxWaiting.ofTeam;
    if (ofKey >= maxWaiting.ofKey || ofScope.length >= most || places >= maxWaiting.ofServer) throw inProgress();
    waiting.set(scope, ofScope);
    ofScope.push(key);
    places += 1;
    return () => {
      ofScope.splice(ofScope.indexOf(key), 1);
      if (ofScope.length === 0) waiting.delete(scope);
      places -= 1;
    };
  };
}

const inProgress = () => new ApiError('request_in_progress', { retry_after_s: 2 });

interface Noted {
  request_hash: Buffer;
  seed: string;
  status: number | null;
  body: unknown;
  owner: string;
  is_stale: boolean;
}
type Claim = string | { status: number; body: unknown };

/** Age at which a request of a server on another machine is taken for dead. */
const staleMs = 120_000;
const maxUnsettled = 10_000;
/** How long a repeat waits for the first request, its first and its maximum poll interval, and how many may wait. */
const waitMs = 5_000;
const lookMs = 100;
const maxPauseMs = 1_000;
const maxWaiting = { ofKey: 3, ofTeam: 10, ofPublic: 100, ofServer: 200 };
