import type { Client } from '@paddock/client';
import type { Residency } from '@paddock/contract';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../../demo/answering.ts';
import { demoSeen } from './model-providers.ts';

type Calls = Client<typeof contract>;
type Store = Residency['stores'][number];

const GB = 1e9;
const on = (store: Store['store'], holds: string, more: Partial<Store> = {}): Store => ({
  store,
  holds,
  host: null,
  mounted_at: '/srv',
  file_system: 'ext4',
  encryption: 'encrypted',
  free_bytes: 412 * GB,
  total_bytes: 500 * GB,
  ...more,
});

/** The demo's residency statement: that of a small installation. */
export const demoResidency = (register: Calls['modelProviders']): Calls['residency'] => ({
  get: async (_input, options) => {
    const { providers } = await register.list({}, options);
    return answer(
      () => ({
        made_at: new Date().toISOString(),
        stores: [
          on('platform_database', 'Accounts, records of the audit trail, log lines, traces, settings and sealed secrets'),
          on('data_directory', 'Built agents, what they write, and their output until it is stored'),
          on('archives', 'Uploaded source archives'),
          on('managed_databases', 'Managed PostgreSQL and Redis databases of agents'),
          on('backups', 'Backups of managed databases', {
            mounted_at: '/mnt/backup',
            file_system: 'xfs',
            encryption: 'unknown',
            free_bytes: 1640 * GB,
            total_bytes: 2000 * GB,
          }),
          on('audit_checkpoints', 'Signed checkpoints of the audit trail'),
        ],
        receivers: [
          { purpose: 'mail', name: null, host: 'smtp.demo.example' },
          { purpose: 'channel', name: 'On call', host: 'hooks.demo.example' },
        ],
        models: demoSeen(providers),
        models_total: demoSeen(providers).length,
      }),
      options,
    );
  },
});
