import { commandLine } from './commands.ts';
import type { SourceTree } from './source-tree.ts';

interface Tool {
  /** A file that the tool needs at the top of the agent's folder. */
  setting: string;
  /** A migration of the archive. */
  migration: RegExp;
  command: string;
  /** Words that stand together in a line if the archive applies its migrations itself. */
  applies: string[][];
}

const alembic = 'alembic upgrade head';
const tools: Tool[] = [
  {
    setting: 'prisma/schema.prisma',
    migration: /(?:^|\/)prisma\/migrations\/[^/]{1,200}\/migration\.sql$/,
    command: 'npx prisma migrate deploy',
    applies: [
      ['prisma', 'migrate deploy'],
      ['prisma', 'migrate dev'],
      ['prisma', 'db push'],
    ],
  },
  {
    setting: 'manage.py',
    migration: /(?:^|\/)migrations\/0001_\w{1,100}\.py$/,
    command: 'python manage.py migrate --noinput',
    applies: [['migrate']],
  },
  {
    setting: 'alembic.ini',
    migration: /(?:^|\/)(?:alembic|migrations)\/versions\/[^/]{1,200}\.py$/,
    command: alembic,
    applies: [['alembic', 'upgrade'], ['command.upgrade('], ['create_all']],
  },
];
const mayApply = /^(?:package\.json|Procfile|Dockerfile|(?:docker-)?compose\.ya?ml|[^/]{1,60}\.sh|(?:scripts|docker|bin)\/[^/]{1,60}\.sh)$/;
const maxFiles = 60;
const maxCharacters = 200_000;

/** Migrations of a database that the start does not apply. */
export interface Migrations {
  folder: string;
  /** The start with them before it. */
  start: string;
}

/** The migrations that neither the start nor any script or source of the archive applies; undefined if there are none. */
export function unappliedMigrations(tree: SourceTree, start: string[]): Migrations | undefined {
  for (const { setting, migration, command, applies } of tools) {
    const found = tree.has(setting) ? tree.files.find((file) => migration.test(file)) : undefined;
    if (found === undefined) continue;
    const line = start[1] === '-c' && start.length === 3 ? (start[2] ?? '') : commandLine(start);
    // Alembic is also called by the agent's own source.
    const isSource = (file: string) =>
      command === alembic && file.endsWith('.py') && !migration.test(file) && !/(?:^|\/)env\.py$/.test(file);
    const files = tree.files.filter((file) => mayApply.test(file) || isSource(file)).slice(0, maxFiles);
    const lines = [line, ...files.flatMap((file) => (tree.read(file) ?? '').slice(0, maxCharacters).split('\n'))];
    if (lines.some((one) => applies.some((words) => words.every((word) => one.includes(word))))) return undefined;
    return {
      folder: found
        .split('/')
        .slice(0, setting === 'prisma/schema.prisma' ? -2 : -1)
        .join('/'),
      start: `${command} && ${line}`,
    };
  }
  return undefined;
}
