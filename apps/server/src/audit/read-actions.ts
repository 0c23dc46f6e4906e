import type { AuditAction, Route } from '@paddock/contract';

/** Actions that change nothing: they are recorded before their data is returned. */
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

/** True for calls that change data of the team; changes of a person's own account do not count, nor do signing in and out. */
export const changesTeam = ({ access, audit, path }: Pick<Route, 'access' | 'audit' | 'path'>): boolean =>
  access !== 'public' && audit !== undefined && audit !== false && !readActions.has(audit) && !path.startsWith('/auth/');
