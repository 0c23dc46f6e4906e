import type { PlantedBug } from '../bug.ts';

const databases = 'apps/server/src/features/databases';
const keeper = `${databases}/node/reconciler.test.ts`;

/** Bugs in managed databases: their owner, their address, and the loss of their data. */
export const databaseBugs: PlantedBug[] = [
  {
    bug: 'databases are read without asking whose they are',
    promise: 'P6: nothing of one team is readable by another',
    file: `${databases}/visible.ts`,
    from: 'const visible = (team_id: string, tx: Tx = sql) => tx`',
    to: 'const visible = (_: string, tx: Tx = sql, team_id = tx`b.team_id`) => tx`',
    caught_by: { file: 'apps/server/src/http/access.test.ts', test: 'with the id of another team' },
  },
  {
    bug: 'a database server that the platform does not know loses its data',
    promise: 'a platform that was put back to an earlier state wipes nothing',
    file: `${databases}/node/reconciler.ts`,
    from: "'stop', () => driver.stop(id));",
    to: "'stop', () => driver.remove(id));",
    caught_by: { file: keeper, test: 'what runs without a row is stopped and stays' },
  },
  {
    bug: 'agents are not told that their database has moved',
    promise: 'an agent has the address of its database',
    file: `${databases}/node/node-store.ts`,
    from: 'if (moved) await renew(tx, row);',
    to: '',
    caught_by: { file: keeper, test: 'one that ended by itself is started at once' },
  },
  {
    bug: 'a task that ends the server is begun again for ever',
    promise: 'every retry has a bound',
    file: `${databases}/node/task-store.ts`,
    from: 'attempts = attempts + 1,',
    to: 'attempts = attempts,',
    caught_by: { file: keeper, test: 'tasks are carried out in order' },
  },
  {
    bug: 'any machine takes an agent whose databases are on another one',
    promise: 'P2: what is claimed can be carried out',
    file: 'apps/server/src/features/deployments/database-placement.ts',
    from: 'and b.node is not null',
    to: 'and b.node = ${node}',
    caught_by: {
      file: 'apps/server/src/features/deployments/database-placement.test.ts',
      test: 'a deployment is claimed where its databases are',
    },
  },
  {
    bug: 'the user of a managed PostgreSQL is a superuser',
    promise: 'an agent gets nothing more out of its database than a database',
    file: 'packages/database-driver/src/process/postgres/settle.ts',
    from: "'LOGIN CREATEDB NOSUPERUSER ",
    to: "'LOGIN CREATEDB SUPERUSER ",
    caught_by: { file: 'attacks/databases.test.ts', test: 'a hostile agent reaches no database but its own' },
  },
];
