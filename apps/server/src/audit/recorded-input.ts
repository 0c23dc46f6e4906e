import type { Json } from '@paddock/audit';
import type { AuditAction } from '@paddock/contract';

/**
 * The input fields that each action's record contains. Fields not listed here are not recorded: passwords, tokens, codes, mail addresses,
 * addresses of databases and channels, values of variables, and free text.
 */
export const recordedFields = {
  'account.create': [],
  'account.update': [],
  'account.delete': [],
  'email.verify': [],
  'email.ask-change': [],
  'email.change': [],
  'password.change': [],
  'password.reset': [],
  'second-factor.enable': [],
  'second-factor.disable': [],
  'second-factor.renew-codes': [],
  'session.open': ['provider', 'remember'],
  'session.close': [],
  'session.close-others': [],
  'identity.link': ['provider'],
  'identity.unlink': ['provider'],
  'api-key.create': ['name', 'is_test', 'scopes', 'expires_in_days'],
  'api-key.rotate': [],
  'api-key.revoke': [],
  'project.create': ['name'],
  'project.update': ['name'],
  'project.delete': [],
  'alert-rule.update': ['rule', 'is_on', 'threshold'],
  'alert-rule.reset': ['rule'],
  'variable.set': ['environment'],
  'variable.remove': ['environment', 'key'],
  'deployment.create': ['environment', 'database_mode', 'sample', 'root', 'packages', 'keep'],
  'deployment.stop': [],
  'deployment.restart': [],
  'deployment.cancel': [],
  'deployment.redeploy': ['root', 'packages', 'keep'],
  'deployment.rollback': [],
  'deployment.try': ['method'],
  'log.read': ['level'],
  'log.download': ['level', 'format'],
  'database.create': ['environment', 'type'],
  'database.update': [],
  'database.delete': [],
  'database.start': [],
  'database.stop': [],
  'database.rotate-password': [],
  'database.read-secret': [],
  'database.export': [],
  'backup.create': [],
  'backup.delete': [],
  'backup.restore': ['into'],
  'alert.resolve': [],
  'data-subject.request': ['kind'],
  'data-subject.erase': [],
  'alert.snooze': ['minutes'],
  'model-prices.update': [],
  'model-providers.update': [],
  'budget.set': [],
  'billing-details.update': [],
  'invoice.export': [],
  'invoice.download': [],
  'audit.export': ['format', 'agent', 'action_type', 'status', 'date_from', 'date_to', 'trace_id', 'user'],
  'audit.verify': ['from_seq'],
  'compliance.check': ['framework'],
  'compliance.export': ['framework'],
  'access-review.start': [],
  'access-review.decide': ['decision', 'items'],
  'access-review.complete': [],
  'subscription.create': ['plan'],
  'subscription.update': ['plan'],
  'subscription.cancel': [],
  'subscription.resume': [],
  'payment-method.update': [],
  'payment.confirm': ['outcome'],
  'waiver.create': ['control', 'resource_id', 'expires_at'],
  'waiver.delete': [],
  'policy.create': ['name', 'type', 'status'],
  'policy.update': ['name', 'type', 'status'],
  'policy.delete': [],
  'data-protection.update': ['bodies', 'sample_percent', 'when_unrecorded', 'on_overrun', 'rules', 'redact_logs', 'keep_span_content'],
  'channel.create': ['name', 'type', 'events'],
  'channel.update': ['name', 'events', 'is_active'],
  'channel.delete': [],
  'channel.test': [],
  'channel.rotate-secret': [],
  'channel.retry': ['delivery_id'],
} as const satisfies Record<AuditAction, readonly string[]>;

/** The recorded part of a call's parsed input; for an update also the names of the given fields. */
export function recordedInput(action: AuditAction, path: string, input: unknown): { [field: string]: Json } {
  const given = Object.entries(Object(input) as Record<string, unknown>).filter(([, value]) => value !== undefined);
  const named: readonly string[] = recordedFields[action];
  const shown = Object.fromEntries(given.filter(([field]) => named.includes(field)).map(([field, value]) => [field, bounded(value)]));
  if (!action.endsWith('.update')) return shown;
  const inPath = path.split('/');
  return { ...shown, changed: given.map(([field]) => field).filter((field) => !inPath.includes(`:${field}`)) };
}

const maxLetters = 300;
const maxEntries = 100;
const maxDepth = 4;

/** Truncates long texts and lists in a value. */
export function bounded(value: unknown, depth = 0): Json {
  if (typeof value === 'string') return cut(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null || depth > maxDepth) return null;
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((one) => bounded(one, depth + 1));
  const entries = Object.entries(value).slice(0, maxEntries);
  return Object.fromEntries(entries.map(([name, inner]) => [cut(name), bounded(inner, depth + 1)]));
}

/** Truncates a text. A surrogate pair that the cut divides is repaired, because the database does not accept half of one. */
export const cut = (text: string) => text.slice(0, maxLetters).toWellFormed();
