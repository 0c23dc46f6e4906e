import { AsyncLocalStorage } from 'node:async_hooks';
import type { Json } from '@paddock/audit';
import type { AuditAction } from '@paddock/contract';
import { plainAddress } from '@paddock/network';
import type { Actor } from '../http/actor.ts';

/** An API call in progress, with the facts for its record. */
export interface Call {
  /** The action that the contract assigns to it. */
  action: AuditAction | undefined;
  /** Name for the refusal of a call without an action, e.g. `GET /projects/:id`. */
  name: string;
  ip: string;
  user_agent: string;
  request_id: string;
  /** By `performance.now()`. */
  begunMs: number;
  actor?: Actor;
  /** The id in the call's input: the thing that it is about. */
  target_id?: string;
  /** The fields of the input that may be recorded. */
  input: { [field: string]: Json };
  /** A record was written for it, in any transaction. */
  isNoted: boolean;
  /** Whom a call by an unknown caller concerns. Null: nobody who has an account. */
  concerned?: { user_id: string | null } | { key_hash: Buffer };
  /** The rule that refused it, if a policy did. */
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

/** The current call; undefined in Paddock's own work. */
export const currentCall = () => calls.getStore();

/** Sets the caller, also for a call that is refused afterwards. */
export function identify(actor: Actor): void {
  const call = currentCall();
  if (call) call.actor = actor;
}

/** Sets whose account an unknown caller tries to use: a refusal is recorded for that person's team. Undefined: there is no such account. */
export function setSubject(user_id: string | undefined): void {
  const call = currentCall();
  if (call) call.concerned = { user_id: user_id ?? null };
}

/** Notes that the caller's key is not live. If it once was, the refusal is recorded for its team. */
export function setSubjectKey(key_hash: Buffer): void {
  const call = currentCall();
  if (call) call.concerned = { key_hash };
}

/** Sets the policy and the rule that refuse the call. */
export function setPolicyRefusal(by: NonNullable<Call['refused_by']>): void {
  const call = currentCall();
  if (call) call.refused_by = by;
}
