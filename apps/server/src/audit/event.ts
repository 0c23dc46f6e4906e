import type { AuditEvent } from '@paddock/audit';
import { newId } from '../ids.ts';
import type { Call } from './call.ts';

type Told = Pick<AuditEvent, 'team_id' | 'action_type' | 'action' | 'actor' | 'user_id'> & Partial<AuditEvent>;

/** Timestamp of an event of a call, and the call's duration until then. */
export const stampEvent = ({ begunMs }: Call) => ({
  timestamp: new Date().toISOString(),
  duration_ms: Math.round((performance.now() - begunMs) * 1000) / 1000,
});

/** An event of a call, at the current time unless `told` sets another one. */
export const createAuditEvent = (call: Call, told: Told): AuditEvent => ({
  id: newId('aud'),
  ...stampEvent(call),
  agent_id: null,
  agent_name: null,
  status: 'success',
  targets: [],
  trace_id: null,
  input_data: Object.keys(call.input).length > 0 ? call.input : null,
  output_data: null,
  metadata: { ip_address: call.ip, user_agent: call.user_agent || null, request_id: call.request_id },
  pii: null,
  ...told,
});
