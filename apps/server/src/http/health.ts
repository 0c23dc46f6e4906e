import type { FastifyInstance, FastifyReply } from 'fastify';
import { isConnectionError, isOverload, type Sql } from '../db/connect.ts';
import type { Log } from '../log.ts';

/** A probe gets its response within a second, whatever the database does. */
const answerMs = 800;

/** `silent`: the database accepts connections and does not respond. */
type DatabaseState = 'ok' | 'silent' | 'unreachable';

/**
 * Health of the process: `/livez` reports that its event loop runs, `/readyz` that it can do its work, and `/healthz` is the older name of `/readyz`.
 * Strangers only learn which part does not respond.
 */
export function serveHealth(app: FastifyInstance, sql: Sql, log: Log) {
  const databaseState = sharedProbe(() => sql`select 1`, log);
  const noStore = (reply: FastifyReply) => reply.header('cache-control', 'no-store');
  const ready = async (_: unknown, reply: FastifyReply) => {
    const database = await databaseState();
    return noStore(reply)
      .code(database === 'ok' ? 200 : 503)
      .send({ ok: database === 'ok', database });
  };
  app.get('/livez', (_, reply) => noStore(reply).send({ ok: true }));
  app.get('/readyz', ready);
  app.get('/healthz', ready);
}

/** A single query at a time serves all concurrent probes. While a query hangs, no other is sent. */
export function sharedProbe(ask: () => Promise<unknown>, log: Pick<Log, 'error'>): () => Promise<DatabaseState> {
  let underWay: { since: number; state: Promise<DatabaseState> } | undefined;

  function begin() {
    const state = ask().then(
      (): DatabaseState => 'ok',
      (error: unknown): DatabaseState => {
        if (!isConnectionError(error) && !isOverload(error)) log.error({ err: error }, 'database health probe failed');
        return 'unreachable';
      },
    );
    void state.then(() => (underWay = undefined));
    return { since: performance.now(), state };
  }

  return async () => {
    underWay ??= begin();
    const left = underWay.since + answerMs - performance.now();
    if (left <= 0) return 'silent';
    const late = Promise.withResolvers<DatabaseState>();
    const timer = setTimeout(() => late.resolve('silent'), left);
    try {
      return await Promise.race([underWay.state, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
