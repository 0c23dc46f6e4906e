import type { AuditActionType, AuditEvent } from '@paddock/audit';
import { type ApiError, auditActions, auditTypeOf } from '@paddock/contract';
import type { Sql } from '../db/connect.ts';
import type { Log } from '../log.ts';
import type { Call } from './call.ts';
import { eventOf, momentOf } from './event.ts';
import { insertEvent } from './intake-store.ts';
import { actorOf, toKnownActor } from './record-action.ts';
import { refusalQueue } from './refusal-queue.ts';
import { refusalQuota } from './refusal-quota.ts';
import { findEndedKey, findPerson, findTargets, type Known } from './target-store.ts';

/** How long a graceful shutdown waits for pending records. */
const closeMs = 3_000;

/** A repeat of a request that was carried out, or is in progress: not a refusal. */
const repeats = new Set(['request_in_progress', 'secret_shown_once']);
/** Also recorded for calls without an action. */
const always = new Set(['scope_missing', 'session_needed', 'policy_refused', 'internal']);

interface Refused {
  call: Call;
  who: Known;
}
interface Refusal extends ReturnType<typeof momentOf> {
  status: number;
  code: string;
}

export type Refusals = ReturnType<typeof refusals>;

/**
 * Records of calls that returned an error. They are written after the response is sent, so they do not delay it. A record
 * that cannot be written is logged.
 */
export function refusals(sql: Sql, log: Log) {
  const turns = refusalQueue(log);
  const places = refusalQuota<Refused>(({ call, who }, left_out) =>
    turns.add(() => insertEvent(sql, { ...plain(call, who), action: 'refusals.left-out', input_data: null, output_data: { left_out } })),
  );

  async function write(call: Call, refusal: Refusal): Promise<void> {
    const who = call.actor ? toKnownActor(call.actor) : await concernedBy(sql, call);
    // Strangers who try an account or key have their own quota, which does not suppress records of its owner.
    const place = who && `${call.actor ? 'by' : 'against'} ${who.id}`;
    if (!place || !places.take(place, { call, who })) return;
    const { status, code, ...moment } = refusal;
    await insertEvent(sql, {
      ...plain(call, who),
      ...(await asked(sql, call, who)),
      ...moment,
      // The password was correct, and the code is requested next: each sign-in with a second factor begins this way.
      status: code === 'second_factor_required' ? 'warning' : 'error',
      ...(code === 'internal' ? { action_type: 'error' as const } : {}),
      output_data: { status, code, ...(code === 'policy_refused' ? call.refused_by : {}) },
    });
  }

  return {
    /** Records the error response of the call, if the trail keeps such errors. */
    tell(call: Call, { code, status }: ApiError): void {
      const isOfKey = call.concerned !== undefined && 'key_hash' in call.concerned;
      const isKept = always.has(code) || isOfKey || (call.action !== undefined && !repeats.has(code));
      if (!isKept || !(call.actor || call.concerned)) return;
      const refusal = { status, code, ...momentOf(call) };
      turns.add(() => write(call, refusal));
    },
    /** Resolves when all refusals so far are written or logged as failed. */
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
  eventOf(call, {
    team_id: who.team_id,
    action: call.action ?? call.name,
    action_type: typeOf(call),
    ...actorOf(who),
    status: 'error',
    duration_ms: null,
  });

function typeOf({ action, name }: Call): AuditActionType {
  if (action) return auditTypeOf(action);
  return name.startsWith('GET ') ? 'data_access' : 'configuration';
}

/** The thing that the caller tried to access. A thing of another team is named only by the id that the caller sent. */
async function asked(sql: Sql, { action, target_id }: Call, { team_id }: Known): Promise<Partial<AuditEvent>> {
  if (!action || target_id === undefined) return {};
  const type = auditActions[action];
  const { targets, agent } = await findTargets(sql, { type, team_id, ids: [target_id] });
  return { targets: targets.map((target) => ({ type, ...target })), ...agent };
}
