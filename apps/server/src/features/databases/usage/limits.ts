import { type DatabaseType, storageMarks } from '@paddock/contract';
import { plans } from '@paddock/contract/plans';
import type { DatabaseDriver, DatabaseFigures } from '@paddock/database-driver';
import type { DatabaseAlerts } from '../backups/backup-tasks.ts';
import type { LiveDatabase } from '../rows.ts';
import { typeLabel } from '../type-labels.ts';
import type { StorageRow, StorageStore } from './limits-store.ts';

export type StorageLevel = 'fine' | 'warning' | 'read_only' | 'refused';

/** A warning ends below this share, so that small fluctuations do not raise it again and again. */
const warningEnds = 0.75;
/** Prefix of the storage messages in a row. */
export const storageMessage = 'Storage: ';

/** The level for the used share of a limit. Redis itself refuses writes beyond its memory, so it is never closed. */
export function storageLevel({
  type,
  used_bytes,
  limit_bytes,
  is_read_only,
  is_warned,
}: {
  type: DatabaseType;
  used_bytes: number;
  limit_bytes: number | null;
  is_read_only: boolean;
  is_warned: boolean;
}): StorageLevel {
  if (limit_bytes === null || limit_bytes <= 0) return 'fine';
  const share = used_bytes / limit_bytes;
  if (share >= storageMarks.refused && type === 'postgresql') return 'refused';
  if (share >= storageMarks.readOnly || (is_read_only && share >= storageMarks.writableAgain)) return 'read_only';
  return share >= storageMarks.warning || (is_warned && share >= warningEnds) ? 'warning' : 'fine';
}

export interface StorageSettings {
  /** Per PostgreSQL database, in bytes; null: not limited. */
  postgresql: number | null;
  /** Use the limit of the team's plan for all its PostgreSQL databases together instead. */
  isByPlan: boolean;
  /** Memory for the data of a Redis database. */
  redis: number;
}

interface Deps {
  driver: Pick<DatabaseDriver, 'setWriting'>;
  store: StorageStore;
  alerts: DatabaseAlerts;
  settings: StorageSettings;
}

/** Enforces storage limits: warns, makes a database read-only, allows writes again, and closes one that still keeps growing. */
export function storageLimits({ driver, store, alerts, settings }: Deps) {
  /** The writing mode last set on each server, with the server's start time: one that was restarted or restored may have another mode. */
  const told = new Map<string, string>();

  return {
    /** Applies the settings to all limits, also of databases created before. */
    follow: () => store.setLimits(settings),

    /** Returns the used share of the limit; undefined without a limit. */
    async judge(live: LiveDatabase, figures: DatabaseFigures): Promise<number | undefined> {
      const row = await store.storage(live.row.id);
      if (!row || row.status !== 'available') return undefined;
      const limit_bytes = row.storage_limit_bytes;
      const used_bytes = row.type === 'postgresql' && settings.isByPlan ? row.team_bytes : figures.size_bytes;
      const is_warned = row.is_read_only || Boolean(row.status_message?.startsWith(storageMessage));
      const level = storageLevel({ type: row.type, used_bytes, limit_bytes, is_read_only: row.is_read_only, is_warned });
      if (row.type === 'postgresql') await tell(live, level, figures.started_ms);
      await note(row, level);
      return limit_bytes === null ? undefined : used_bytes / limit_bytes;
    },

    keepOnly(ids: Set<string>) {
      for (const id of told.keys()) if (!ids.has(id)) told.delete(id);
    },
  };

  async function tell({ row, spec, address }: LiveDatabase, level: StorageLevel, started_ms: number) {
    const writing = level === 'read_only' || level === 'refused' ? level : 'allowed';
    const saying = `${writing} ${started_ms}`;
    // Set at each poll while writes are not allowed: the user may have stored a setting against it.
    if (writing === 'allowed' && told.get(row.id) === saying) return;
    await driver.setWriting(spec, address, writing);
    told.set(row.id, saying);
  }

  async function note(row: StorageRow, level: StorageLevel) {
    const { id, team_id, project_id, type } = row;
    const message = level === 'fine' ? null : formatStorageMessage(level, row, settings);
    await store.note(id, { is_read_only: level === 'read_only' || level === 'refused', message });
    const name = `A ${typeLabel[type]} database`;
    const about = { database_id: id, project_id, message: message ?? '', lasting: true };
    if (level === 'fine') await alerts.clear(team_id, { rule: 'database_nearly_full', database_id: id });
    if (level === 'warning')
      await alerts.raise(team_id, { ...about, rule: 'database_nearly_full', severity: 'warning', title: `${name} is nearly full` });
    if (level === 'fine' || level === 'warning') await alerts.clear(team_id, { rule: 'database_full', database_id: id });
    else await alerts.raise(team_id, { ...about, rule: 'database_full', severity: 'critical', title: `${name} is full` });
  }
}

function formatStorageMessage(
  level: Exclude<StorageLevel, 'fine'>,
  { type, storage_limit_bytes, team_bytes }: StorageRow,
  { isByPlan }: StorageSettings,
): string {
  const limit = sizeText(storage_limit_bytes ?? 0);
  if (type === 'redis') {
    const raise = 'delete keys, let keys expire, or have the operator raise PADDOCK_DATABASE_MEMORY_MB';
    return level === 'warning'
      ? `${storageMessage}Redis uses more than 80 % of the ${limit} of memory for its data. Before it is full, ${raise}.`
      : `${storageMessage}Redis uses all of the ${limit} of memory for its data and refuses commands that write. To go on, ${raise}.`;
  }
  const whose = isByPlan ? `the ${limit} of your plan, which all PostgreSQL databases of the team share,` : `the ${limit} that it may have`;
  const raise = isByPlan ? planWay(Math.max(storage_limit_bytes ?? 0, team_bytes)) : 'have the operator raise PADDOCK_DATABASE_STORAGE_MB';
  if (level === 'warning') return `${storageMessage}More than 80 % of ${whose} is used. Remove what is not needed, or ${raise}.`;
  if (level === 'refused')
    return `${storageMessage}It went on growing beyond 120 % of ${whose} and is closed: connections are refused. To open it, ${raise}, or restore a backup from before it grew.`;
  const way =
    'in a session that begins with SET default_transaction_read_only = off, remove data (DROP, TRUNCATE, or DELETE and then VACUUM FULL)';
  return `${storageMessage}All of ${whose} is used: transactions are read-only. To make room, ${way}, or ${raise}. It is writable again below 95 %.`;
}

/** Names the cheapest plan that allows more bytes. */
function planWay(bytes: number): string {
  const isLarger = (gb: number | null) => gb === null || gb * 1e9 > bytes;
  const { name } = Object.values(plans).find(({ limits }) => isLarger(limits.storage_gb)) ?? plans.enterprise;
  return `switch to the plan ${name} in Billing (/billing)`;
}

/** 64 MB, 2 GB: settings are in 1024s, plans in 1000s. */
export function sizeText(bytes: number): string {
  const mb = bytes / 1024 ** 2;
  if (!Number.isInteger(mb)) return `${Math.round(bytes / 1e8) / 10} GB`;
  return mb % 1024 === 0 ? `${mb / 1024} GB` : `${mb} MB`;
}
