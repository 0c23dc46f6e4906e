import { AsyncLocalStorage } from 'node:async_hooks';
import type { Json } from '@paddock/audit';
import type { AuditAction } from '@paddock/contract';
import { plainAddress } from '@paddock/network';
import type { Actor } from '../http/actor.ts';

/** The facts about an API call in progress that its audit record needs. */
export interface Call {
  /** The action under which the contract records the call. */
  action: AuditAction | undefined;
  /** `GET /projects/:id`: the name in the record of a refused call without an action. */
  name: string;
  ip: string;
  user_agent: string;
  request_id: string;
  /** Start by `performance.now()`. */
  begunMs: number;
  actor?: Actor;
  /** The id in the call's input. */
  target_id?: string;
  /** The fields of the input that may be recorded. */
  input: { [field: string]: Json };
  /** Whether the call has been recorded, in any transaction. */
  isNoted: boolean;
  /** The account that an unauthenticated call concerns. Null: no existing account. */
  concerned?: { user_id: string | null } | { key_hash: Buffer };
  /** The policy rule that refused the call, if one did. */
  refused_by?: { policy_id: string; policy: string; rule: string };
}

interface Begun {
  action: AuditAction | false | undefined;
  name: string;
  ip: string;
  user_agent: string | undefined;
  request_id: string;
}

export const beginCall = ({ action, ip, user_agent = '', ...known }: Begun): Call => ({
  ...known,
  action: action || undefined,
  ip: plainAddress(ip),
  user_agent: user_agent.slice(0, 300),
  begunMs: performance.now(),
  input: {},
  isNoted: false,
});

const calls = new AsyncLocalStorage<Call>();

/** Runs work as part of a call: its changes are recorded as made by that call. */
export const runInCall = <T>(call: Call, work: () => Promise<T>): Promise<T> => calls.run(call, work);

/** The call in progress; undefined in background work. */
export const currentCall = () => calls.getStore();

/** Sets the caller, before the call may be refused. */
export function identify(actor: Actor): void {
  const call = currentCall();
  if (call) call.actor = actor;
}

/** Sets the account that an unauthenticated caller tries to use: a refusal is recorded for its team. Undefined: there is no such account. */
export function setSubject(user_id: string | undefined): void {
  const call = currentCall();
  if (call) call.concerned = { user_id: user_id ?? null };
}

/** Notes that the caller's key is not valid. If it once was, the refusal is recorded for its team. */
export function setSubjectKey(key_hash: Buffer): void {
  const call = currentCall();
  if (call) call.concerned = { key_hash };
}

/** Sets the policy rule that refuses the call. */
export function setPolicyRefusal(by: NonNullable<Call['refused_by']>): void {
  const call = currentCall();
  if (call) call.refused_by = by;
}
