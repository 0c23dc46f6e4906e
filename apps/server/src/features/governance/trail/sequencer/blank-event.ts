import type { AuditEvent, Json } from '@paddock/audit';
import type { Blanking } from '../../../../protection/agent-secrets/blanking.ts';
import type { BlankingOf } from '../../../../protection/agent-secrets/known-secrets.ts';

/** Records of visitors and agents; the platform's own never contain values of variables. */
const spoken: ReadonlySet<AuditEvent['action_type']> = new Set(['request', 'response', 'error']);

/** The event with the secrets of its agent blanked: an agent's response may contain its own password. */
export async function withoutSecrets(event: AuditEvent, readBlanking: BlankingOf): Promise<AuditEvent> {
  const { team_id, agent_id } = event;
  if (agent_id === null || !spoken.has(event.action_type)) return event;
  const blanking = await readBlanking(team_id, agent_id);
  return {
    ...event,
    action: blanking.text(event.action),
    input_data: blankedData(event.input_data, blanking),
    output_data: blankedData(event.output_data, blanking),
    metadata: { ...event.metadata, user_agent: event.metadata.user_agent === null ? null : blanking.text(event.metadata.user_agent) },
  };
}

function blankedData(data: Json, blanking: Blanking): Json {
  const isCut = typeof data === 'object' && data !== null && !Array.isArray(data) && data['is_cut'] === true;
  if (!isCut || typeof data['body'] !== 'string') return blanking.json(data);
  const { body, ...rest } = data;
  return { ...(blanking.json(rest) as object), body: blankedCut(body, blanking) };
}

/** The middle of the body was left out: the gateway puts `…` between its first and its last part. */
function blankedCut(body: string, blanking: Blanking): string {
  const at = body.lastIndexOf('…');
  if (at < 0) return blanking.text(body);
  const mark = body.slice(at - 1, at + 2) === '\n…\n' ? '\n…\n' : '…';
  const first = body.slice(0, mark === '…' ? at : at - 1);
  const last = body.slice(at + (mark === '…' ? 1 : 2));
  return blanking.beginning(first) + mark + (last === '' ? '' : blanking.ending(last));
}
