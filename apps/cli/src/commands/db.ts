import { type MetricsRange, metricsRanges } from '@paddock/contract';
import { type Command, Option } from 'commander';
import { backUp } from '../databases/back-up.ts';
import { connectTo } from '../databases/connect.ts';
import { printConnectionString } from '../databases/connection-string.ts';
import { listBackups, listDatabases } from '../databases/lists.ts';
import { showMetrics } from '../databases/metrics.ts';
import { restoreBackup } from '../databases/restore.ts';
import { changeRunState, rotatePassword } from '../databases/run-state.ts';
import type { TargetOptions } from '../deployment.ts';
import { examples } from '../examples.ts';
import type { Run } from '../run.ts';

const which = ['[database]', 'postgres, redis or an id (db_…); required if there are several'] as const;

const target = (command: Command) =>
  command
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production');

export function dbCommand(program: Command, run: Run) {
  const db = program
    .command('db')
    .description('List databases, connect to them, start and stop them, back them up and restore them.')
    .addHelpText(
      'after',
      examples([
        ['paddock db connect postgres', 'open psql at the database of this project'],
        ['paddock db backup postgres', 'back it up now'],
        ['paddock db restore bak_… --into-new', 'restore into a new database'],
      ]),
    );
  db.command('list')
    .alias('ls')
    .description('List databases, newest first.')
    .option('--project <name>', 'only those of one project')
    .option('--env <environment>', 'only production or preview')
    .action((options: TargetOptions, command: Command) => run(command, (context) => listDatabases(context, options)));
  target(
    db
      .command('url')
      .description('Print the connection string, including the password, and nothing else.')
      .argument(...which),
  ).action((given: string | undefined, options: TargetOptions, command: Command) =>
    run(command, (context) => printConnectionString(context, given, options)),
  );
  target(
    db
      .command('connect')
      .description('Open psql or redis-cli at the database; the password is in no command line.')
      .argument(...which),
  ).action((given: string | undefined, options: TargetOptions, command: Command) =>
    run(command, (context) => connectTo(context, given, options)),
  );
  target(
    db
      .command('metrics')
      .description('Show size, connections, transactions and hit ratio.')
      .argument(...which),
  )
    .addOption(new Option('--range <range>', 'how far back').choices(metricsRanges).default('24h'))
    .action((given: string | undefined, options: TargetOptions & { range: MetricsRange }, command: Command) =>
      run(command, (context) => showMetrics(context, given, options)),
    );
  for (const [verb, text] of [
    ['start', 'Start a managed database that was stopped or has failed, and wait until it answers.'],
    ['stop', 'Stop a managed database. Its data stays; an agent that needs it starts it again.'],
  ] as const)
    target(
      db
        .command(verb)
        .description(text)
        .argument(...which),
    )
      .option('--no-wait', 'return as soon as the server has accepted the request')
      .action((given: string | undefined, options: TargetOptions & { wait: boolean }, command: Command) =>
        run(command, (context) => changeRunState(context, verb, { given, options })),
      );
  target(
    db
      .command('rotate')
      .description('Give a managed database a new password. Agents that use it start anew with it.')
      .argument(...which),
  ).action((given: string | undefined, options: TargetOptions, command: Command) =>
    run(command, (context) => rotatePassword(context, given, options)),
  );
  addBackups(db, run);
}

function addBackups(db: Command, run: Run) {
  target(
    db
      .command('backup')
      .description('Back up a managed database now and wait for the result.')
      .argument(...which),
  )
    .option('--no-wait', 'return as soon as the server has accepted the request')
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
    .description('Restore a backup over its database (which is backed up first if it is running), or into a new one.')
    .argument('<backup>', 'id of the backup (bak_…), as shown by "paddock db backups"')
    .option('--into-new', 'restore into a new database, which is not connected to agents')
    .option('-y, --yes', 'skip the confirmation')
    .action((id: string, options: { intoNew?: boolean; yes?: boolean }, command: Command) =>
      run(command, (context) => restoreBackup(context, id, options)),
    );
}
