import * as z from 'zod';
import { timestamp } from './lists.ts';

export const SbomComponent = z.object({
  type: z.enum(['library', 'platform']),
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  purl: z.string().optional(),
  licenses: z.array(z.object({ license: z.object({ name: z.string() }) })).optional(),
});
/** CycloneDX 1.6 as JSON. */
export const Sbom = z.object({
  $schema: z.string(),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  serialNumber: z.string(),
  version: z.number().int(),
  metadata: z.object({
    timestamp,
    tools: z.object({ components: z.array(z.object({ type: z.literal('application'), name: z.string(), version: z.string() })) }),
    component: z.object({
      type: z.literal('application'),
      'bom-ref': z.string(),
      name: z.string(),
      version: z.string(),
      hashes: z.array(z.object({ alg: z.literal('SHA-256'), content: z.string() })).optional(),
    }),
  }),
  components: z.array(SbomComponent),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
  compositions: z.array(z.object({ aggregate: z.enum(['complete', 'incomplete']), assemblies: z.array(z.string()) })),
});
export type Sbom = z.infer<typeof Sbom>;
