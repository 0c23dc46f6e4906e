import assert from 'node:assert/strict';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { auditedPerson } from '../../../../../test/audit.ts';
import { foundBy, runControl, statusOf } from '../../../../../test/controls.ts';
import { deploy } from '../../../../../test/platform.ts';
import { startApi } from '../../../../../test/server.ts';
import { detectVolume, parseMounts, type Volume } from '../../../../disk/volume.ts';
import { encryptionControl } from './enc-01-encryption.ts';

const encrypted = async (): Promise<Volume> => ({ state: 'encrypted', file_system: 'ext4', mapping: 'luks-data', mounted_at: '/' });

async function world(t: Parameters<typeof startApi>[0]) {
  const server = await startApi(t);
  const { api, team_id } = await auditedPerson(server);
  const { id: project_id } = await api.projects.create({ name: 'shop' });
  await api.variables.set({
    project_id,
    environment: 'production',
    variables: [{ key: 'TOKEN', value: 'CANARY-value', available_at_build: false }],
  });
  const { id } = await deploy(api, project_id, { 'index.html': 'hello' });
  const [{ source_blob }] = await server.sql<[{ source_blob: string }]>`select source_blob from deployments where id = ${id}`;
  const blobDir = join(server.dataDir, 'blobs');
  const deps = { sql: server.sql, seal: server.seal, dataDir: server.dataDir, blobDir, databaseUrl: undefined };
  return { ...server, team_id, deps, deployment_id: id, archive: join(blobDir, source_blob), key: join(server.dataDir, 'secret.key') };
}

test('files that others of the machine may read are found, and pass once their mode is mended', async (t) => {
  const { team_id, deps, key, archive, deployment_id } = await world(t);
  const control = encryptionControl({ ...deps, volumes: encrypted });
  assert.deepEqual(await foundBy(control, team_id), []);
  await chmod(key, 0o644);
  await chmod(archive, 0o640);
  const found = await foundBy(control, team_id);
  assert.deepEqual(
    found.map(({ id, finding }) => [id, finding]),
    [
      ['secret.key', 'Other users of the machine may read the key that opens all secrets (mode 644).'],
      [deployment_id, 'Other users of the machine may read the file of this archive (mode 640).'],
    ],
  );
  assert.match(found[0]?.fix?.text ?? '', /chmod 600/);
  await chmod(key, 0o600);
  await chmod(archive, 0o600);
  assert.deepEqual(await foundBy(control, team_id), []);
});

test('what Paddock seals is told from what relies on the disk, and a disk that does not show itself is not verified', async (t) => {
  const { team_id, deps } = await world(t);
  const { resources } = await runControl(encryptionControl({ ...deps, volumes: encrypted }), team_id);
  assert.ok(!JSON.stringify(resources).includes('CANARY'));
  const findingOf = (id: string) => resources.find((one) => one.id === id)?.finding ?? '';
  assert.match(findingOf('secrets'), /^1 stored secret was read as bytes: AES-256-GCM, without their text\.$/);
  assert.match(findingOf('data-directory'), /not sealed by Paddock; the disk below them is encrypted \(luks-data\)/);
  assert.ok(resources.some(({ finding }) => /kept as plain ZIP.*encrypted as far as its disk is/.test(finding)));

  const plain = encryptionControl({
    ...deps,
    volumes: async () => ({ state: 'unknown', file_system: 'ext4', mapping: null, mounted_at: '/' }),
  });
  assert.equal(await statusOf(plain, team_id), 'unverified');
  const unseen = await foundBy(plain, team_id, 'unverified');
  assert.deepEqual(unseen.map(({ id }) => id).sort(), ['archives', 'data-directory', 'postgresql']);
  assert.ok(unseen.every(({ fix }) => /waiver/.test(fix?.text ?? '')));
});

test('the disk of the embedded PostgreSQL is that of its folder in the data directory', async (t) => {
  const { team_id, deps, dataDir } = await world(t);
  await mkdir(join(dataDir, 'postgres'));
  const { resources } = await runControl(encryptionControl({ ...deps, volumes: encrypted }), team_id);
  const found = resources.find(({ id }) => id === 'postgresql');
  assert.equal(found?.status, 'passed');
  assert.match(found?.finding ?? '', /the disk below them is encrypted \(luks-data\)/);
});

test('a key file and an archive that are gone read as not verified', async (t) => {
  const { team_id, deps, key, archive } = await world(t);
  await rename(key, `${key}.away`);
  await rename(archive, `${archive}.away`);
  const unseen = await foundBy(encryptionControl({ ...deps, volumes: encrypted }), team_id, 'unverified');
  assert.match(
    unseen.map(({ finding }) => finding).join('\n'),
    /The key file is not in the data directory[^]*The file of this archive is not on this server/,
  );
});

test('the disk below a path is what the kernel tells of the deepest mount', async () => {
  const table = '36 25 98:0 / / rw - ext4 /dev/vda rw\n40 36 0:31 / /run/my\\040keys rw,noexec shared:2 - tmpfs tmpfs rw\n';
  assert.deepEqual(parseMounts(table), [
    { device: '98:0', at: '/', file_system: 'ext4' },
    { device: '0:31', at: '/run/my keys', file_system: 'tmpfs' },
  ]);
  assert.equal((await detectVolume('/dev/shm')).state, 'memory');
  assert.notEqual((await detectVolume('/')).file_system, 'unknown');
});
