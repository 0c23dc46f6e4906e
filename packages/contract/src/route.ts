import type * as z from 'zod';
import type { AuditAction } from './audit.ts';
import type { ErrorCode } from './errors.ts';
import type { Scope } from './scopes.ts';

/**
 * An API call. Names in `path` (`:id`) are taken from `input`; the rest is the query (GET, DELETE) or the JSON body. `access`: 'public'
 * requires nothing, 'session' a signed-in user, 'any' a session or any live API key, a scope a session or an API key with that scope.
 */
export interface Route<In extends z.core.$ZodType = z.core.$ZodType, Out extends z.core.$ZodType = z.core.$ZodType> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/${string}`;
  access: 'public' | 'session' | 'any' | Scope;
  /** With `any`: the scope with which a key may also do to others what it may do to itself. */
  of_others?: Scope;
  summary: string;
  /** Sentences that the reference and the OpenAPI document add to the summary: limits, and what a caller does next. */
  note?: string;
  /** Status of a success; 200 if absent. */
  status?: 201 | 204;
  /**
   * With 201: the path of the new resource, or of the list that contains it. `:name` is taken from the request, `{name}` from the response,
   * as in `/deployments/{id}` and `/channels/{channel.id}`.
   */
  location?: `/${string}`;
  /** The multipart field that contains a file. The other fields are `input`. */
  file?: string;
  /** The response has a field `etag`, which is repeated in the ETag header. */
  etag?: true;
  /** The call accepts If-Match, and is refused with precondition_failed if the resource has another `etag` than the header. */
  if_match?: true;
  /** The call also works on a full disk, as every DELETE does: it frees space, or is needed to free space. */
  frees?: true;
  /**
   * A `secret` response is never stored: a repeated call creates another secret (`repeats.ts`). For a `shown-once` response only the fact
   * is stored, and a repeat with the same Idempotency-Key is refused. Every other response may be stored and returned again.
   */
  answer?: 'secret' | 'shown-once';
  /**
   * The action that the audit trail records, for each call that changes something and for calls that return a secret, an export or a log.
   * False if none is recorded; a comment then gives the reason.
   */
  audit?: AuditAction | false;
  /** Errors of this call in addition to those of all calls with the same access, method and kind of body. The API reference lists them. */
  errors?: readonly ErrorCode[];
  /** Former names of input fields, each with its current name. The server still accepts them, and the document marks them as deprecated. */
  renamed?: Readonly<Record<string, string>>;
  /** The response is a file to save, not JSON. */
  download?: Download;
  /** The response is one JSON object per line, each matching `output`, sent as it is produced. */
  stream?: true;
  /** Maximum size of the body; a megabyte if absent. */
  body_bytes?: number;
  input: In;
  output: Out;
}

/** `types` are the media types that the file may have. Its value for a caller is a string or a Uint8Array. */
export interface Download {
  as: 'text' | 'bytes';
  types: readonly [string, ...string[]];
}

export const route = <In extends z.core.$ZodType, Out extends z.core.$ZodType, const R extends Route<In, Out>>(route: R & Route<In, Out>) =>
  route;

export type Contract = Record<string, Record<string, Route>>;
/** The input that a caller sends, the input that a handler receives, and the result. */
export type Sent<R extends Route> = z.input<R['input']>;
export type Received<R extends Route> = z.output<R['input']>;
export type Result<R extends Route> = z.output<R['output']>;
/** The value that a call resolves to: its result, or the results of a stream in their order. */
export type Answered<R extends Route> = R extends { stream: true } ? AsyncIterable<Result<R>> : Result<R>;
