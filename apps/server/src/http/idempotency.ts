import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Route } from '@paddock/contract';
import type { Sql, Tx } from '../db/connect.ts';
import { uuidv7 } from '../ids.ts';

/** A key counts for a day. */
export const removeOldKeys = (sql: Sql) => sql`delete from idempotency_keys where created_at < now() - interval '1 day'`;

export const removeKeysOf = (tx: Tx, team_id: string) => tx`delete from idempotency_keys where team_id = ${team_id}`;

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

/**
 * Answers of POSTs that carried an Idempotency-Key. The row is there before the work begins and holds the seed of the id that the
 * work creates: should the process die between the effect and its record, the repeated request makes the same id and finds the thing done.
 * It need not wait for that: `isGone` knows the dead ones of this machine.
 */
export function idempotency(sql: Sql, fingerprint: (text: string) => Buffer, owner: string, isGone: (owner: string) => boolean) {
  const staleMs = 120_000;
  // Seeds of requests that ended here without anybody knowing what became of them: a repeat need not wait until they are stale.
  const unsettled = new Set<string>();
  /** The keys of those that wait, by scope, and how many they are. */
  const waiting = new Map<string, string[]>();
  let places = 0;
  const leaveUnsettled = (seed: string) => {
    unsettled.add(seed);
    if (unsettled.size > unsettledMost) for (const oldest of unsettled) return void unsettled.delete(oldest);
  };
  return {
    async once({ scope, key, route, input, file, status, call }: Request): Promise<{ status: number; body: unknown; replayed: boolean }> {
      if (key.length > 200)
        throw new ApiError('input_invalid', { errors: [{ path: 'Idempotency-Key', message: 'At most 200 characters' }] });
      // Answers with secrets are never stored; doing such a call again only makes another secret.
      if (route.answer === 'secret') return { status, body: await call(uuidv7()), replayed: false };
      // Passwords are part of some inputs: with the installation's key, so that nobody can guess them from the stored row.
      const text = JSON.stringify([route.method, route.path, input, file ?? null]);
      // Servers of 0.1.0, which may run beside this one during an upgrade, store the plain hash.
      const hashes = [fingerprint(text), createHash('sha256').update(text).digest()];
      const seed = await claim(scope, key, hashes);
      // That it was done is remembered, its answer is not: a repeat is told so instead of making a second secret.
      const isSecret = route.answer === 'shown-once';
      if (typeof seed !== 'string') {
        if (isSecret) throw new ApiError('secret_shown_once');
        return { ...seed, replayed: true };
      }
      const record = (body: unknown) =>
        sql`update idempotency_keys set status = ${status}, body = ${sql.json(body as never)} where team_id = ${scope} and key = ${key}`;
      // failpoint: request-noted
      try {
        const body = await call(seed);
        // failpoint: request-done
        await record(isSecret ? null : body);
        // failpoint: answer-noted
        return { status, body, replayed: false };
      } catch (error) {
        // Done by an earlier try that died before it could note so.
        if (error instanceof ApiError && error.code === 'secret_shown_once') await record(null);
        // What was refused was not done. Of all else nobody knows, so the key keeps its seed, and a repeat finds what was done.
        else if (!(error instanceof ApiError) || error.status >= 500) leaveUnsettled(seed);
        else await sql`delete from idempotency_keys where team_id = ${scope} and key = ${key} and status is null and owner = ${owner}`;
        throw error;
      }
    },
  };

  /** The seed to work with, or the stored answer, for which a repeat waits a while: the second press of a button hears what the first did. */
  async function claim(scope: string, key: string, hashes: Buffer[]): Promise<Claim> {
    const claimed = (await begin(scope, key, hashes)) ?? (await look(scope, key, hashes));
    if (claimed !== undefined) return claimed;
    const leave = enter(scope, key);
    try {
      const end = performance.now() + waitMs;
      for (let pauseMs = lookMs; performance.now() < end; pauseMs = Math.min(pauseMs * 1.5, pauseMost)) {
        await sleep(pauseMs);
        const found = await look(scope, key, hashes);
        if (found !== undefined) return found;
      }
      throw inProgress();
    } finally {
      leave();
    }
  }

  /** A place to wait in, until it is left. Throws request_in_progress when there are too many who wait. */
  function enter(scope: string, key: string): () => void {
    const ofScope = waiting.get(scope) ?? [];
    const ofKey = ofScope.filter((one) => one === key).length;
    // Strangers share a scope.
    const most = scope === 'public' ? waitingMost.of_public : waitingMost.of_team;
    if (ofKey >= waitingMost.of_key || ofScope.length >= most || places >= waitingMost.of_server) throw inProgress();
    waiting.set(scope, ofScope);
    ofScope.push(key);
    places += 1;
    return () => {
      ofScope.splice(ofScope.indexOf(key), 1);
      if (ofScope.length === 0) waiting.delete(scope);
      places -= 1;
    };
  }

  /** The seed, if this is the first request. */
  async function begin(scope: string, key: string, hashes: Buffer[]): Promise<string | undefined> {
    const fresh = uuidv7();
    const [mine] = await sql<{ seed: string }[]>`
      insert into idempotency_keys (team_id, key, request_hash, seed, owner) values (${scope}, ${key}, ${hashes[0]!}, ${fresh}, ${owner})
      on conflict do nothing returning seed`.catch((error: unknown) => {
      leaveUnsettled(fresh); // it may be there all the same
      throw error;
    });
    return mine?.seed;
  }

  /** Undefined while the first request is under way. Writes only what it takes over. */
  async function look(scope: string, key: string, hashes: Buffer[]): Promise<Claim | undefined> {
    const stale = sql`created_at < now() - ${`${staleMs} milliseconds`}::interval`;
    const [found] = await sql<Noted[]>`
      select request_hash, seed, status, body, owner, ${stale} as is_stale
      from idempotency_keys
      where team_id = ${scope} and key = ${key}`;
    if (!found) return begin(scope, key, hashes); // it was refused this moment, so this one is free to work
    if (!hashes.some((hash) => hash.equals(found.request_hash))) throw new ApiError('idempotency_key_reused');
    if (found.status !== null) return { status: found.status, body: found.body };
    if (unsettled.delete(found.seed)) return found.seed;
    const gone = isGone(found.owner);
    if (!gone && !found.is_stale) return undefined;
    const [taken] = await sql<{ seed: string }[]>`
      update idempotency_keys set created_at = now(), owner = ${owner} where team_id = ${scope} and key = ${key} and status is null and owner = ${found.owner}
      and (${gone} or ${stale}) returning seed`;
    return taken?.seed;
  }
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

const unsettledMost = 10_000;
/** How long a repeat waits for the first request, its first and its longest pause between looks, and how many may wait. */
const waitMs = 5_000;
const lookMs = 100;
const pauseMost = 1_000;
const waitingMost = { of_key: 3, of_team: 10, of_public: 100, of_server: 200 };
