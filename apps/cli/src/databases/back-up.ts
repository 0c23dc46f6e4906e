import type { DatabaseBackup } from '@paddock/contract';
import { megabytes } from '../archive/list-files.ts';
import type { Context, Server } from '../context.ts';
import type { TargetOptions } from '../deployment.ts';
import { exitCodes, notFound } from '../failures.ts';
import { withRetries } from '../retry.ts';
import { clean } from '../terminal.ts';
import { theDatabase } from './find-database.ts';
import { waitUntilDone } from './wait-until-done.ts';

type Options = TargetOptions & { wait: boolean };

/** Makes a backup and follows it to its end. Prints its id once the backup is available; returns 1 if the backup failed. */
export async function backUp(context: Context, given: string | undefined, options: Options): Promise<number> {
  const { terminal } = context;
  const server = await context.server();
  const database = await theDatabase(context, { server, given, options });
  const started = await server.api.databases.createBackup({ id: database.id });
  if (!options.wait) {
    terminal.note(`The backup was accepted. See how it goes: paddock db backups ${database.id}`);
    terminal.result(started, started.id);
    return exitCodes.ok;
  }
  const done = await waitUntilDone(context, {
    what: `Backing up ${database.type} of ${database.project_name}`,
    later: `paddock db backups ${database.id}`,
    look: () => findBackup(context, server, { id: database.id, backupId: started.id }),
    isOver: ({ status }) => status === 'available' || status === 'failed',
  });
  if (done.status === 'failed') {
    terminal.note(terminal.notePaint.red(clean(`Failed: ${done.error_message ?? 'no reason was given'}`)));
    terminal.result(done, '');
    return exitCodes.failed;
  }
  terminal.note(`Backed up ${database.type} of ${database.project_name}, ${database.environment}: ${megabytes(done.size_bytes ?? 0)}`);
  terminal.note(`SHA-256 ${done.sha256}`);
  terminal.result(done, done.id);
  return exitCodes.ok;
}

interface BackupIds {
  /** Id of the database. */
  id: string;
  backupId: string;
}

/** The backup is among the newest: if it is missing, somebody deleted it meanwhile. */
async function findBackup({ signal }: Context, { api }: Server, { id, backupId }: BackupIds): Promise<DatabaseBackup> {
  const { backups } = await withRetries(() => api.databases.backups({ id, limit: 500 }), signal);
  const found = backups.find((each) => each.id === backupId);
  if (!found) throw notFound(`The backup ${backupId} was removed before it was complete.`);
  return found;
}
