import { machineIdentity } from '@paddock/network';
import type { Core, Feature } from '../../core.ts';
import { backupHandlers } from './backups/backup-routes.ts';
import { backupStore } from './backups/backup-store.ts';
import { backupsDirOf, createByoCheck } from './backups-dir.ts';
import { byoHandlers } from './byo/byo-routes.ts';
import { byoStore } from './byo/byo-store.ts';
import { attachDatabases } from './for-deployments.ts';
import { lifecycleHandlers } from './lifecycle.ts';
import { databaseRoutes } from './routes.ts';
import { databaseStore, managedPorts } from './store.ts';
import { type MeasuredDatabase, measuredDatabases } from './usage/measured-databases.ts';
import { metricsHandlers } from './usage/metrics.ts';
import { samplesStore } from './usage/samples-store.ts';

type Deps = Pick<Core, 'config' | 'sql' | 'changes' | 'seal' | 'limit' | 'available' | 'services'>;
type AttachTo = ReturnType<typeof attachDatabases>;

interface FeatureDeps {
  /** Clears the alerts of a deleted database. */
  clearAlerts: (team_id: string, database_id: string) => Promise<unknown>;
  assertStorageLimit: Parameters<typeof attachDatabases>[0]['assertStorageLimit'];
}

interface Exports {
  attach: AttachTo;
  ports: () => Promise<{ port: number }[]>;
  measured: (limit: number) => PromiseLike<MeasuredDatabase[]>;
}

/** The databases API, and the functions that deployments use. */
export function databaseFeature(
  { config, sql, changes, seal, limit, available, services }: Deps,
  { clearAlerts, assertStorageLimit }: FeatureDeps,
): Feature<Exports> {
  const store = databaseStore(sql);
  const byo = byoStore(sql, seal);
  const check = createByoCheck(config, sql, services);
  const deleteManaged: typeof store.deleteManaged = async (team_id, id) => {
    await store.deleteManaged(team_id, id);
    await clearAlerts(team_id, id); // nobody can act on them any more
  };
  const lifecycle = lifecycleHandlers({ store: { ...store, deleteManaged }, seal, changes });
  const backups = backupHandlers({
    store: backupStore(sql),
    databases: store,
    seal,
    backupsDir: backupsDirOf(config),
    machine: machineIdentity(),
    path: config.path,
  });
  const samples = samplesStore(sql);
  return {
    routes: [
      databaseRoutes({
        lifecycle,
        byo: byoHandlers({ store: byo, check, limit, get: store.get }),
        backups,
        metrics: metricsHandlers(samples),
      }),
    ],
    jobs: [{ name: 'database-sample.sweep', everySeconds: 3600, run: () => samples.sweep() }],
    exports: {
      attach: attachDatabases({ seal, available, check, limit, upsertByo: byo.upsertByo, assertStorageLimit }),
      ports: () => managedPorts(sql),
      measured: (limit) => measuredDatabases(sql, limit),
    },
  };
}
