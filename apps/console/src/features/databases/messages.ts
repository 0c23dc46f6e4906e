import type { Database, DatabaseType } from '@paddock/contract';

/** Messages on the screens of databases, exactly as specified. */
export const messages = {
  connection: 'Failed to load connection string',
  copied: 'Copied to clipboard!',
} as const;

export const typeWords = { postgresql: 'PostgreSQL', redis: 'Redis' } as const satisfies Record<DatabaseType, string>;
export const environmentWords = { production: 'Production', preview: 'Preview' } as const;
export const modeWords = { managed: 'Managed', byo: 'BYO' } as const;
export const variableNames = { postgresql: 'DATABASE_URL', redis: 'REDIS_URL' } as const satisfies Record<DatabaseType, string>;

/** Whether the database was created by a restore, beside the one that agents use. */
export const isCopy = ({ name }: Pick<Database, 'name'>) => name !== 'main';

/** 'PostgreSQL of support-router, production', with 'BYO' or the name of a copy: no two databases have the same full name. */
export const fullName = (database: Database) =>
  `${typeWords[database.type]} of ${database.project_name}, ${database.environment}${database.mode === 'byo' ? ', BYO' : ''}${isCopy(database) ? `, ${database.name}` : ''}`;
