import * as z from 'zod';
import { Environment } from './deployments.ts';
import { id, nextCursor, nothing, page, timestamp } from './lists.ts';
import { MetricsRange } from './metrics.ts';
import { route } from './route.ts';

export const databaseTypes = ['postgresql', 'redis'] as const;
export const DatabaseType = z.enum(databaseTypes);
export type DatabaseType = (typeof databaseTypes)[number];

/** The variable that contains the connection string for agents. */
export const databaseVariables = { postgresql: 'DATABASE_URL', redis: 'REDIS_URL' } as const satisfies Record<DatabaseType, string>;

/** `unreachable` applies only to external databases, `available` to all, every other status only to managed databases. */
export const databaseStatuses = ['provisioning', 'available', 'stopped', 'failed', 'restoring', 'deleting', 'unreachable'] as const;
export type DatabaseStatus = (typeof databaseStatuses)[number];

export const Database = z.object({
  id: id('db'),
  type: DatabaseType,
  project_id: id('prj'),
  project_name: z.string(),
  environment: Environment,
  mode: z.enum(['managed', 'byo']).meta({ description: 'Run by Paddock, or brought along by its address' }),
  name: z.string().meta({ description: "'main', or the name of a copy that a restore made" }),
  is_attached: z.boolean().meta({ description: 'Whether agents of the environment get its connection string; copies are for people' }),
  status: z.enum(databaseStatuses).meta({
    description:
      '`available`: it accepts connections; a `byo` one answered the last check. `unreachable`: a `byo` one did not. The others are of managed ones',
  }),
  status_message: z.string().nullable().meta({ description: 'Why it is not available, or what it warns of' }),
  host: z.string().nullable(),
  port: z.number().int().nullable(),
  version: z.string().nullable(),
  size_bytes: z.number().int().nullable().meta({ description: 'Of Redis: bytes of memory in use' }),
  storage_limit_bytes: z.number().int().nullable().meta({ description: 'Null: not limited' }),
  is_read_only: z.boolean().meta({ description: 'Its storage is used up' }),
  last_backup_at: timestamp.nullable(),
  created_at: timestamp,
});
export type Database = z.infer<typeof Database>;

export const DatabaseBackup = z.object({
  id: id('bak'),
  database_id: id('db'),
  trigger: z.enum(['daily', 'manual', 'before_restore']),
  status: z.enum(['queued', 'running', 'available', 'failed']),
  error_message: z.string().nullable(),
  size_bytes: z.number().int().nullable(),
  sha256: z.string().nullable(),
  version: z.string().nullable().meta({ description: 'Of the server that wrote it' }),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  expires_at: timestamp.nullable().meta({ description: 'Null: kept until it is removed. The newest one is always kept.' }),
});
export type DatabaseBackup = z.infer<typeof DatabaseBackup>;

const figure = z.number().nullable();
export const DatabasePoint = z.object({
  at: timestamp,
  size_bytes: figure,
  memory_bytes: figure,
  connections: figure,
  transactions: figure.meta({ description: 'PostgreSQL: commits and rollbacks; Redis: commands' }),
  cache_hit_ratio: figure.meta({ description: '0 to 1. PostgreSQL: blocks found in its buffers; Redis: keys found' }),
  keys: figure,
  evictions: figure,
});
export type DatabasePoint = z.infer<typeof DatabasePoint>;

const points = z
  .array(DatabasePoint)
  .meta({ description: 'Values are null where nothing was measured, or the type has no such figure. Counts are of the whole step' });
const one = z.strictObject({ id: id('db') });
const url = z.string().min(1).max(2048);
const ofBackup = one.extend({ backup_id: id('bak') });

