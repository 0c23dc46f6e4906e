import type { DatabaseType } from '@paddock/contract';

/** Display names. */
export const typeLabel: Record<DatabaseType, string> = { postgresql: 'PostgreSQL', redis: 'Redis' };
