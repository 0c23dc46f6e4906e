import type { DatabaseType } from '@paddock/contract';

/** As people write it. */
export const nameOf: Record<DatabaseType, string> = { postgresql: 'PostgreSQL', redis: 'Redis' };
