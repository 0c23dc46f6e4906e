import { AsyncLocalStorage } from 'node:async_hooks';
import type { Json } from '@paddock/audit';
import type { AuditAction } from '@paddock/contract';
import { plainAddress } from '@paddock/network';
import type { Actor } from '../http/actor.ts';

/** A call of the API that is under way, as far as its record needs it. */
export interface Call {
  /** What the contract wants recorded of it. */
  action: AuditAction | undefined;
  /** `GET /projects/:id`: how the refusal of a call without an action is named. */
  name: string;
  ip: string;
  user_agent: string;
  request_id: string;
  /** By `performance.now()`. */
  begunMs: number;
  actor?: Actor;
  /** What the call was asked for, by the id in its input. */
  target_id?: string;
  /** The fields of the input that may be recorded. */
  input: { [field: string]: Json };
  /** Something was recorded of it, in whichever transaction. */
  isNoted: boolean;
  /** Of a call by somebody unknown: whom it concerns. Null: nobody who has an account. */
  concerned?: { user_id: string | null } | { key_hash: Buffer };
  /** What refused it, where a policy did. */
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

/** Does work as part of a call: what the work changes is recorded as done by that call. */
export const runInCall = <T>(call: Call, work: () => Promise<T>): Promise<T> => calls.run(call, work);

/** The call under way; undefined in Paddock's own work. */
export const currentCall = () => calls.getStore();

/** Tells who makes the call, also when it is refused afterwards. */
export function identify(actor: Actor): void {
  const call = currentCall();
  if (call) call.actor = actor;
}

/** Tells whose account somebody unknown tries to use: a refusal is recorded for that person's team. Undefined: there is no such account. */
export function setSubject(user_id: string | undefined): void {
  const call = currentCall();
  if (call) call.concerned = { user_id: user_id ?? null };
}

/** Tells that the caller's key is not live. If it once was, the refusal is recorded for its team. */
export function setSubjectKey(key_hash: Buffer): void {
  const call = currentCall();
  if (call) call.concerned = { key_hash };
}

/** Tells which rule of which policy refuses the call. */
export function setPolicyRefusal(by: NonNullable<Call['refused_by']>): void {
  const call = currentCall();
  if (call) call.refused_by = by;
}
