import type { PlantedBug } from '../bug.ts';

const listener = 'apps/cli/src/login/listen-for-key.ts';
const listenerTest = 'apps/cli/src/login/listen-for-key.test.ts';
const files = 'apps/cli/src/archive/list-files.ts';
const filesTest = 'apps/cli/src/archive/list-files.test.ts';
const databases = 'apps/cli/src/databases';
const databasesTest = `${databases}/databases.test.ts`;

export const cliBugs: PlantedBug[] = [
  {
    bug: 'the command line takes a key with any state',
    promise: 'R21: a key that somebody else sends is not taken',
    file: listener,
    from: 'other !== undefined || !isSame(given, state)',
    to: 'other !== undefined || !isSame(given, given)',
    caught_by: { file: listenerTest, test: 'the key is taken once' },
  },
  {
    bug: 'the command line waits on every address of the machine',
    promise: 'R21: only this machine reaches it',
    file: listener,
    from: "server.listen(0, '127.0.0.1');",
    to: 'server.listen(0);',
    caught_by: { file: listenerTest, test: 'only this machine reaches the listener' },
  },
  {
    bug: 'a page of another origin may hand a key over',
    promise: 'R21: only the page that was opened does',
    file: listener,
    from: "origin !== undefined && origin !== 'null' && origin !== consoleOrigin",
    to: "origin !== undefined && origin !== 'null' && origin === ''",
    caught_by: { file: listenerTest, test: 'the key is taken once' },
  },
  {
    bug: 'others on the machine may read the stored keys',
    promise: 'R21: the file is for its owner',
    file: 'apps/cli/src/config-file.ts',
    from: "open(draft, 'wx', 0o600)",
    to: "open(draft, 'wx', 0o644)",
    caught_by: { file: 'apps/cli/src/config-file.test.ts', test: 'the file is for its owner alone' },
  },
  {
    bug: '.env files are deployed',
    promise: 'secrets of the folder stay there',
    file: files,
    from: 'if (envFile.test(entry.name) && !envExample.test(entry.name)) {',
    to: 'if (envFile.test(entry.name) && envExample.test(entry.name)) {',
    caught_by: { file: filesTest, test: 'repositories, dependencies, .env files' },
  },
  {
    bug: 'a link takes a file from outside along',
    promise: 'only the folder is deployed',
    file: files,
    from: 'if (!target.startsWith(root + sep)) return undefined;',
    to: "if (!target.startsWith('/')) return undefined;",
    caught_by: { file: filesTest, test: 'repositories, dependencies, .env files' },
  },
  {
    bug: 'the command line puts a backup over a database without being sure',
    promise: 'data is replaced only after the typed name, or with --yes',
    file: `${databases}/restore.ts`,
    from: 'if (!options.intoNew) {',
    to: 'if (options.intoNew && !options.intoNew) {',
    caught_by: { file: databasesTest, test: 'a restore over the database wants the name of the project' },
  },
  {
    bug: 'the command line takes a copy for the database that agents use',
    promise: 'the connection string is that of the database that agents get',
    file: `${databases}/find-database.ts`,
    from: 'const attached = fitting.filter((each) => each.is_attached);',
    to: 'const attached = fitting.filter((each) => !each.is_attached);',
    caught_by: { file: databasesTest, test: 'the connection string of the only database is all of stdout' },
  },
];
