/** The product's list, written by hand with node:http, postgres.js and zod, without a framework. Run as a process: port, database. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { deployments } from '@paddock/contract';
import * as z from 'zod';
import { connect } from '../../apps/server/src/db/connect.ts';
import { sessionStore } from '../../apps/server/src/features/accounts/session-store.ts';
import { withAddresses } from '../../apps/server/src/features/deployments/rows.ts';
import { deploymentStore } from '../../apps/server/src/features/deployments/store.ts';
import { freePort, startProcess } from '../measure.ts';

/** Starts this file as a process of its own. */
export async function startRawApi(databaseUrl: string) {
  const port = await freePort();
  const started = startProcess(process.execPath, [join(import.meta.filename), `${port}`, databaseUrl]);
  await started.listens(port);
  return { ...started, port, pids: [started.pid], name: 'node:http + zod' };
}

if (import.meta.main) {
  const sql = connect(process.argv[3]!, { max: 20, name: 'bench-raw' });
  const store = deploymentStore(sql, { mayQueue: async () => undefined, keepSettings: async () => undefined });
  const sessions = sessionStore(sql);
  const addresses = withAddresses((label) => `http://${label}.localhost`);
  createServer((request, response) => {
    const answer = async () => {
      const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const actor = await sessions.find(createHash('sha256').update(token).digest(), { ip: '', user_agent: '' });
      if (!actor) return response.writeHead(401).end();
      const query = Object.fromEntries(new URL(request.url!, 'http://server').searchParams);
      const input = deployments.list.input.parse(query);
      const { rows, ...rest } = await store.list(actor.team_id, input);
      const body = JSON.stringify(z.parse(deployments.list.output, { deployments: rows.map(addresses), ...rest }));
      return response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
    };
    answer().catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    });
  }).listen(Number(process.argv[2]), '127.0.0.1');
}
