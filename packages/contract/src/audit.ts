import type { AuditActionType } from './audit-kinds.ts';

/** The actions in the audit trail, as `noun.verb`, and the kind of object that each action changes. */
export const auditActions = {
  'account.create': 'user',
  'account.update': 'user',
  'account.delete': 'user',
  'email.verify': 'user',
  'email.ask-change': 'user',
  'email.change': 'user',
  'password.change': 'user',
  'password.reset': 'user',
  'second-factor.enable': 'user',
  'second-factor.disable': 'user',
  'second-factor.renew-codes': 'user',
  'session.open': 'session',
  'session.close': 'session',
  'session.close-others': 'user',
  'identity.link': 'identity',
  'identity.unlink': 'identity',
  'api-key.create': 'api_key',
  'api-key.rotate': 'api_key',
  'api-key.revoke': 'api_key',
  'project.create': 'project',
  'project.update': 'project',
  'project.delete': 'project',
  'alert-rule.update': 'project',
  'alert-rule.reset': 'project',
  'variable.set': 'variable',
  'variable.remove': 'variable',
  'deployment.create': 'deployment',
  'deployment.stop': 'deployment',
  'deployment.restart': 'deployment',
  'deployment.cancel': 'deployment',
  'deployment.redeploy': 'deployment',
  'deployment.rollback': 'deployment',
  'deployment.try': 'deployment',
  'log.read': 'deployment',
  'log.download': 'deployment',
  'database.create': 'database',
  'database.update': 'database',
  'database.delete': 'database',
  'database.start': 'database',
  'database.stop': 'database',
  'database.rotate-password': 'database',
  'database.read-secret': 'database',
  'database.export': 'database',
  'backup.create': 'backup',
  'backup.delete': 'backup',
  'backup.restore': 'backup',
  'alert.resolve': 'alert',
  'model-prices.update': 'team',
  'model-providers.update': 'team',
  'budget.set': 'team',
  'subscription.create': 'team',
  'subscription.update': 'team',
  'subscription.cancel': 'team',
  'subscription.resume': 'team',
  'payment-method.update': 'team',
  'payment.confirm': 'team',
  'billing-details.update': 'team',
  'invoice.export': 'team',
  'invoice.download': 'invoice',
  'audit.export': 'team',
  'audit.verify': 'team',
  'data-protection.update': 'project',
  'data-subject.request': 'team',
  'data-subject.erase': 'team',
  'compliance.check': 'team',
  'compliance.export': 'team',
  'access-review.start': 'access_review',
  'access-review.decide': 'access_review',
  'access-review.complete': 'access_review',
  'waiver.create': 'waiver',
  'waiver.delete': 'waiver',
  'policy.create': 'policy',
  'policy.update': 'policy',
  'policy.delete': 'policy',
  'alert.snooze': 'alert',
  'channel.create': 'channel',
  'channel.update': 'channel',
  'channel.delete': 'channel',
  'channel.test': 'channel',
  'channel.rotate-secret': 'channel',
  'channel.retry': 'channel',
} as const satisfies Record<`${string}.${string}`, AuditTarget>;

export type AuditAction = keyof typeof auditActions;

/** Actions that read data worth recording, or that open or close access to it. */
const dataAccess = new Set<AuditAction>([
  'session.open',
  'session.close',
  'session.close-others',
  'log.read',
  'log.download',
  'database.read-secret',
  'database.export',
  'audit.export',
  'audit.verify',
  'data-subject.request',
  'compliance.export',
  'invoice.export',
  'invoice.download',
]);

/** The `action_type` of a call's record. */
export function resolveAuditType(action: AuditAction): AuditActionType {
  if (dataAccess.has(action)) return 'data_access';
  return action.startsWith('deployment.') ? 'deployment' : 'configuration';
}

export type AuditTarget =
  | 'user'
  | 'session'
  | 'identity'
  | 'api_key'
  | 'project'
  | 'variable'
  | 'deployment'
  | 'database'
  | 'backup'
  | 'alert'
  | 'channel'
  | 'policy'
  | 'waiver'
  | 'access_review'
  | 'invoice'
  | 'team';