export const databases = {
  list: route({
    method: 'GET',
    path: '/databases',
    access: 'databases:read',
    summary: 'Databases, newest first',
    errors: ['cursor_invalid'],
    input: z.strictObject({ ...page.shape, project_id: id('prj').optional(), environment: Environment.optional() }),
    output: z.object({ databases: z.array(Database), next_cursor: nextCursor, total: z.number().int() }),
  }),
  get: route({
    method: 'GET',
    path: '/databases/:id',
    access: 'databases:read',
    summary: 'One database',
    errors: ['database_not_found'],
    input: one,
    output: Database,
  }),
  create: route({
    method: 'POST',
    path: '/databases',
    access: 'projects:write',
    status: 201,
    location: '/databases/{id}',
    summary: 'Bring a database along: agents deployed with the mode byo get its address',
    note: 'Managed databases are made by a deployment in the mode `managed`, and by no call.',
    audit: 'database.create',
    errors: ['project_not_found', 'database_taken', 'database_address_refused'],
    input: z.strictObject({
      project_id: id('prj'),
      environment: Environment.default('production'),
      type: DatabaseType,
      url,
    }),
    output: Database,
  }),
  update: route({
    method: 'PUT',
    path: '/databases/:id',
    access: 'projects:write',
    summary: 'Change the address of a database that was brought along; agents get it at their next start',
    audit: 'database.update',
    errors: ['database_not_found', 'database_not_byo', 'database_address_refused'],
    input: one.extend({ url }),
    output: Database,
  }),
  delete: route({
    method: 'DELETE',
    path: '/databases/:id',
    access: 'agents:delete',
    status: 204,
    summary: 'Delete a database with its data and its backups; of one that was brought along, forget the address',
    audit: 'database.delete',
    errors: ['database_not_found'],
    input: one,
    output: nothing,
  }),
  check: route({
    method: 'POST',
    path: '/databases/check',
    access: 'agents:deploy',
    summary: 'Try an address that somebody brings along: refuses what agents may not reach, warns of what does not answer',
    // Not audited: the address is tried and not stored.
    audit: false,
    errors: ['database_address_refused'],
    input: z.strictObject({ type: DatabaseType, url }),
    output: z.object({ reachable: z.boolean(), message: z.string() }),
  }),
  connectionString: route({
    method: 'GET',
    path: '/databases/:id/connection-string',
    answer: 'secret',
    access: 'databases:read',
    summary: 'The connection string, with its password',
    audit: 'database.read-secret',
    errors: ['database_not_found', 'database_not_ready'],
    input: one,
    output: z.object({
      connection_string: z.string(),
      env_var: z.enum(['DATABASE_URL', 'REDIS_URL']),
      command: z.string().meta({ description: 'A ready line for the terminal, psql or redis-cli' }),
    }),
  }),
  rotatePassword: route({
    method: 'POST',
    path: '/databases/:id/rotate-password',
    access: 'projects:write',
    summary: 'Give a managed database a new password at once; the agents that use it start anew with it',
    note: 'It answers once the new password works; after 15 seconds with 503, and a repeat with the same Idempotency-Key finds the same change.',
    audit: 'database.rotate-password',
    errors: ['database_not_found', 'database_not_managed', 'database_not_ready'],
    input: one,
    output: Database,
  }),
  start: route({
    method: 'POST',
    path: '/databases/:id/start',
    access: 'agents:write',
    summary: 'Start a managed database that was stopped or has failed',
    audit: 'database.start',
    errors: ['database_not_found', 'database_not_managed', 'database_not_ready'],
    input: one,
    output: Database,
  }),
  stop: route({
    method: 'POST',
    frees: true,
    path: '/databases/:id/stop',
    access: 'agents:write',
    summary: 'Stop a managed database; its data stays, and the next start of an agent that needs it starts it',
    audit: 'database.stop',
    errors: ['database_not_found', 'database_not_managed', 'database_not_ready'],
    input: one,
    output: Database,
  }),
  metrics: route({
    method: 'GET',
    path: '/databases/:id/metrics',
    access: 'databases:read',
    summary: 'Size, connections, transactions, hit ratio, memory, keys and evictions over time, measured every minute',
    errors: ['database_not_found', 'database_not_managed'],
    input: one.extend({ time_range: MetricsRange.default('24h') }),
    output: z.object({ time_range: MetricsRange, step_s: z.number().int(), points }),
  }),
  backups: route({
    method: 'GET',
    path: '/databases/:id/backups',
    access: 'databases:read',
    summary: 'Backups of a managed database, newest first',
    errors: ['database_not_found', 'database_not_managed', 'cursor_invalid'],
    input: one.extend(page.shape),
    output: z.object({ backups: z.array(DatabaseBackup), next_cursor: nextCursor }),
  }),
  createBackup: route({
    method: 'POST',
    path: '/databases/:id/backups',
    access: 'projects:write',
    status: 201,
    location: '/databases/:id/backups/{id}',
    summary: 'Back a managed database up now',
    note: 'It begins `queued`: poll the backup until it is `available` or `failed`.',
    audit: 'backup.create',
    errors: ['database_not_found', 'database_not_managed', 'database_not_ready', 'backups_too_many'],
    input: one,
    output: DatabaseBackup,
  }),
  backup: route({
    method: 'GET',
    path: '/databases/:id/backups/:backup_id',
    access: 'databases:read',
    summary: 'One backup of a managed database',
    errors: ['database_not_found', 'database_not_managed', 'backup_not_found'],
    input: ofBackup,
    output: DatabaseBackup,
  }),
  deleteBackup: route({
    method: 'DELETE',
    path: '/databases/:id/backups/:backup_id',
    access: 'agents:delete',
    status: 204,
    summary: 'Remove a backup',
    audit: 'backup.delete',
    errors: ['database_not_found', 'database_not_managed', 'backup_not_found', 'backup_not_available'],
    input: ofBackup,
    output: nothing,
  }),
  restore: route({
    method: 'POST',
    path: '/databases/:id/backups/:backup_id/restore',
    access: 'projects:write',
    summary: 'Put a backup back: over the database itself (which is backed up before if it runs), or into a new one beside it',
    note: 'Poll the returned database until it is neither `restoring` nor `provisioning`.',
    audit: 'backup.restore',
    errors: [
      'database_not_found',
      'database_not_managed',
      'database_not_ready',
      'database_taken',
      'backup_not_found',
      'backup_not_available',
    ],
    input: ofBackup.extend({ into: z.enum(['same', 'new']) }),
    output: Database,
  }),
  exportSql: route({
    method: 'GET',
    path: '/databases/:id/export',
    access: 'databases:read',
    download: { as: 'text', types: ['application/sql'] },
    summary: 'The content of a managed PostgreSQL database as SQL, where a pg_dump that fits is installed',
    audit: 'database.export',
    errors: ['database_not_found', 'database_not_managed', 'database_not_ready', 'export_unavailable'],
    input: one,
    output: z.string(),
  }),
};
