import type * as z from 'zod';
import type { AuditAction } from './audit.ts';
import type { ErrorCode } from './errors.ts';
import type { Scope } from './scopes.ts';

/**
 * One API call. Names in `path` (`:id`) are taken out of `input`; the rest is the query (GET, DELETE) or the JSON body.
 * `access`: 'public' needs nothing, 'session' a signed-in person, 'any' a session or any live API key, a scope a session or an API key
 * that has it.
 */
export interface Route<In extends z.core.$ZodType = z.core.$ZodType, Out extends z.core.$ZodType = z.core.$ZodType> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/${string}`;
  access: 'public' | 'session' | 'any' | Scope;
  summary: string;
  /** Of the answer when all went well; 200 unless said otherwise. */
  status?: 201 | 204;
  /**
   * Of 201: where the new thing answers GET, or the list that has it. `:name` is the request's own, `{name}` the answer's, as in
   * `/deployments/{id}`.
   */
  location?: `/${string}`;
  /** The multipart field that carries a file; the other fields are `input`. */
  file?: string;
  /** Works also on a full disk, as every DELETE does: it makes room, or is needed on the way there. */
  frees?: true;
  /**
   * A `secret` answer is stored nowhere: the call made again makes another one. Of one that is `shown-once` it is remembered that it was given, and a
   * repeat under the same Idempotency-Key is refused. Everything else may be kept and given again.
   */
  answer?: 'secret' | 'shown-once';
  /** What the audit trail is to note: of each call that changes something, and of those that give a secret or an export. False: nothing, for the reason told beside it. */
  audit?: AuditAction | false;
  /** What this call may be answered with beside what its access, its method and its body bring along: the reference tells it. */
  errors?: readonly ErrorCode[];
  /** The answer is text to save, not JSON. */
  download?: true;
  input: In;
  output: Out;
}

export const route = <In extends z.core.$ZodType, Out extends z.core.$ZodType, const R extends Route<In, Out>>(route: R & Route<In, Out>) =>
  route;

export type Contract = Record<string, Record<string, Route>>;
/** What a caller sends, what a handler receives, what both call the result. */
export type Sent<R extends Route> = z.input<R['input']>;
export type Received<R extends Route> = z.output<R['input']>;
export type Result<R extends Route> = z.output<R['output']>;
