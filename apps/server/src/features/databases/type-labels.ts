import type { DatabaseType } from '@paddock/contract';

/** As people write it. */
export const typeLabel: Record<DatabaseType, string> = { postgresql: 'PostgreSQL', redis: 'Redis' };
