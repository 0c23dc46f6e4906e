import type { AuditAction, Route } from '@paddock/contract';

/** Actions that change nothing: what they give is recorded before it is given. */
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

/** True for calls that change something of the team; what people change of their own account does not count, nor how they sign in and out. */
export const changesTeam = ({ access, audit, path }: Pick<Route, 'access' | 'audit' | 'path'>): boolean =>
  access !== 'public' && audit !== undefined && audit !== false && !readActions.has(audit) && !path.startsWith('/auth/');
