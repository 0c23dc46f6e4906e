import { createHash } from 'node:crypto';
import type { InstalledPackage } from '@paddock/builder';
import type { Sbom } from '@paddock/contract';
import type { PackagesStore } from './packages-store.ts';

type Source = Awaited<ReturnType<PackagesStore['of']>>;

/** The list of a deployment's packages as CycloneDX 1.6. Equal content gives an equal document. */
export function buildSbom(source: Source, version: string): Sbom {
  const { id, project_name, source_sha256, language, language_version, packages, is_partial, read_at } = source;
  const libraries = packages.map(toLibrary);
  const runtime =
    language_version === null || language === null
      ? []
      : [{ type: 'platform' as const, 'bom-ref': `${language}@${language_version}`, name: language, version: language_version }];
  const components = [...runtime, ...libraries];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${deriveUuid(JSON.stringify([id, packages]))}`,
    version: 1,
    metadata: {
      timestamp: read_at,
      tools: { components: [{ type: 'application', name: 'Paddock', version }] },
      component: {
        type: 'application',
        'bom-ref': id,
        name: project_name,
        version: id,
        ...(source_sha256 === null ? {} : { hashes: [{ alg: 'SHA-256' as const, content: source_sha256 }] }),
      },
    },
    components,
    dependencies: [{ ref: id, dependsOn: components.map((one) => one['bom-ref']) }],
    compositions: [{ aggregate: is_partial ? 'incomplete' : 'complete', assemblies: [id] }],
  };
}

function toLibrary(one: InstalledPackage) {
  const purl = formatPurl(one);
  return {
    type: 'library' as const,
    'bom-ref': purl,
    name: one.name,
    version: one.version,
    purl,
    ...(one.license === null ? {} : { licenses: [{ license: { name: one.license } }] }),
  };
}

/** Package URL: the name of a PyPI package in lower case with dashes, the scope of an npm package as namespace. */
function formatPurl({ ecosystem, name, version }: InstalledPackage): string {
  const at = encodeURIComponent(version);
  if (ecosystem === 'PyPI') return `pkg:pypi/${name.toLowerCase().replaceAll(/[-_.]+/g, '-')}@${at}`;
  return `pkg:npm/${name.split('/').map(encodeURIComponent).join('/')}@${at}`;
}

/** A UUID in version 5's form, derived from the text. */
function deriveUuid(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = 0x50 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
