import { databases } from '@paddock/contract';
import { type Handlers, serve } from '../../http/serve.ts';

type All = Handlers<typeof databases>;
export type LifecycleHandlers = Pick<All, 'list' | 'get' | 'delete' | 'connectionString' | 'rotatePassword' | 'start' | 'stop'>;
export type ByoHandlers = Pick<All, 'create' | 'update' | 'check'>;
export type BackupHandlers = Pick<All, 'backups' | 'backup' | 'createBackup' | 'deleteBackup' | 'restore' | 'exportSql'>;
export type MetricsHandlers = Pick<All, 'metrics'>;

interface Deps {
  lifecycle: LifecycleHandlers;
  byo: ByoHandlers;
  backups: BackupHandlers;
  metrics: MetricsHandlers;
}

export const databaseRoutes = ({ lifecycle, byo, backups, metrics }: Deps) =>
  serve(databases, { ...lifecycle, ...byo, ...backups, ...metrics });
