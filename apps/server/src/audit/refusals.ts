import type { AuditActionType, AuditEvent } from '@paddock/audit';
import { type ApiError, auditActions, resolveAuditType } from '@paddock/contract';
import type { Sql } from '../db/connect.ts';
import type { Log } from '../log.ts';
import type { Call } from './call.ts';
import { createAuditEvent, stampEvent } from './event.ts';
import { insertEvent } from './intake-store.ts';
import { actorOf, toKnownActor } from './record-action.ts';
import { refusalQueue } from './refusal-queue.ts';
import { refusalQuota } from './refusal-quota.ts';
import { findEndedKey, findPerson, findTargets, type Known } from './target-store.ts';

/** How long a graceful shutdown waits for unwritten refusals. */
const closeMs = 3_000;

/** Responses to the repeat of a request that is done or in progress; they do not refuse the action. */
const repeats = new Set(['request_in_progress', 'secret_shown_once']);
/** Codes that are recorded for calls without an action, too. */
const always = new Set(['scope_missing', 'session_needed', 'policy_refused', 'internal']);

interface Refused {
  call: Call;
  who: Known;
}
interface Refusal extends ReturnType<typeof stampEvent> {
  status: number;
  code: string;
}

export type Refusals = ReturnType<typeof refusals>;

/**
 * Records calls that ended with an error response. Records are written after the response has been sent, so they do not delay it. A failed write
 * is logged.
 */
export function refusals(sql: Sql, log: Log) {
  const turns = refusalQueue(log);
  const places = refusalQuota<Refused>(({ call, who }, left_out) =>
    turns.add(() => insertEvent(sql, { ...plain(call, who), action: 'refusals.left-out', input_data: null, output_data: { left_out } })),
  );

  async function write(call: Call, refusal: Refusal): Promise<void> {
    const who = call.actor ? toKnownActor(call.actor) : await concernedBy(sql, call);
    // Attempts by strangers on an account or key have a separate quota, so that they cannot keep the owner's refusals from being recorded.
    const place = who && `${call.actor ? 'by' : 'against'} ${who.id}`;
    if (!place || !places.take(place, { call, who })) return;
    const { status, code, ...moment } = refusal;
    await insertEvent(sql, {
      ...plain(call, who),
      ...(await asked(sql, call, who)),
      ...moment,
      // The password was right and the code is requested next: each sign-in with a second factor begins like this.
      status: code === 'second_factor_required' ? 'warning' : 'error',
      ...(code === 'internal' ? { action_type: 'error' as const } : {}),
      output_data: { status, code, ...(code === 'policy_refused' ? call.refused_by : {}) },
    });
  }

  return {
    /** Records the call's error response, if the audit trail keeps errors of this kind. */
    tell(call: Call, { code, status }: ApiError): void {
      const isOfKey = call.concerned !== undefined && 'key_hash' in call.concerned;
      const isKept = always.has(code) || isOfKey || (call.action !== undefined && !repeats.has(code));
      if (!isKept || !(call.actor || call.concerned)) return;
      const refusal = { status, code, ...stampEvent(call) };
      turns.add(() => write(call, refusal));
    },
    /** Resolves when all refusals so far are written, or their failures logged. */
    settle: turns.settle,
    async close(): Promise<void> {
      places.close();
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, closeMs);
      await Promise.race([turns.settle(), late.promise]);
      clearTimeout(timer);
    },
  };
}

async function concernedBy(sql: Sql, { concerned }: Call): Promise<Known | undefined> {
  if (!concerned) return undefined;
  return 'key_hash' in concerned ? findEndedKey(sql, concerned.key_hash) : findPerson(sql, concerned.user_id);
}

const plain = (call: Call, who: Known): AuditEvent =>
  createAuditEvent(call, {
    team_id: who.team_id,
    action: call.action ?? call.name,
    action_type: resolveType(call),
    ...actorOf(who),
    status: 'error',
    duration_ms: null,
  });

function resolveType({ action, name }: Call): AuditActionType {
  if (action) return resolveAuditType(action);
  return name.startsWith('GET ') ? 'data_access' : 'configuration';
}

/** The target of a refused call. An object of another team is recorded only by the id that the caller gave. */
async function asked(sql: Sql, { action, target_id }: Call, { team_id }: Known): Promise<Partial<AuditEvent>> {
  if (!action || target_id === undefined) return {};
  const type = auditActions[action];
  const { targets, agent } = await findTargets(sql, { type, team_id, ids: [target_id] });
  return { targets: targets.map((target) => ({ type, ...target })), ...agent };
}
