import type { Database, DatabaseBackup } from '@paddock/contract';
import { megabytes } from '../archive/list-files.ts';
import type { Context } from '../context.ts';
import { parseEnvironment, type TargetOptions } from '../deployment.ts';
import { theProject } from '../project.ts';
import { table } from '../terminal.ts';
import { everyDatabase, theDatabase } from './find-database.ts';

export async function listDatabases(context: Context, { project, env }: TargetOptions) {
  const server = await context.server();
  const databases = await everyDatabase(server, {
    ...(project === undefined ? {} : { project_id: (await theProject(context, project, server)).id }),
    ...(env === undefined ? {} : { environment: parseEnvironment(env) }),
  });
  const { terminal } = context;
  const heading = ['DATABASE', 'PROJECT', 'ENVIRONMENT', 'TYPE', 'MODE', 'NAME', 'STATUS', 'SIZE', 'LAST BACKUP (UTC)'];
  const none = 'No databases. To get them: paddock deploy --database managed';
  terminal.result({ databases }, databases.length ? table(heading, databases.map(formatRow), terminal) : none);
}

const formatRow = (each: Database) => [
  each.id,
  each.project_name,
  each.environment,
  each.version ? `${each.type} ${each.version}` : each.type,
  each.mode,
  each.name,
  each.is_read_only ? `${each.status}, read-only` : each.status,
  formatSize(each),
  each.mode === 'byo' ? '' : minute(each.last_backup_at),
];

export async function listBackups(context: Context, given: string | undefined, options: TargetOptions) {
  const server = await context.server();
  const database = await theDatabase(context, { server, given, options });
  const answer = await server.api.databases.backups({ id: database.id, limit: 500 });
  const { terminal } = context;
  const heading = ['BACKUP', 'WHY', 'STATUS', 'SIZE', 'CREATED (UTC)', 'KEPT UNTIL'];
  const none = `No backups of ${database.id} yet. To make one: paddock db backup ${database.id}`;
  terminal.result(answer, answer.backups.length ? table(heading, answer.backups.map(backupRow), terminal) : none);
}

const backupRow = (each: DatabaseBackup) => [
  each.id,
  each.trigger.replaceAll('_', ' '),
  each.error_message ? `${each.status}: ${each.error_message}` : each.status,
  each.size_bytes === null ? '' : megabytes(each.size_bytes),
  minute(each.created_at),
  each.expires_at?.slice(0, 10) ?? 'you remove it',
];

const formatSize = ({ size_bytes, storage_limit_bytes }: Database) => {
  if (size_bytes === null) return '';
  return storage_limit_bytes === null ? megabytes(size_bytes) : `${megabytes(size_bytes)} of ${megabytes(storage_limit_bytes)}`;
};

const minute = (time: string | null) => time?.slice(0, 16).replace('T', ' ') ?? 'never';
