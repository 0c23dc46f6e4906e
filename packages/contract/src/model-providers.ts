import * as z from 'zod';
import { route } from './route.ts';

export const modelProviderLimit = 100;

const ModelProvider = z.strictObject({
  provider: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta({ description: 'As traces name it, such as openai or aws.bedrock, or the host that is called; in any case' }),
  region: z.string().trim().max(100).default(''),
  agreement: z
    .enum(['dpa', 'baa', 'none'])
    .meta({ description: 'Data processing agreement, business associate agreement (HIPAA), or none' }),
  note: z.string().trim().max(1_000).default(''),
});
export type ModelProvider = z.infer<typeof ModelProvider>;

export const modelProviders = {
  list: route({
    method: 'GET',
    path: '/governance/model-providers',
    access: 'governance:read',
    summary: 'The register of providers of models that the team allows',
    input: z.strictObject({}),
    output: z.object({ providers: z.array(ModelProvider) }),
  }),
  set: route({
    method: 'PUT',
    path: '/governance/model-providers',
    access: 'governance:write',
    summary: 'Replace the register of providers of models; calls of others are found by a control',
    audit: 'model-providers.update',
    input: z.strictObject({
      providers: z
        .array(ModelProvider)
        .max(modelProviderLimit)
        .refine((all) => new Set(all.map((one) => one.provider.toLowerCase())).size === all.length, 'Name each provider once.'),
    }),
    output: z.object({ providers: z.array(ModelProvider) }),
  }),
};
