import type { Deployment, Provenance, Sbom } from '@paddock/contract';

/** A fake digest for the demo, which has no uploaded archive. */
const fakeDigest = (id: string) =>
  id
    .replaceAll(/[^0-9a-f]/g, '')
    .padEnd(64, '0')
    .slice(0, 64);

/** The provenance of a deployment of the demo; `all` is unordered. */
export function demoProvenance(row: Deployment, all: readonly Deployment[]): Provenance {
  // A deployment that never became active is ordered by its end, as on the server.
  const bound = row.deployed_at ?? row.ended_at ?? new Date().toISOString();
  const earlier = all
    .filter((one) => one.project_id === row.project_id && one.environment === row.environment && one.id !== row.id)
    .filter(
      ({ deployed_at, created_at }) => deployed_at !== null && deployed_at < bound && (row.deployed_at || created_at < row.created_at),
    )
    .toSorted((a, b) => ((a.deployed_at ?? '') > (b.deployed_at ?? '') ? -1 : 1));
  const shown = (one: Deployment | undefined) =>
    one?.deployed_at ? { id: one.id, sha256: fakeDigest(one.id), deployed_at: one.deployed_at } : null;
  return {
    deployment_id: row.id,
    project_id: row.project_id,
    project_name: row.project_name,
    environment: row.environment,
    status: row.status,
    sha256: fakeDigest(row.id),
    source_name: row.source_name,
    source_bytes: 18_432,
    trigger: row.trigger,
    source_deployment_id: row.source_deployment_id,
    message: row.message,
    commit_sha: row.commit_sha,
    commit_branch: row.commit_branch,
    commit_dirty: row.commit_dirty,
    actor: { type: 'person', id: 'usr_demo', name: 'Demo User' },
    audit_id: null,
    created_at: row.created_at,
    deployed_at: row.deployed_at,
    predecessor: shown(earlier[0]),
    rollback_target: shown(earlier.find((one) => one.status !== 'failed')),
  };
}

/** The packages of a deployment of the demo. */
export function demoSbom({ id, project_name, created_at }: Deployment): Sbom {
  const components = ['fastapi@0.139.0', 'pydantic@2.14.1', 'uvicorn@0.47.0'].map((text) => {
    const [name = '', version = ''] = text.split('@');
    const purl = `pkg:pypi/${text}`;
    return { type: 'library' as const, 'bom-ref': purl, name, version, purl };
  });
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: 'urn:uuid:00000000-0000-5000-8000-000000000000',
    version: 1,
    metadata: {
      timestamp: created_at,
      tools: { components: [{ type: 'application', name: 'Paddock', version: 'demo' }] },
      component: { type: 'application', 'bom-ref': id, name: project_name, version: id },
    },
    components,
    dependencies: [{ ref: id, dependsOn: components.map((one) => one.purl) }],
    compositions: [{ aggregate: 'complete', assemblies: [id] }],
  };
}
