import type { Command } from 'commander';
import { backUp } from '../databases/back-up.ts';
import { printConnectionString } from '../databases/connection-string.ts';
import { listBackups, listDatabases } from '../databases/lists.ts';
import { restoreBackup } from '../databases/restore.ts';
import type { TargetOptions } from '../deployment.ts';
import { examples } from '../examples.ts';
import type { Run } from '../run.ts';

const which = ['[database]', 'postgres, redis or an id (db_…); needed where there are several'] as const;

export function dbCommand(program: Command, run: Run) {
  const db = program
    .command('db')
    .description('See databases, get their connection strings, back them up and restore them.')
    .addHelpText(
      'after',
      examples([
        ['psql "$(paddock db url postgres)"', 'into the database of this project'],
        ['paddock db backup postgres', 'back it up now'],
        ['paddock db restore bak_… --into-new', 'into a copy beside it'],
      ]),
    );
  const target = (command: Command) =>
    command
      .option('--project <name>', 'the project (else the one of this folder)')
      .option('--env <environment>', 'production or preview', 'production');
  db.command('list')
    .alias('ls')
    .description('List databases, newest first.')
    .option('--project <name>', 'only those of one project')
    .option('--env <environment>', 'only production or preview')
    .action((options: TargetOptions, command: Command) => run(command, (context) => listDatabases(context, options)));
  target(
    db
      .command('url')
      .description('Print the connection string, with its password, and nothing else.')
      .argument(...which),
  ).action((given: string | undefined, options: TargetOptions, command: Command) =>
    run(command, (context) => printConnectionString(context, given, options)),
  );
  target(
    db
      .command('backup')
      .description('Back a managed database up now, and wait until that is done.')
      .argument(...which),
  )
    .option('--no-wait', 'return as soon as the server has accepted it')
    .action((given: string | undefined, options: TargetOptions & { wait: boolean }, command: Command) =>
      run(command, (context) => backUp(context, given, options)),
    );
  target(
    db
      .command('backups')
      .description('List the backups of a database, newest first.')
      .argument(...which),
  ).action((given: string | undefined, options: TargetOptions, command: Command) =>
    run(command, (context) => listBackups(context, given, options)),
  );
  db.command('restore')
    .description('Put a backup back over its database, which is backed up before if it runs, or into a new one.')
    .argument('<backup>', 'its id (bak_…), as "paddock db backups" shows it')
    .option('--into-new', 'into a new database beside it, which agents do not get')
    .option('-y, --yes', 'do not ask for the name of the project')
    .action((id: string, options: { intoNew?: boolean; yes?: boolean }, command: Command) =>
      run(command, (context) => restoreBackup(context, id, options)),
    );
}
