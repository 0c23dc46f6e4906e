import { type DatabaseDriver, redisDataBytes } from '@paddock/database-driver';
import type { Config } from '../../../config/config.ts';
import type { Core } from '../../../core.ts';
import { withReserve } from '../../../disk/with-reserve.ts';
import type { PeriodicJob } from '../../../jobs/periodic.ts';
import { agentDatabases } from '../agent-databases.ts';
import { agentDatabaseStore } from '../agent-store.ts';
import { cachedAvailability } from '../availability.ts';
import { backupNodeStore } from '../backups/backup-node-store.ts';
import { backupJobs } from '../backups/backup-schedule.ts';
import { backupTasks, type DatabaseAlerts } from '../backups/backup-tasks.ts';
import { restoreTestJob } from '../backups/restore-test.ts';
import { restoreTestStore } from '../backups/restore-test-store.ts';
import { backupsDirOf, createByoCheck } from '../backups-dir.ts';
import { byoStore } from '../byo/byo-store.ts';
import { migrateLegacyUrls } from '../byo/migrate-legacy-urls.ts';
import type { TaskHandlers } from '../rows.ts';
import { type StorageSettings, storageLimits } from '../usage/limits.ts';
import { storageStore } from '../usage/limits-store.ts';
import { samplesStore } from '../usage/samples-store.ts';
import { createSampler } from '../usage/sampling.ts';
import { nodeDatabases, type RestartAgents } from './node-store.ts';
import { startReconciler } from './reconciler.ts';
import { toDatabaseSpec } from './spec.ts';
import { type LogToAgents, rotateTask, taskRunner } from './task-runner.ts';
import { startUsageMonitor } from './usage-monitor.ts';

interface Deps extends Pick<Core, 'sql' | 'changes' | 'seal' | 'services' | 'reserve' | 'log'> {
  config: Config;
  driver: DatabaseDriver;
  node: string;
  machine: string;
  alerts: DatabaseAlerts;
  /** Functions that deployments provide to databases. */
  ofDeployments: {
    renew: RestartAgents;
    tell: LogToAgents;
    older: Parameters<typeof migrateLegacyUrls>[0]['older'];
  };
}

/** The background work of databases: the reconciler with its tasks, the databases for starting agents, and the periodic jobs. */
export function startDatabases(given: Deps) {
  const { config, sql, changes, seal, driver, node, machine, alerts, services, reserve, log, ofDeployments } = given;
  const { renew, tell, older } = ofDeployments;
  const store = withReserve(nodeDatabases(sql, node, machine), reserve);
  const spec = toDatabaseSpec(seal, config.databaseLimits);
  const agents = agentDatabaseStore(sql, node, machine);
  const backups = backupNodeStore(sql, node);
  const backupsDir = backupsDirOf(config);
  const handlers: TaskHandlers = {
    rotate: rotateTask({ driver, store, seal, renew, tell }),
    ...backupTasks({ store: backups, driver, backupsDir, alerts, tell }),
  };
  const runTask = taskRunner({ store, handlers, toDatabaseSpec: spec });
  const { dataDir } = config;
  const tests = restoreTestJob({
    store: restoreTestStore(sql, node),
    driver,
    toDatabaseSpec: spec,
    live: () => keeper.live(),
    backupsDir,
    dataDir,
    node,
    log,
  });
  const { isScratch } = tests;
  const keeper = startReconciler({
    store,
    driver,
    toDatabaseSpec: spec,
    runTask,
    renew,
    tell,
    alerts,
    backupsDir,
    changes,
    reserve,
    log,
    isScratch,
  });
  const available = cachedAvailability(driver.available);
  const samples = samplesStore(sql);
  const check = createByoCheck(config, sql, services);
  const carry = migrateLegacyUrls({ sql, older, keepOlder: byoStore(sql, seal).keepOlder, check, log });
  const jobs: PeriodicJob[] = [
    { name: 'database.carry-over', everySeconds: 60, run: carry },
    ...backupJobs({ store: backups, backupsDir, alerts, node, reserve, log }),
    tests.job,
  ];
  const watching = startUsageMonitor({
    live: keeper.live,
    isBusy: keeper.isBusy,
    sampling: createSampler(driver, samples),
    limits: storageLimits({ driver, store: storageStore(sql, node), alerts, settings: toStorageSettings(config) }),
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
      await tests.close();
      await Promise.all([watching.close(), keeper.close()]);
      await driver.close();
    },
  };
}

const toStorageSettings = ({ databaseStorage, databaseLimits }: Config): StorageSettings => ({
  postgresql: databaseStorage.bytes,
  isByPlan: databaseStorage.by_plan,
  redis: redisDataBytes(databaseLimits),
});
