import type { Database, DatabaseBackup } from '@paddock/contract';
import { confirmByName } from '../ask.ts';
import type { Context, Server } from '../context.ts';
import { exitCodes, notFound, ToolError, usage } from '../failures.ts';
import { withRetries } from '../retry.ts';
import { clean } from '../terminal.ts';
import { everyDatabase } from './find-database.ts';
import { waitUntilDone } from './wait-until-done.ts';

interface Options {
  intoNew?: boolean;
  yes?: boolean;
}

const under = ['restoring', 'provisioning'];

/** Restores a backup and waits for the end. Asks only if data is replaced. */
export async function restoreBackup(context: Context, backupId: string, options: Options): Promise<number> {
  if (!backupId.startsWith('bak_')) throw usage(`${backupId} is no backup. "paddock db backups" shows their ids (bak_…).`);
  const server = await context.server();
  const { database, backup } = await theBackup(server, backupId);
  const { type, project_name, environment } = database;
  if (!options.intoNew) {
    const what = `This replaces what ${type} of ${project_name} (${environment}) holds by the backup of ${backup.created_at}.`;
    if (!(await confirmByName(context, { what, name: project_name, yes: options.yes === true })))
      throw new ToolError('not_confirmed', 'Nothing was restored.', { exit: exitCodes.failed });
  }
  const { id } = await server.api.databases.restore({ id: database.id, backup_id: backupId, into: options.intoNew ? 'new' : 'same' });
  const done = await waitUntilDone(context, {
    what: `Restoring ${type} of ${project_name}`,
    later: `paddock db list --project ${project_name}`,
    look: () => withRetries(() => server.api.databases.get({ id }), context.signal),
    isOver: ({ status }) => !under.includes(status),
  });
  return tell(context, done, options.intoNew === true);
}

/** After a refused backup the database is available again, so its status alone does not show the failure. */
const hasFailed = ({ status, status_message }: Database) =>
  status !== 'available' || status_message?.startsWith('The restore failed') === true;

function tell({ terminal }: Context, done: Database, isNew: boolean): number {
  if (hasFailed(done)) {
    terminal.note(terminal.notePaint.red(clean(`Failed: ${done.status_message ?? `the database is ${done.status}`}`)));
    terminal.result(done, '');
    return exitCodes.failed;
  }
  if (done.status_message) terminal.note(clean(done.status_message));
  terminal.note(
    isNew ? `Restored into ${done.name}. Its address: paddock db url ${done.id}` : `Restored ${done.type} of ${done.project_name}.`,
  );
  terminal.result(done, done.id);
  return exitCodes.ok;
}

/** Backups are listed per database, so all managed databases are searched. */
async function theBackup(server: Server, id: string): Promise<{ database: Database; backup: DatabaseBackup }> {
  for (const database of await everyDatabase(server, {})) {
    if (database.mode !== 'managed') continue;
    const { backups } = await server.api.databases.backups({ id: database.id, limit: 500 });
    const backup = backups.find((each) => each.id === id);
    if (backup) return { database, backup };
  }
  throw notFound(`There is no backup ${id} on ${server.url}. "paddock db backups" shows those of a database.`);
}
