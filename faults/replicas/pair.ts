import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { connect } from '../../apps/server/src/db/connect.ts';
import { type Platform, startPlatform } from '../../apps/server/test/platform.ts';
import { emptyDatabase } from '../../apps/server/test/postgres.ts';
import { breakableLink } from './link.ts';

/** Two whole servers, each with a gateway and a data directory of its own, on one empty database. They start at the same moment. */
export async function startPair(t: TestContext) {
  const database = await emptyDatabase();
  const blobs = await mkdtemp(join(tmpdir(), 'paddock-archives-'));
  const link = await breakableLink(database.url);
  const sql = connect(database.url, { max: 3 });
  const settings = {
    PADDOCK_BLOB_URL: pathToFileURL(blobs).href,
    PADDOCK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PADDOCK_NODE_TIMEOUT_S: '3',
  };
  const ends: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    link.mend();
    await Promise.all(ends.map((end) => end()));
    await sql.end();
    link.close();
    await database.drop();
    await rm(blobs, { recursive: true, force: true });
  });
  // The first one's line to the database can be cut.
  const start = (url: string) => startPlatform({ after: (end) => void ends.push(end) }, settings, { url });
  const [a, b] = await Promise.all([start(link.url), start(database.url)]);
  return { a, b, both: [a, b], sql, link, database_url: database.url, settings };
}
export type Pair = Awaited<ReturnType<typeof startPair>>;

/** The server that has the deployment, and the other one; `what` is its lease or its instance. */
export async function whose({ a, b, sql }: Pair, id: string, what: 'lease' | 'instance'): Promise<{ has: Platform; other: Platform }> {
  const [row] = await sql<{ pid: string | null }[]>`
    select split_part(${what === 'lease' ? sql`d.lease_owner` : sql`n.owner`}, ' ', 2) as pid
    from deployments d left join nodes n on n.label = d.node where d.id = ${id}`;
  if (row?.pid === String(a.pid())) return { has: a, other: b };
  if (row?.pid === String(b.pid())) return { has: b, other: a };
  throw new Error(`nobody has the ${what} of ${id}: ${JSON.stringify(row)}`);
}

/** Visits a host through every gateway without pause until told to stop; every answer that was not the expected one is kept. */
export function visitAll(servers: Platform[], host: string, expected: string) {
  const wrong: string[] = [];
  const visits = servers.map(() => 0);
  let done = false;
  const running = servers.map(async (server, n) => {
    while (!done) {
      const seen = await server.visit(host).then(
        ({ status, body }) => `${status} ${body}`,
        (error: Error) => error.message,
      );
      visits[n]! += 1;
      if (seen !== `200 ${expected}`) wrong.push(`gateway ${n}: ${seen.slice(0, 300)}`);
      await sleep(10);
    }
  });
  return async () => {
    done = true;
    await Promise.all(running);
    return { wrong, visits };
  };
}
