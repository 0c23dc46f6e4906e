import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { selfSigned } from '../../test/certificates.ts';
import { checked } from '../../test/compliance.ts';
import { deploy, type Platform, reaches, startPlatform, until } from '../../test/platform.ts';
import { startApi } from '../../test/server.ts';
import { fileBlobs } from '../blobs/blobs.ts';
import { connect } from '../db/connect.ts';
import { provenanceStore } from '../features/deployments/provenance-store.ts';
import type { Control, ControlResult } from '../features/governance/compliance/control.ts';
import { provenanceControl } from '../features/governance/compliance/controls/chg-01-provenance.ts';
import { dependencyControl } from '../features/governance/compliance/controls/vul-01-dependencies.ts';
import { createLog } from '../log.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-osv-'));
after(() => rmSync(home, { recursive: true, force: true }));

let shared: Promise<Platform> | undefined;
const sharedPlatform = () => (shared ??= startPlatform(undefined));

const agent = (version: string) => ({
  'server.js': "require('http').createServer((q, s) => s.end(require('left'))).listen(process.env.PORT)",
  'node_modules/left/package.json': `{"name": "left", "version": "${version}"}`,
  'node_modules/left/index.js': "module.exports = 'left'",
});
const advisory = {
  id: 'GHSA-left',
  modified: '2026-10-01T00:00:00Z',
  published: '2026-01-01T00:00:00Z',
  database_specific: { severity: 'CRITICAL' },
  affected: [
    { package: { ecosystem: 'npm', name: 'left' }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.0.1' }] }] },
  ],
};
const logged: string[] = [];
const log = createLog('warn', { write: (line) => void logged.push(line) });
const signal = AbortSignal.timeout(600_000);
const statuses = ({ resources }: ControlResult) => resources.map((one) => one.status);

test('what runs is traced to its archive, and its packages are compared with advisories', async (t) => {
  const platform = await sharedPlatform();
  const sql = connect(platform.databaseUrl, { max: 2 });
  t.after(() => sql.end());
  const { api } = await platform.person();
  const eve = await platform.person();
  const { id: project_id } = await api.projects.create({ name: 'watched' });
  await eve.api.projects.create({ name: 'other' });
  const rows = await sql<{ team_id: string; name: string }[]>`select team_id, name from projects`;
  const team = (name: string) => rows.find((row) => row.name === name)?.team_id ?? '';
  const folder = join(platform.dataDir, 'blobs');
  const run = (control: Control, team_id = team('watched')) =>
    control.of === 'team' ? control.check(team_id, signal) : control.check(signal);
  const provenance = provenanceControl({ liveProvenance: provenanceStore(sql).live, blobs: fileBlobs(folder) });
  const osvDatabase = join(home, 'advisories.json');
  // A new control each time, because teams that are checked with the same one share one read of the advisories.
  const dependencies = (at = Date.now(), source: string | undefined = osvDatabase) =>
    dependencyControl({ sql, osvDatabase: source, now: () => at, log });

  assert.deepEqual((await run(provenance)).resources, [], 'nothing runs');
  const first = await deploy(api, project_id, agent('0.9.0'));
  await reaches(api, first.id, ['active']);
  await until('its packages', async () => (await api.deployments.sbom({ id: first.id }).catch(() => undefined)) !== undefined);
  const sound = await run(provenance);
  assert.deepEqual(statuses(sound), ['passed']);
  assert.match(sound.looked_at, /^1 live deployment: .* 1 stored archive read/);
  assert.deepEqual((await run(provenance, team('other'))).resources, []);

  // Changes the archive without the platform's knowledge.
  const [{ source_blob }] = await sql<[{ source_blob: string }]>`select source_blob from deployments where id = ${first.id}`;
  writeFileSync(join(folder, source_blob), 'something else');
  const [changed] = (await run(provenance)).resources;
  assert.equal(changed?.status, 'failed');
  assert.match(changed?.finding ?? '', /The stored archive of watched \(production\) is not the one that was uploaded/);
  assert.equal(changed?.fix?.path, `/deployments/${first.id}`);
  rmSync(join(folder, source_blob));
  assert.match((await run(provenance)).resources[0]?.finding ?? '', /no longer stored/);
  renameSync(folder, `${folder}.away`);
  assert.deepEqual(statuses(await run(provenance)), ['unverified']);
  renameSync(`${folder}.away`, folder);

  assert.match(
    (await run(dependencyControl({ sql, osvDatabase: undefined, now: Date.now, log }))).resources[0]?.finding ?? '',
    /Set PADDOCK_OSV_DATABASE/,
  );
  const gone = await run(dependencies());
  assert.deepEqual(statuses(gone), ['unverified']);
  assert.match(gone.resources[0]?.finding ?? '', /names cannot be read\. The log of the server tells why\.$/);
  assert.ok(!JSON.stringify(gone).includes(home), 'where it lies is no matter of teams');
  assert.ok(logged.join('').includes(`There is nothing at ${osvDatabase}`));
  writeFileSync(osvDatabase, '[]');
  assert.match((await run(dependencies())).resources[0]?.finding ?? '', /holds no entries/);
  writeFileSync(osvDatabase, JSON.stringify([advisory]));
  const [open] = (await run(dependencies())).resources;
  assert.equal(open?.status, 'failed');
  assert.match(
    open?.finding ?? '',
    /1 critical or high advisory with a fix older than the 30 days that PCI DSS 6\.3\.3 allows: left 0\.9\.0 \(GHSA-left, critical\)/,
  );
  assert.match(open?.fix?.text ?? '', /Raise left to 1\.0\.1 or later/);
  const soon = Date.parse(advisory.published) + 10 * 86_400_000;
  const [young] = (await run(dependencies(soon))).resources;
  assert.equal(young?.status, 'passed', 'ten days after the advisory');
  assert.match(young?.finding ?? '', /1 advisory, none of them overdue/);

  const second = await deploy(api, project_id, agent('1.0.1'));
  await reaches(api, second.id, ['active']);
  await until('the old one has gone', async () => (await api.deployments.get({ id: first.id })).status === 'stopped');
  await until('its packages', async () => (await api.deployments.sbom({ id: second.id }).catch(() => undefined)) !== undefined);
  assert.deepEqual(statuses(await run(dependencies())), ['passed']);
  assert.deepEqual(statuses(await run(provenance)), ['passed']);
});

test('VUL-01: advisories come from an https address whose certificate is trusted; while it does not answer, nothing is verified', async (t) => {
  const { key, cert, cert_file } = selfSigned();
  let status = 503;
  const source = createServer({ key, cert }, (_, response) => response.writeHead(status).end(JSON.stringify([advisory])));
  await once(source.listen(0, 'localhost'), 'listening');
  t.after(() => source.close());
  const url = `https://localhost:${(source.address() as AddressInfo).port}/all.json`;
  const platform = await sharedPlatform();
  await platform.stop();
  await platform.boot({ PADDOCK_OSV_DATABASE: url });
  const { api } = await platform.person();
  const unknown = await checked(api, 'VUL-01');
  assert.equal(unknown.status, 'unverified', 'nobody vouches for the certificate');
  assert.ok(platform.output().includes('self-signed certificate'), platform.output());

  await platform.stop();
  await platform.boot({ NODE_EXTRA_CA_CERTS: cert_file });
  const down = await checked(api, 'VUL-01');
  assert.equal(down.status, 'unverified');
  assert.ok(!JSON.stringify([unknown, down]).includes(url), 'its address is no matter of teams');
  assert.ok(platform.output().includes(`${url} answered 503.`), platform.output());
  status = 200;
  const read = await checked(api, 'VUL-01');
  assert.deepEqual(
    [read.status, read.looked_at],
    ['not_applicable', 'No deployment is live.'],
    'it was read, and there is nothing to compare',
  );
});

test('VUL-01: a database that takes longer to read than a check has is not verified, and read for the next check', async (t) => {
  const { sql, person } = await startApi(t);
  await person();
  const [{ id }] = await sql<[{ id: string }]>`select id from teams`;
  const answered = Promise.withResolvers<void>();
  const source = createPlainServer((_, response) => void answered.promise.then(() => response.end(JSON.stringify([advisory]))));
  await once(source.listen(0, '127.0.0.1'), 'listening');
  t.after(() => source.close());
  const osvDatabase = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`;
  const look = async (control: Control) => (control.of === 'team' ? control.check(id, signal) : control.check(signal));
  const control = dependencyControl({ sql, osvDatabase, now: Date.now, log, waitMs: 1 });
  assert.match((await look(control)).resources[0]?.finding ?? '', /^The advisory database is being read/);
  answered.resolve();
  await until('the advisories were read', async () => (await look(control)).looked_at.includes('compared with 1 advisory'));
});
