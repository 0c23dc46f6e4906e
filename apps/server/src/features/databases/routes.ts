import { databases } from '@paddock/contract';
import { type Handlers, serve } from '../../http/serve.ts';

type All = Handlers<typeof databases>;
export type LifecycleHandlers = Pick<All, 'list' | 'get' | 'delete' | 'connectionString' | 'rotatePassword' | 'start' | 'stop'>;
export type ByoHandlers = Pick<All, 'create' | 'update' | 'check'>;
export type BackupHandlers = Pick<All, 'backups' | 'createBackup' | 'deleteBackup' | 'restore' | 'exportSql'>;
export type MetricsHandlers = Pick<All, 'metrics'>;

/** The calls below /databases, from their four parts. */
export const databaseRoutes = (lifecycle: LifecycleHandlers, byo: ByoHandlers, backups: BackupHandlers, metrics: MetricsHandlers) =>
  serve(databases, { ...lifecycle, ...byo, ...backups, ...metrics });
