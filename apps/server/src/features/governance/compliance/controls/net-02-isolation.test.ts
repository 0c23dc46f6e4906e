import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type StepRunner, stepRunner } from '@paddock/runtime';
import { deploymentIn } from '../../../../../test/rows.ts';
import { startApi } from '../../../../../test/server.ts';
import { createLog } from '../../../../log.ts';
import type { Control } from '../control.ts';
import { isolationControl } from './net-02-isolation.ts';

const warned: unknown[] = [];
const quiet = { warn: (what: unknown) => void warned.push(what) };
const home = mkdtempSync(join(tmpdir(), 'paddock-probe-'));
after(() => rmSync(home, { recursive: true, force: true }));
const log = createLog('error', process.stderr);
const sandboxed = stepRunner({ dataDir: join(home, 'a'), installation: 'test', log });
const open = stepRunner({ dataDir: join(home, 'b'), installation: 'test', unsandboxed: true, log });
const signal = AbortSignal.timeout(600_000);

const run = (control: Control) => (control.of === 'team' ? control.check('', signal) : control.check(signal));

test('a probe in the sandbox reaches nothing that is closed, and without a sandbox it does', async (t) => {
  const { sql } = await startApi(t);
  const look = (sandbox: StepRunner | undefined) => run(isolationControl({ sql, sandbox, egressAllow: [], log: quiet }));
  assert.match((await look(undefined)).resources[0]?.finding ?? '', /No agents run on this server/);
  const [network, processes] = (await look(open)).resources;
  assert.equal(network?.status, 'failed');
  assert.match(network?.finding ?? '', /reaches what it must not: loopback of this machine \(127\.0\.0\.1, connected\)/);
  assert.equal(processes?.status, 'failed');
  assert.match(processes?.finding ?? '', /sees the processes of this machine/);
  assert.match(network?.fix?.text ?? '', /PADDOCK_UNSANDBOXED/);
  const repaired = await look(sandboxed);
  assert.deepEqual(
    repaired.resources.map((one) => [one.status, one.finding]),
    repaired.resources.map((one) => ['passed', one.finding]),
  );
  assert.match(repaired.looked_at, /A probe in the sandbox dialled \d+ addresses/);
});

test('a managed database that can be reached from elsewhere is found, and named in the log alone, since all teams see what was found', async (t) => {
  const api = await startApi(t);
  const { sql, team_id, project_id } = await deploymentIn(api);
  const everywhere = createServer((socket) => socket.end()).listen(0, '0.0.0.0');
  t.after(() => everywhere.close());
  await once(everywhere, 'listening');
  const { port } = everywhere.address() as AddressInfo;
  await sql`
    insert into databases (id, team_id, project_id, environment, type, mode, name, secret_sealed, secret_key_id, port, wanted)
    values ('db_open', ${team_id}, ${project_id}, 'production', 'redis', 'managed', 'redis', 'x', 'k', ${port}, 'running')`;
  const look = async () => (await run(isolationControl({ sql, sandbox: sandboxed, egressAllow: [], log: quiet }))).resources[2];
  const open = await look();
  assert.equal(open?.status, 'failed');
  assert.match(open?.finding ?? '', /1 managed database can be reached at [\d., ]+ and not only at the loopback\./);
  assert.doesNotMatch(JSON.stringify(open), /db_open/);
  assert.match(JSON.stringify(warned.at(-1)), /db_open/);
  everywhere.close();
  assert.equal((await look())?.status, 'passed');
});
