import type { Json } from '@paddock/audit';
import type { AuditTarget } from '@paddock/contract';
import type { Tx } from '../db/connect.ts';
import { newId } from '../ids.ts';
import { insertEvent } from './intake-store.ts';
import { findTargets } from './target-store.ts';

/** Paddock's own actions on a team's things, except the transitions of deployments, which a trigger records. */
export const systemActions = {
  'channel.switch-off': 'channel',
  'data-subject.erased': 'team',
  'database.end-writing': 'database',
  'database.allow-writing': 'database',
  'policy.enforce': 'policy',
  'subscription.advance': 'team',
} as const satisfies Record<`${string}.${string}`, AuditTarget>;

const wellEndings = new Set<string>(['database.allow-writing', 'subscription.advance', 'data-subject.erased']);

interface SystemAction {
  team_id: string;
  action: keyof typeof systemActions;
  id: string;
  output?: { [field: string]: Json };
}

/** Records an action of Paddock itself, in the transaction of that action. */
export async function recordSystemAction(tx: Tx, { team_id, action, id, output }: SystemAction): Promise<void> {
  const type = systemActions[action];
  const { targets, agent } = await findTargets(tx, { type, team_id, ids: [id] });
  await insertEvent(tx, {
    team_id,
    id: newId('aud'),
    timestamp: new Date().toISOString(),
    ...agent,
    action_type: 'configuration',
    action,
    status: wellEndings.has(action) ? 'success' : 'warning',
    actor: { type: 'platform', id: null, name: null },
    user_id: null,
    targets: targets.map((target) => ({ type, ...target })),
    duration_ms: null,
    trace_id: null,
    input_data: null,
    output_data: output ?? null,
    metadata: { ip_address: null, user_agent: null, request_id: null },
    pii: null,
  });
}
