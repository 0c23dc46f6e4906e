import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { reaches, startPlatform, until } from '../../../test/platform.ts';
import type { Api } from '../../../test/server.ts';

const archive = (files: Record<string, string | Uint8Array>) =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, data]) => [name, typeof data === 'string' ? strToU8(data) : data]))),
  );

/** A package as an index would serve it, so that nothing is fetched. */
const wheel = (name: string, version: string) =>
  archive({
    [`${name}.py`]: 'loud = True\n',
    [`${name}-${version}.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\nLicense-Expression: MIT\n`,
    [`${name}-${version}.dist-info/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${name}-${version}.dist-info/RECORD`]: '',
  });
const python = archive({
  'wheels/tiny_thing-1.2.3-py3-none-any.whl': wheel('tiny_thing', '1.2.3'),
  'requirements.txt': './wheels/tiny_thing-1.2.3-py3-none-any.whl\n',
  'main.py':
    "import os, tiny_thing\nfrom http.server import HTTPServer, SimpleHTTPRequestHandler as H\nHTTPServer(('0.0.0.0', int(os.environ['PORT'])), H).serve_forever()\n",
});
const node = archive({
  'server.js': "require('http').createServer((q, s) => s.end(require('left'))).listen(process.env.PORT)",
  'node_modules/left/package.json': '{"name": "left", "version": "0.9.0", "license": "ISC"}',
  'node_modules/left/index.js': "module.exports = 'left'",
});

const deploy = async (api: Api, project_id: string, zip: Buffer) => {
  const { id } = await api.deployments.create({ project_id, file: new Blob([new Uint8Array(zip)]), file_name: 'agent.zip' });
  await reaches(api, id, ['active']);
  await until('its packages', async () => (await api.deployments.sbom({ id }).catch(() => undefined)) !== undefined);
  return id;
};
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('a deployment tells which packages are installed in it, where its code came from, and what it changed', async (t) => {
  const platform = await startPlatform(t);
  const { api } = await platform.person();
  const eve = await platform.person();
  const { id: project_id } = await api.projects.create({ name: 'listed' });

  const set = (key: string, value: string) => api.variables.set({ project_id, environment: 'production', variables: [{ key, value }] });
  await set('TEA', 'green');
  await set('CUP', 'blue');
  const first = await deploy(api, project_id, python);
  const sbom = await api.deployments.sbom({ id: first });
  assert.equal(`${sbom.bomFormat} ${sbom.specVersion}`, 'CycloneDX 1.6');
  const tiny = sbom.components.find((one) => one.name === 'tiny_thing');
  assert.equal(tiny?.purl, 'pkg:pypi/tiny-thing@1.2.3');
  assert.deepEqual(tiny?.licenses, [{ license: { name: 'MIT' } }]);
  assert.deepEqual(sbom.metadata.component.hashes, [{ alg: 'SHA-256', content: hash(python) }]);
  assert.equal(sbom.compositions[0]?.aggregate, 'complete');
  assert.equal(sbom.components.find((one) => one.type === 'platform')?.name, 'python');
  assert.deepEqual((await api.deployments.sbom({ id: first })).serialNumber, sbom.serialNumber);

  await assert.rejects(api.deployments.changes({ id: first }), { code: 'nothing_to_compare' });
  await set('TEA', 'black');
  await set('POT', 'white');
  const second = await deploy(api, project_id, node);
  const changes = await api.deployments.changes({ id: second });
  assert.deepEqual([changes.deployment_id, changes.with_id, changes.is_same_code], [second, first, false]);
  assert.deepEqual(
    changes.files?.list.map(({ path, change }) => `${change} ${path}`),
    [
      ...['removed main.py', 'added node_modules/left/index.js', 'added node_modules/left/package.json', 'removed requirements.txt'],
      ...['added server.js', 'removed wheels/tiny_thing-1.2.3-py3-none-any.whl'],
    ],
  );
  const named = changes.packages?.list.filter(({ name }) => name !== 'setuptools'); // uv's own choice of a version
  assert.deepEqual(named, [
    { ecosystem: 'npm', name: 'left', version: '0.9.0', version_before: null },
    { ecosystem: 'PyPI', name: 'tiny_thing', version: null, version_before: '1.2.3' },
  ]);
  assert.deepEqual(
    changes.plan?.find(({ what }) => what === 'start'),
    { what: 'start', value: 'node -- server.js', value_before: 'python main.py' },
  );
  assert.deepEqual(changes.variables, [
    { name: 'POT', change: 'added' },
    { name: 'TEA', change: 'changed' },
  ]);
  assert.ok(!JSON.stringify(changes).includes('black'), 'no value is told');
  assert.ok((await api.deployments.sbom({ id: second })).components.some((one) => one.purl === 'pkg:npm/left@0.9.0'));
  const third = await api.deployments.rollback({ id: first });
  await reaches(api, third.id, ['active']);

  const back = await api.deployments.changes({ id: third.id, with: first });
  assert.deepEqual([back.is_same_code, back.files?.unchanged, back.files?.list, back.packages?.list, back.plan], [true, 3, [], [], []]);

  const user = await api.accounts.me();
  const provenance = await api.deployments.provenance({ id: third.id });
  assert.equal(provenance.sha256, hash(python));
  assert.deepEqual(provenance.actor, { type: 'person', id: user.id, name: user.name });
  assert.equal(provenance.trigger, 'rollback');
  assert.equal(provenance.source_deployment_id, first);
  assert.deepEqual({ id: provenance.predecessor?.id, sha256: provenance.predecessor?.sha256 }, { id: second, sha256: hash(node) });
  assert.equal(provenance.rollback_target?.id, second);
  assert.equal((await api.deployments.provenance({ id: first })).predecessor, null);
  await until('the record of it', async () => (await api.deployments.provenance({ id: third.id })).audit_id !== null);
  const { audit_id } = await api.deployments.provenance({ id: third.id });
  assert.equal((await api.governance.auditLog({ id: audit_id ?? '' })).action, 'deployment.rollback');

  for (const call of [eve.api.deployments.sbom, eve.api.deployments.provenance, eve.api.deployments.changes])
    await assert.rejects(call({ id: first }), { code: 'deployment_not_found' });
});
