import * as z from 'zod';
import { textLimits } from './limits.ts';
import { timestamp } from './lists.ts';
import { route } from './route.ts';

export const modelProviderLimit = 100;
/** Days of traces that are searched for providers, as far as traces are still kept. */
export const seenProviderDays = 30;

export const ModelProvider = z.strictObject({
  provider: z
    .string()
    .trim()
    .min(1)
    .max(textLimits.modelProvider)
    .meta({ description: 'As traces name it, such as openai or aws.bedrock, or the host that is called; in any case' }),
  region: z.string().trim().max(textLimits.modelProviderRegion).default(''),
  agreement: z
    .enum(['dpa', 'baa', 'none'])
    .meta({ description: 'Data processing agreement, business associate agreement (HIPAA), or none' }),
  note: z.string().trim().max(textLimits.modelProviderNote).default(''),
});
export type ModelProvider = z.infer<typeof ModelProvider>;

export const SeenProvider = z.object({
  provider: z.string().nullable().meta({ description: 'As the traces name it; null where they do not' }),
  host: z.string().nullable().meta({ description: 'The host that was called; null where the traces do not name it' }),
  calls: z.number().int().min(0),
  last_seen: timestamp,
  projects: z.array(z.string()).max(5).meta({ description: 'Whose agents called it, at most five' }),
  register: ModelProvider.nullable().meta({ description: 'Its entry of the register, by the name or the host; null where there is none' }),
});
export type SeenProvider = z.infer<typeof SeenProvider>;

export const modelProviders = {
  list: route({
    method: 'GET',
    path: '/governance/model-providers',
    access: 'governance:read',
    summary: 'The register of providers of models that the team allows, and which were called',
    input: z.strictObject({}),
    output: z.object({
      providers: z.array(ModelProvider),
      seen: z.array(SeenProvider).meta({
        description: 'What agents called in the last 30 days, as the traces tell that are still kept; the most called first, at most 1,000',
      }),
    }),
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
