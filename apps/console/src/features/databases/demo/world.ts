import type { Alert, Database, DatabaseBackup, DatabaseType, Environment, Project } from '@paddock/contract';
import { freshId } from '../../../demo/ids.ts';
import { parseAddress } from './addresses.ts';
import { demoLimits, demoPorts, demoVersions, sampleBackups, sampleDatabases } from './samples.ts';

const provisionMs = 4000;
/** Provisioning time of the sample, long enough to be seen. */
const firstProvisionMs = 90_000;

type Deps = Pick<Database, 'type' | 'project_id' | 'project_name' | 'environment'> & Partial<Database>;

/** A BYO address and its environment. */
type Brought = { project: Project; environment: Environment; type: DatabaseType; url: string };

/** The demo's databases, and how they are created, changed and deleted. */
export function databaseWorld(now: number, { changed, alerts }: { changed: () => void; alerts: Alert[] }) {
  const databases: Database[] = sampleDatabases(now);
  const backups: DatabaseBackup[] = sampleBackups(now);
  /** Connection strings by database. None of them opens anything. */
  const addresses = new Map<string, string>();

  let passwords = 0;
  function freshAddress({ type, mode, host, port }: Pick<Database, 'type' | 'mode' | 'host' | 'port'>): string {
    passwords += 1;
    const where = `${mode === 'byo' ? 'app' : 'agent'}:demo-no-password-${passwords}@${host}:${port}`;
    return type === 'redis' ? `redis://${where}/0` : `postgresql://${where}/app`;
  }

  function becomeAvailable(database: Database, ms: number) {
    setTimeout(() => {
      if (!databases.includes(database) || (database.status !== 'provisioning' && database.status !== 'restoring')) return;
      const size_bytes = database.size_bytes ?? (database.type === 'redis' ? 1_100_000 : 7_900_000);
      Object.assign(database, { status: 'available', version: demoVersions[database.type], size_bytes });
      changed();
    }, ms);
  }

  function add(given: Deps): Database {
    const database = newDatabase(given);
    databases.unshift(database);
    addresses.set(database.id, freshAddress(database));
    changed();
    return database;
  }

  const of = (project_id: string, environment: Environment, mode: Database['mode']) =>
    databases.filter(
      (each) => each.project_id === project_id && each.environment === environment && each.mode === mode && each.is_attached,
    );

  for (const database of databases) {
    addresses.set(database.id, freshAddress(database));
    if (database.status === 'provisioning') becomeAvailable(database, firstProvisionMs);
  }

  return {
    databases,
    backups,
    addresses,
    freshAddress,
    becomeAvailable,
    databasesOf: of,

    /** Creates the managed databases that an environment lacks, and starts stopped ones. */
    provision({ id: project_id, name: project_name }: Project, environment: Environment) {
      for (const type of ['postgresql', 'redis'] as const) {
        const there = of(project_id, environment, 'managed').find((each) => each.type === type);
        if (!there) becomeAvailable(add({ type, project_id, project_name, environment }), provisionMs);
        else if (there.status === 'stopped') {
          there.status = 'provisioning';
          becomeAvailable(there, provisionMs);
        }
      }
    },

    /** Stores a BYO address, replacing an earlier one. */
    bring({ project, environment, type, url }: Brought): Database {
      const { id: project_id, name: project_name } = project;
      const there = of(project_id, environment, 'byo').find((each) => each.type === type);
      const where = { ...parseAddress(type, url), status: 'available', status_message: null } as const;
      const database = there
        ? Object.assign(there, where)
        : add({ type, project_id, project_name, environment, mode: 'byo', storage_limit_bytes: null, ...where });
      addresses.set(database.id, url);
      changed();
      return database;
    },

    /** A new database beside the given one, from one of its backups. */
    copy({ type, project_id, project_name, environment, size_bytes }: Database, ms: number): Database {
      const name = `restored-${new Date().toISOString().slice(0, 16).replace(':', '').replace('T', '-')}`;
      const made = add({ type, project_id, project_name, environment, size_bytes, name, is_attached: false });
      becomeAvailable(made, ms);
      return made;
    },

    /** Deletes databases with their backups, addresses and alerts. */
    forgetDatabases(which: (database: Database) => boolean) {
      for (const database of databases.filter(which)) {
        databases.splice(databases.indexOf(database), 1);
        addresses.delete(database.id);
        for (const backup of backups.filter((each) => each.database_id === database.id)) backups.splice(backups.indexOf(backup), 1);
        for (const alert of alerts.filter((each) => each.database_id === database.id)) alerts.splice(alerts.indexOf(alert), 1);
      }
    },
  };
}

const newDatabase = (given: Deps): Database => ({
  id: freshId('db'),
  mode: 'managed',
  name: 'main',
  is_attached: true,
  status: 'provisioning',
  status_message: null,
  host: '127.0.0.1',
  port: demoPorts[given.type],
  version: null,
  size_bytes: null,
  storage_limit_bytes: demoLimits[given.type],
  is_read_only: false,
  last_backup_at: null,
  created_at: new Date().toISOString(),
  ...given,
});
