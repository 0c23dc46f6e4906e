import * as z from 'zod';
import { timestamp } from './lists.ts';
import { SeenProvider } from './model-providers.ts';
import { route } from './route.ts';

export const DataStore = z.object({
  store: z.enum(['platform_database', 'data_directory', 'archives', 'backups', 'managed_databases', 'audit_checkpoints']),
  holds: z.string().meta({ description: 'In words, what of the team lies there' }),
  host: z.string().nullable().meta({ description: 'Another machine; null: the machine of the server that answers' }),
  mounted_at: z.string().nullable().meta({ description: 'Where its volume is mounted; null where this server does not see it' }),
  file_system: z.string().nullable(),
  encryption: z
    .enum(['encrypted', 'memory', 'unknown'])
    .meta({ description: 'unknown: a provider may encrypt it, and this machine does not show it' }),
  free_bytes: z.number().min(0).nullable(),
  total_bytes: z.number().min(0).nullable(),
});

export const DataReceiver = z.object({
  purpose: z.enum(['mail', 'channel', 'audit_checkpoints']),
  name: z.string().nullable().meta({ description: 'Of a channel, its name' }),
  host: z.string(),
});

export const Residency = z.object({
  made_at: timestamp,
  stores: z.array(DataStore).max(6).meta({ description: 'Where data lies, as the server that answers sees it' }),
  receivers: z.array(DataReceiver).max(50).meta({ description: 'Hosts that Paddock itself sends something of the team to' }),
  models: z.array(SeenProvider).max(1_000).meta({
    description:
      'Hosts at which agents called models in the last 30 days, as the traces tell that are still kept; the most called first, at most 1,000',
  }),
  models_total: z.number().int().min(0).meta({ description: 'How many such hosts there are, also those beyond the list' }),
});
export type Residency = z.infer<typeof Residency>;

export const residency = {
  get: route({
    method: 'GET',
    path: '/governance/residency',
    access: 'governance:read',
    summary: 'Where data lies and where it goes: volumes, encryption, free space, receivers, and hosts of models',
    input: z.strictObject({}),
    output: Residency,
  }),
};
