import type { AuditEvent } from '@paddock/audit';
import { newId } from '../ids.ts';
import type { Call } from './call.ts';

type Told = Pick<AuditEvent, 'team_id' | 'action_type' | 'action' | 'actor' | 'user_id'> & Partial<AuditEvent>;

/** The current time, and the time since the call began. */
export const momentOf = ({ begunMs }: Call) => ({
  timestamp: new Date().toISOString(),
  duration_ms: Math.round((performance.now() - begunMs) * 1000) / 1000,
});

/** An audit event of a call, with the current time unless `told` has another. */
export const eventOf = (call: Call, told: Told): AuditEvent => ({
  id: newId('aud'),
  ...momentOf(call),
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
