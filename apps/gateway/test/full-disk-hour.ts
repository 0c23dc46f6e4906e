import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { Agent as Connections, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventsIn } from './audit.ts';
import { startDatabase } from './database.ts';
import { echo, type Fixture, startAgent, startFixture, until } from './fixture.ts';
import { protect } from './protection.ts';
import type { SmallDisk } from './small-disk.ts';

const parallel = 64;
/** A user agent as long as a browser's. */
const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const body = JSON.stringify({ prompt: 'x'.repeat(2_000) });

/** The hour: 20 requests a second, a disk that reserves enough space for them, and a spool of default size. */
const hour = { exchanges: 72_000, diskMb: 3_168, spoolBytes: 1024 * 1024 * 1024 };

/** The hour, or a share of it with all sizes scaled down. */
export function shareOfHour(share: number): typeof hour {
  return {
    exchanges: Math.floor(hour.exchanges * share),
    diskMb: Math.ceil(hour.diskMb * share),
    spoolBytes: Math.ceil(hour.spoolBytes * share),
  };
}

/**
 * Exchanges of a gateway whose disk is full and whose database is down, sent as fast as it accepts them; then the database returns, and the
 * disk stays full. Checks that all are served, that each is recorded once, and that records without bodies say so. Returns figures.
 */
export async function fullDiskHour(disk: SmallDisk, { exchanges, spoolBytes }: typeof hour) {
  const database = await startDatabase({ ownServer: true });
  const agent = await startAgent(echo());
  const gateway = await startFixture({
    database,
    limits: { databaseMs: 2_000, auditSyncMs: 20 },
    audit: { auditSpoolDir: disk.folder, auditSpoolBytes: spoolBytes },
  });
  try {
    await gateway.route('kept', agent);
    await protect(gateway, 'kept', { when_unrecorded: 'refuse' });
    return await servedAndRecorded({ gateway, disk, exchanges });
  } finally {
    await gateway.close();
    await agent.close();
    await database.close();
  }
}

async function servedAndRecorded({ gateway, disk, exchanges }: { gateway: Fixture; disk: SmallDisk; exchanges: number }) {
  const { database } = gateway;
  const names = (ending: RegExp) => readdirSync(disk.folder, { recursive: true, encoding: 'utf8' }).filter((name) => ending.test(name));
  await until(() => names(/spare-\d+$/).length === 16, 'the space is held');
  await database.stopServer();
  disk.takeAll();
  const taking = setInterval(() => disk.takeAll(), 250);
  try {
    const began = performance.now();
    const { served, failures } = await askAll(gateway, exchanges);
    const seconds = (performance.now() - began) / 1_000;
    const bytes = names(/\.records$/).reduce((sum, name) => sum + statSync(join(disk.folder, name)).size, 0);
    const spares_left = names(/spare-\d+$/).length;
    assert.deepEqual(failures, {}, `answers other than 200 of ${exchanges}; ${bytes} bytes are recorded`);
    await database.startServer();
    const recorded = await recordedOnce(database, served);
    return { exchanges, served: served.size, ...recorded, bytes, spares_left, seconds: Math.round(seconds * 10) / 10 };
  } finally {
    clearInterval(taking);
  }
}

/** Ids of the requests that were answered with 200, and the number with another outcome. */
async function askAll({ gateway: { port } }: Fixture, exchanges: number) {
  const served = new Set<string>();
  const failures: Record<string, number> = {};
  const connections = new Connections({ keepAlive: true, maxSockets: parallel });
  let sent = 0;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (sent < exchanges) {
        const number = sent++;
        const { status, id } = await ask(port, `/v1/conversations/${number}/messages?stream=false`, connections);
        if (status === '200' && !served.has(id)) served.add(id);
        else failures[status] = (failures[status] ?? 0) + 1;
      }
    }),
  );
  connections.destroy();
  return { served, failures };
}

function ask(port: number, path: string, agent: Connections): Promise<{ status: string; id: string }> {
  return new Promise((resolve) => {
    const headers = {
      host: `kept.localhost:${port}`,
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': userAgent,
    };
    const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent }, (answer) => {
      answer.resume();
      answer.on('error', (error) => resolve({ status: error.message, id: '' }));
      answer.on('end', () => resolve({ status: String(answer.statusCode), id: String(answer.headers['x-request-id']) }));
    });
    asked.on('error', (error) => resolve({ status: error.message, id: '' }));
    asked.end(body);
  });
}

/** Waits until the database has two records of each, and checks that it has no others. */
async function recordedOnce(database: Parameters<typeof eventsIn>[0], served: ReadonlySet<string>) {
  const handedIn = async () => {
    const [row] = await database.sql<[{ records: number }]>`select coalesce(sum(handed_in), 0)::int as records from audit_spools`;
    return row.records;
  };
  const end = performance.now() + 120_000;
  while ((await handedIn().catch(() => 0)) < 2 * served.size && performance.now() < end) await sleep(100);
  const counts = new Map<string, number>();
  let without_body = 0;
  for (const { metadata, action_type, input_data } of await eventsIn(database)) {
    const id = String(metadata.request_id);
    if (served.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
    if (action_type === 'request' && (input_data as { left_out?: string } | null)?.left_out === 'spool') without_body += 1;
  }
  const missing = [...served].filter((id) => counts.get(id) !== 2);
  assert.deepEqual(missing.slice(0, 5), [], `${missing.length} exchanges do not have their two records`);
  return { records: 2 * counts.size, without_body };
}
