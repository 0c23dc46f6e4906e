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

test('a deployment tells which packages are installed in it and where its code came from', async (t) => {
  const platform = await startPlatform(t);
  const { api } = await platform.person();
  const eve = await platform.person();
  const { id: project_id } = await api.projects.create({ name: 'listed' });

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

  const second = await deploy(api, project_id, node);
  assert.ok((await api.deployments.sbom({ id: second })).components.some((one) => one.purl === 'pkg:npm/left@0.9.0'));
  const third = await api.deployments.rollback({ id: first });
  await reaches(api, third.id, ['active']);

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

  for (const call of [eve.api.deployments.sbom, eve.api.deployments.provenance])
    await assert.rejects(call({ id: first }), { code: 'deployment_not_found' });
});
