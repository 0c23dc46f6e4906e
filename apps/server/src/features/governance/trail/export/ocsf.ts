import type { AuditLog } from '@paddock/contract';

/** Classes of the Open Cybersecurity Schema Framework 1.6 (schema.ocsf.io), with their category. */
const classes = {
  accountChange: { uid: 3001, category: 3, name: 'Account Change' },
  authentication: { uid: 3002, category: 3, name: 'Authentication' },
  apiActivity: { uid: 6003, category: 6, name: 'API Activity' },
} as const;
const activities = { create: 1, read: 2, update: 3, delete: 4, other: 99 } as const;
const severities = { success: 1, warning: 3, error: 4 } as const;
const logon = 1;
const logoff = 2;

/** A record as an OCSF event. */
export function ocsf(log: AuditLog) {
  const kind = toClassId(log.action);
  const activity_id = toActivityId(log, kind === classes.authentication);
  return {
    class_uid: kind.uid,
    class_name: kind.name,
    category_uid: kind.category,
    activity_id,
    type_uid: kind.uid * 100 + activity_id,
    time: Date.parse(log.timestamp),
    severity_id: severities[log.status],
    status_id: log.status === 'error' ? 2 : 1,
    duration: log.duration_ms === null ? undefined : Math.round(log.duration_ms),
    metadata: { version: '1.6.0', uid: log.id, sequence: log.seq, log_name: 'audit', product: { name: 'Paddock', vendor_name: 'Paddock' } },
    actor: { user: { uid: log.user_id ?? log.actor.id ?? log.actor.type, name: log.actor.name ?? undefined, type: log.actor.type } },
    user: kind === classes.apiActivity ? undefined : { uid: log.user_id ?? log.actor.id ?? 'unknown' },
    api: {
      operation: log.action,
      request: { uid: log.metadata.request_id ?? log.id },
      service: { name: log.agent_name ?? 'paddock', uid: log.agent_id ?? undefined },
    },
    src_endpoint: { ip: log.metadata.ip_address ?? undefined, name: log.metadata.ip_address ? undefined : log.actor.type },
    http_request: log.metadata.user_agent ? { user_agent: log.metadata.user_agent } : undefined,
    resources: log.targets.map(({ type, id, name }) => ({ type, uid: id, name: name ?? undefined })),
    unmapped: {
      action_type: log.action_type,
      trace_id: log.trace_id,
      input_data: log.input_data,
      output_data: log.output_data,
      hash: log.hash,
    },
  };
}

function toClassId(action: string) {
  if (action.startsWith('session.')) return classes.authentication;
  return /^(?:account|password|email|second-factor|identity)\./.test(action) ? classes.accountChange : classes.apiActivity;
}

function toActivityId({ action, action_type }: AuditLog, isAuthentication: boolean): number {
  if (isAuthentication) return action === 'session.open' ? logon : logoff;
  const verb = action.split('.')[1] ?? '';
  if (/^(?:create|enable|link|set)$/.test(verb)) return activities.create;
  if (/^(?:delete|remove|revoke|unlink|disable)$/.test(verb)) return activities.delete;
  if (action_type === 'data_access') return activities.read;
  return action_type === 'configuration' ? activities.update : activities.other;
}
