import type { Json } from '@paddock/audit';
import { type AuditAction, auditActions, resolveAuditType } from '@paddock/contract';
import type { Tx } from '../db/connect.ts';
import type { Actor } from '../http/actor.ts';
import { type Call, currentCall } from './call.ts';
import { createAuditEvent } from './event.ts';
import { insertEvent } from './intake-store.ts';
import { bounded, cut, recordedFields } from './recorded-input.ts';
import { findPerson, findTargets, type Known } from './target-store.ts';

interface More {
  /** The id of the acting person, in a call that needs no token. */
  by?: string;
  /** An action other than the call's own: a sign-in may also create an account. */
  action?: AuditAction;
  /** The project of objects that do not name it, like variables. */
  project_id?: string;
  /** Added to the input fields that are recorded anyway. Never a secret, nor free text. */
  input?: { [field: string]: Json };
  output?: { [field: string]: Json };
}

/** Maximum objects named in a record. */
const maxTargets = 20;

/**
 * Records the current call's action on the objects with these ids, in the transaction of the change: without its record the change does not
 * happen. Call it once for each change, while the objects exist. Does nothing in background work, and for calls that the contract exempts.
 */
export async function recordAction(tx: Tx, ids: string | readonly string[], more: More = {}): Promise<void> {
  const call = currentCall();
  const action = more.action ?? call?.action;
  if (!call || !action) return;
  const who = call.actor ? toKnownActor(call.actor) : await findPerson(tx, more.by ?? null);
  if (!who) throw new Error(`nobody is known to have done ${action}`);
  const { team_id } = who;
  const type = auditActions[action];
  const { targets, agent } = await findTargets(tx, { type, team_id, ids: [ids].flat().slice(0, maxTargets), project_id: more.project_id });
  await insertEvent(
    tx,
    createAuditEvent(call, {
      team_id,
      action,
      action_type: resolveAuditType(action),
      ...actorOf(who),
      targets: targets.map(({ id, name }) => ({ type, id: cut(id), name: name === null ? null : cut(name) })),
      ...agent,
      input_data: buildRecordedInput(call, action, more.input),
      output_data: more.output ? bounded(more.output) : null,
    }),
  );
  call.isNoted = true;
}

export const actorOf = ({ type, id, name, user_id }: Known) => ({ actor: { type, id, name }, user_id });

/** The caller as named in records: a key by its own name, with the person who created it. */
export function toKnownActor({ user_id, team_id, name, key_id, key_name }: Actor): Known {
  if (key_id === null) return { type: 'person', id: user_id, name, user_id, team_id };
  return { type: 'key', id: key_id, name: key_name, user_id, team_id };
}

/** The input in the record of an action; for an action other than the call's own, only the fields listed for it. */
function buildRecordedInput(call: Call, action: AuditAction, more: More['input']): Json {
  const shown: readonly string[] = recordedFields[action];
  const own = Object.entries(call.input).filter(([field]) => action === call.action || shown.includes(field));
  const fields = { ...Object.fromEntries(own), ...(bounded(more ?? {}) as object) };
  return Object.keys(fields).length > 0 ? fields : null;
}
