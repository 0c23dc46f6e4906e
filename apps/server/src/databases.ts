import { join } from 'node:path';
import { type DatabaseDriver, redisDataBytes } from '@paddock/database-driver';
import type { Config } from './config.ts';
import type { Changes } from './db/changes.ts';
import type { Sql } from './db/connect.ts';
import type { Reserve } from './disk/reserve.ts';
import { roomy } from './disk/roomy.ts';
import { type AlertStore, alertStore } from './features/alerts/store.ts';
import { agentDatabases } from './features/databases/agent-databases.ts';
import { agentDatabaseStore } from './features/databases/agent-store.ts';
import { rememberedAvailability } from './features/databases/availability.ts';
import { backupNodeStore } from './features/databases/backup-node-store.ts';
import { backupHandlers } from './features/databases/backup-routes.ts';
import { backupJobs } from './features/databases/backup-schedule.ts';
import { backupStore } from './features/databases/backup-store.ts';
import { backupTasks } from './features/databases/backup-tasks.ts';
import { byoCheck, type CheckByo, type CheckParts } from './features/databases/byo-check.ts';
import { byoHandlers } from './features/databases/byo-routes.ts';
import { byoStore } from './features/databases/byo-store.ts';
import { carryOver } from './features/databases/carry-over.ts';
import { attachDatabases } from './features/databases/for-deployments.ts';
import { startKeeper } from './features/databases/keeper.ts';
import { lifecycleHandlers } from './features/databases/lifecycle.ts';
import { type StorageSettings, storageLimits } from './features/databases/limits.ts';
import { storageStore } from './features/databases/limits-store.ts';
import { metricsHandlers } from './features/databases/metrics.ts';
import { nodeDatabases } from './features/databases/node-store.ts';
import { databaseRoutes } from './features/databases/routes.ts';
import type { TaskHandlers } from './features/databases/rows.ts';
import { samplesStore } from './features/databases/samples-store.ts';
import { sampling } from './features/databases/sampling.ts';
import { specOf } from './features/databases/spec.ts';
import { databaseStore, managedPorts } from './features/databases/store.ts';
import { rotateTask, type Tell, taskRunner } from './features/databases/task-queue.ts';
import { startWatching } from './features/databases/watching.ts';
import { olderAddresses } from './features/deployments/older-addresses.ts';
import { agentsOf, renewAgents } from './features/deployments/places.ts';
import type { DeploymentLog } from './features/deployments/run.ts';
import type { RateLimit } from './http/rate-limit.ts';
import type { PeriodicJob } from './jobs/periodic.ts';
import type { Log } from './log.ts';
import { machineIdentity } from './machine.ts';
import type { SendMail } from './mail/mails.ts';
import type { Seal } from './secrets/seal.ts';

export interface DatabaseApiParts {
  config: Pick<Config, 'data_dir' | 'egress_allow' | 'path'>;
  sql: Sql;
  changes: Changes;
  seal: Seal;
  limit: RateLimit;
  available: DatabaseDriver['available'];
  alerts: AlertStore;
  /** Where the platform's own services answer, which nobody may bring along as a database. */
  services: OwnService[];
}
type OwnService = Awaited<ReturnType<CheckParts['services']>>[number];

/** The part of the API that is about databases, and what it gives to deployments. */
export function databaseApi({ config, sql, changes, seal, limit, available, alerts, services }: DatabaseApiParts) {
  const store = databaseStore(sql);
  const byo = byoStore(sql, seal);
  const check = checkOf(config, sql, services);
  const deleteManaged: typeof store.deleteManaged = async (team_id, id) => {
    await store.deleteManaged(team_id, id);
    await alerts.clearDatabase(team_id, id); // nobody can mend it any more
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
  return {
    feature: databaseRoutes(
      lifecycle,
      byoHandlers({ store: byo, check, limit, get: store.get }),
      backups,
      metricsHandlers(samplesStore(sql)),
    ),
    attach: attachDatabases({ seal, available, check, limit, upsertByo: byo.upsertByo }),
  };
}

const backupsDirOf = ({ data_dir }: Pick<Config, 'data_dir'>) => join(data_dir, 'database-backups');

/** Managed databases are services of ours as well. */
const checkOf = ({ egress_allow }: Pick<Config, 'egress_allow'>, sql: Sql, services: OwnService[]): CheckByo =>
  byoCheck({ egress_allow, services: async () => [...services, ...(await managedPorts(sql))] });

interface Parts {
  config: Config;
  sql: Sql;
  changes: Changes;
  seal: Seal;
  driver: DatabaseDriver;
  node: string;
  machine: string;
  sendMail: SendMail;
  services: OwnService[];
  openLog: (d: { id: string; team_id: string }) => DeploymentLog;
  reserve: Reserve;
  log: Log;
}

/** The background work of databases: the keeper with its tasks, what agents get of them, and the periodic jobs. */
export function startDatabases({ config, sql, changes, seal, driver, node, machine, sendMail, services, openLog, reserve, log }: Parts) {
  const store = roomy(nodeDatabases(sql, node, machine), reserve);
  const spec = specOf(seal, config.database_limits);
  const agents = agentDatabaseStore(sql, node, machine);
  const tell: Tell = async (of, level, message) => {
    for (const d of await agentsOf(sql, of)) {
      const out = openLog(d);
      out.write('platform', level, message);
      await out.flush();
    }
  };
  const [alerts, backups, backupsDir] = [alertStore(sql, sendMail), backupNodeStore(sql, node), backupsDirOf(config)];
  const handlers: TaskHandlers = {
    rotate: rotateTask({ driver, store, seal, renew: renewAgents, tell }),
    ...backupTasks({ store: backups, driver, backupsDir, alerts, tell }),
  };
  const runTask = taskRunner({ store, handlers, specOf: spec });
  const keeper = startKeeper({ store, driver, specOf: spec, runTask, renew: renewAgents, tell, alerts, backupsDir, changes, reserve, log });
  const available = rememberedAvailability(driver.available);
  const samples = samplesStore(sql);
  const check = checkOf(config, sql, services);
  const carry = carryOver({ sql, older: olderAddresses(sql, seal), keepOlder: byoStore(sql, seal).keepOlder, check, log });
  const jobs: PeriodicJob[] = [
    { name: 'database.carry-over', every_s: 60, run: carry },
    ...backupJobs({ store: backups, backupsDir, alerts, node, reserve, log }),
    { name: 'database-sample.sweep', every_s: 3600, run: () => samples.sweep() },
    { name: 'alert.sweep', every_s: 3600, run: () => alerts.sweep() },
  ];
  const watching = startWatching({
    live: keeper.live,
    isBusy: keeper.isBusy,
    sampling: sampling(driver, samples),
    limits: storageLimits({ driver, store: storageStore(sql, node), alerts, settings: storageOf(config) }),
    log,
  });
  return {
    ofAgents: {
      take: (d: Parameters<typeof agents.take>[0]) => agents.take(d),
      give: agentDatabases({
        store: agents,
        seal,
        changes,
        available,
        isLive: keeper.isLive,
        checkByo: check,
        node,
        machine,
      }),
    },
    jobs,
    endDeleted: store.endDeleted,
    remaining: store.remaining,
    endAll: keeper.endAll,
    async close() {
      await Promise.all([watching.close(), keeper.close()]);
      await driver.close();
    },
  };
}

const storageOf = ({ database_storage, database_limits }: Config): StorageSettings => ({
  postgresql: database_storage.bytes,
  isShared: database_storage.is_shared,
  redis: redisDataBytes(database_limits),
});
