import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { connect } from '../../apps/server/src/db/connect.ts';
import { type Platform, startPlatform } from '../../apps/server/test/platform.ts';
import { emptyDatabase } from '../../apps/server/test/postgres.ts';
import { sized } from '../../scripts/test/size.ts';
import { breakableLink } from './link.ts';

/** Either of the two servers. Its link to the database can be cut. */
export type Replica = Platform & { link: Awaited<ReturnType<typeof breakableLink>> };

/** Settings for a server that ends its agents when it stops and soon counts as dead. */
export const stopsAgents = { PADDOCK_AGENTS_ON_EXIT: 'stop', PADDOCK_NODE_TIMEOUT_S: '3' };

/**
 * Two whole servers, each with a gateway and a data directory of its own, on one empty database. They start at the same moment. `more`
 * overrides their settings.
 */
export async function startPair(t: TestContext, more: Record<string, string> = {}) {
  const database = await emptyDatabase();
  const blobs = await mkdtemp(join(tmpdir(), 'paddock-archives-'));
  const sql = connect(database.url, { max: 3 });
  const settings = {
    PADDOCK_BLOB_URL: pathToFileURL(blobs).href,
    PADDOCK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PADDOCK_BUILDS_AT_ONCE: '1',
    PADDOCK_AGENTS_ON_EXIT: 'keep',
    ...more,
  };
  const ends: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    for (const { link } of both) link.mend();
    // Only a server started with these settings ends its agents.
    for (const one of both) {
      if (one.isRunning() && one.env().PADDOCK_AGENTS_ON_EXIT === 'keep') await one.stop();
      if (!one.isRunning()) await one.boot(stopsAgents);
    }
    await Promise.all(ends.map((end) => end()));
    await sql.end();
    for (const { link } of both) link.close();
    await database.drop();
    await rm(blobs, { recursive: true, force: true });
  });
  const start = async () => {
    const link = await breakableLink(database.url);
    return {
      ...(await startPlatform({ after: (end) => void ends.push(async () => void (await end())) }, settings, { databaseUrl: link.url })),
      link,
    };
  };
  const both: Replica[] = [];
  const [a, b] = await Promise.all([start(), start()]);
  both.push(a, b);
  return { a, b, both, sql };
}
export type Pair = Awaited<ReturnType<typeof startPair>>;

/** The server that has the deployment's lease or instance, and the other one. */
export async function whose({ a, b, sql }: Pair, id: string, what: 'lease' | 'instance'): Promise<{ has: Replica; other: Replica }> {
  const [row] = await sql<{ pid: string | null }[]>`
    select split_part(${what === 'lease' ? sql`d.lease_owner` : sql`n.owner`}, ' ', 2) as pid
    from deployments d left join nodes n on n.label = d.node where d.id = ${id}`;
  if (row?.pid === String(a.pid())) return { has: a, other: b };
  if (row?.pid === String(b.pid())) return { has: b, other: a };
  throw new Error(`nobody has the ${what} of ${id}: ${JSON.stringify(row)}`);
}

/** The pause between two visits of one visitor. */
const visitEveryMs = sized({ short: 100, long: 40 });

/**
 * Visits a host through every gateway until stopped, and collects every unexpected response. The returned function ends it after at least so
 * many visits of each: how many there are by then depends on the machine.
 */
export function visitAll(
  t: { after: (end: () => void) => void },
  servers: Platform[],
  { host, expected }: { host: string; expected: string },
) {
  const wrong: string[] = [];
  const visits = servers.map(() => 0);
  let done = false;
  t.after(() => void (done = true)); // also when the test fails
  const running = servers.map(async (server, n) => {
    while (!done) {
      const seen = await server.visit(host).then(
        ({ status, body }) => `${status} ${body}`,
        (error: Error) => error.message,
      );
      visits[n]! += 1;
      if (seen !== `200 ${expected}`) wrong.push(`gateway ${n}: ${seen.slice(0, 300)}`);
      await sleep(visitEveryMs);
    }
  });
  return async (minVisits: number) => {
    while (Math.min(...visits) < minVisits) await sleep(visitEveryMs);
    done = true;
    await Promise.all(running);
    return { wrong, visits };
  };
}
