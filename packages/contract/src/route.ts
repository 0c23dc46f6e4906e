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
  /** With `any`: what a key does to itself it may do with this scope to others, too. */
  of_others?: Scope;
  summary: string;
  /** Status of a success; 200 unless said otherwise. */
  status?: 201 | 204;
  /**
   * With 201: the path of the new thing, or of the list that has it. `:name` is taken from the request, `{name}` from the answer, as in
   * `/deployments/{id}` and `/channels/{channel.id}`.
   */
  location?: `/${string}`;
  /** The multipart field that carries a file; the other fields are `input`. */
  file?: string;
  /** The answer has a field `etag`, which the header ETag repeats. */
  etag?: true;
  /** The call takes If-Match, and is refused with precondition_failed where the thing has another `etag` than the header names. */
  if_match?: true;
  /** The call works on a full disk, too, as every DELETE does: it makes room, or is needed to make room. */
  frees?: true;
  /**
   * A `secret` answer is stored nowhere: a repeated call makes another secret (`repeats.ts`). Of a `shown-once` answer it is remembered that it was given, and a
   * repeat under the same Idempotency-Key is refused. Every other answer may be stored and given again.
   */
  answer?: 'secret' | 'shown-once';
  /**
   * The action that the audit trail is to note: of each call that changes something, and of calls that give a secret, an export or a log. False: none, and
   * a comment says why.
   */
  audit?: AuditAction | false;
  /** Errors of this call beside those of all calls with the same access, method and kind of body. The API reference lists them. */
  errors?: readonly ErrorCode[];
  /** Former names of input fields, each with the name of today. The server still takes them, and the document calls them deprecated. */
  renamed?: Readonly<Record<string, string>>;
  /** The answer is text to save, not JSON. */
  download?: true;
  /** The answer is one JSON object a line, each as `output` says, sent as they come. */
  stream?: true;
  /** The longest body that is read; a megabyte unless said otherwise. */
  body_bytes?: number;
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
/** What a call resolves to: its result, or of a stream the results in the order in which they come. */
export type Answered<R extends Route> = R extends { stream: true } ? AsyncIterable<Result<R>> : Result<R>;
