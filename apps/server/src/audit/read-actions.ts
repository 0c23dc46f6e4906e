import type { AuditAction, Route } from '@paddock/contract';

/** Actions that only read: the read is recorded before its result is returned. */
export const readActions: ReadonlySet<AuditAction | undefined> = new Set([
  'log.read',
  'log.download',
  'database.read-secret',
  'database.export',
  'audit.export',
  'audit.verify',
  'compliance.export',
  'invoice.export',
  'invoice.download',
]);

/** Whether a call changes data of the team. Changes to one's own account, and signing in and out, do not count. */
export const changesTeam = ({ access, audit, path }: Pick<Route, 'access' | 'audit' | 'path'>): boolean =>
  access !== 'public' && audit !== undefined && audit !== false && !readActions.has(audit) && !path.startsWith('/auth/');
